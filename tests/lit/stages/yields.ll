; A loop waiting for another thread yields.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-yields -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__gpuprof_cpu_yield
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: load volatile
; CHECK: call void @__gpuprof_cpu_yield(ptr %thread)
define ptx_kernel void @k(ptr addrspace(1) %flag) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr addrspace(1) %flag
  %set = icmp ne i32 %v, 0
  br i1 %set, label %done, label %loop
done:
  ret void
}
