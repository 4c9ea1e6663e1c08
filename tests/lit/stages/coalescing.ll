; Each global access names its instruction and the number of its execution.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-coalescing -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__gpuprof_cpu_request
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: call {{.*}}@__gpuprof_cpu_request(ptr %thread, i64 {{.*}}, i64 4)
; CHECK: store i32 1
define ptx_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
