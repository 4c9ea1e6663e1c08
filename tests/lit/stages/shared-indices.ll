; An unsigned index of shared memory, possibly below zero, keeps its sign.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-shared-indices -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: sext
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: sext i32 %below to i64
@a = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %i) {
  %below = sub i32 %i, 8
  %wide = zext i32 %below to i64
  %at = getelementptr [64 x i32], ptr addrspace(3) @a, i64 0, i64 %wide
  %v = load i32, ptr addrspace(3) %at
  store i32 %v, ptr addrspace(1) %p
  ret void
}
