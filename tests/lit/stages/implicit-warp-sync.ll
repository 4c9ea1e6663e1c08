; Lanes exchanging values through volatile shared memory are synchronised first.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-implicit-warp-sync -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__gpuprof_cpu_in_step
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: store volatile i32 7
; CHECK: call {{.*}}@__gpuprof_cpu_in_step(
; CHECK: load volatile i32
@a = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %i, i64 %j) {
  %mine = getelementptr [64 x i32], ptr addrspace(3) @a, i64 0, i64 %i
  %other = getelementptr [64 x i32], ptr addrspace(3) @a, i64 0, i64 %j
  store volatile i32 7, ptr addrspace(3) %mine
  %v = load volatile i32, ptr addrspace(3) %other
  store i32 %v, ptr addrspace(1) %p
  ret void
}
