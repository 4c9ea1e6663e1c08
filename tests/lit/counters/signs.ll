; What ptxas executes for instructions that count nothing reaches the sheet: a sign that no user takes by a modifier.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @stored(ptr addrspace(1) %out, double %x) {
  %negative = fneg double %x
  store double %negative, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @joined(ptr addrspace(1) %out, float %x) {
  %magnitude = call float @llvm.fabs.f32(float %x)
  %bits = bitcast float %magnitude to i32
  store i32 %bits, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @taken(ptr addrspace(1) %out, double %x) {
  %negative = fneg double %x
  %sum = fadd double %negative, 1.0
  store double %sum, ptr addrspace(1) %out
  ret void
}

declare float @llvm.fabs.f32(float)

; CHECK: gpuprof-sheet
; CHECK-SAME: kernel\090\09stored
; CHECK-SAME: cost\090\090\09-\09-\090\09expand_fp64_more=1\09global_store=8
; CHECK-SAME: kernel\091\09joined
; CHECK-SAME: cost\091\090\09-\09-\090\09expand_fp32_more=1\09global_store=4
; CHECK-SAME: kernel\092\09taken
; CHECK-NOT: expand_fp64_more
; CHECK-SAME: end
