; Conversions between floating-point types, from and to integers, and roundings: one for each element.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of f:
; CHECK-NEXT: convert=1 : %widen =
; CHECK-NEXT: convert=2 : %narrow =
; CHECK-NEXT: convert=1 : %to.int =
; CHECK-NEXT: convert=1 : %from.int =
; CHECK-NEXT: convert=1 : %floor =
; CHECK-NEXT: convert=1 : %rint =
; CHECK-NEXT: convert=1 : %nearest =
; CHECK-NEXT: convert=2 : %packed ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
define void @f(float %a, <2 x float> %b, i32 %c, double %d) {
  %widen = fpext float %a to double
  %narrow = fptrunc <2 x float> %b to <2 x half>
  %to.int = fptosi float %a to i32
  %from.int = uitofp i32 %c to float
  %bits = bitcast float %a to i32
  %high = call i32 @llvm.nvvm.d2i.hi(double %d)
  %floor = call float @llvm.floor.f32(float %a)
  %rint = call float @llvm.rint.f32(float %a)
  %nearest = call i32 @llvm.nvvm.f2i.rn(float %a)
  %packed = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float %a, float %a)
  ret void
}
declare i32 @llvm.nvvm.d2i.hi(double)
declare float @llvm.floor.f32(float)
declare float @llvm.rint.f32(float)
declare i32 @llvm.nvvm.f2i.rn(float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float)
