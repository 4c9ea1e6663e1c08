; Shared variables become offsets from the shared memory of the block.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-shared-memory -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: getelementptr {{.*}}%gpuprof_cpu_thread
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: @a =
; CHECK: define internal void @k.body(ptr {{.*}}%thread
; CHECK: getelementptr {{.*}}%gpuprof_cpu_thread, ptr %thread
@a = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(3) @a
  store i32 %v, ptr addrspace(1) %p
  ret void
}
