; Instructions counted but not executed, since ptxas folds them into their neighbours.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.nvvm.div.approx.f(float, float)

; A product by a power of two is a modifier of the preceding product
; with no other use. There is none for negative factors and for 16.
; CHECK-LABEL: expansions of scales:
; CHECK-NEXT: expand_fp32_folded=1 : %folded
; CHECK-NEXT: expand_fp32_less=1 : %perhaps
; CHECK-NEXT: expand_fp32_mul=1 : %approximate
define void @scales(float %a, float %b, ptr %p) {
  %first = fmul float %a, %b
  %folded = fmul float %first, 4.0
  %stored = fmul float %folded, %b
  store float %stored, ptr %p
  %kept = fmul float %stored, 0.5
  %large = fmul float %kept, 16.0
  %square = fmul float %large, %large
  %negative = fmul float %square, -2.0
  %cube = fmul float %negative, %a
  %perhaps = fmul float %cube, 0.25
  %difference = fsub float %b, %perhaps
  %approximate = call float @llvm.nvvm.div.approx.f(float %a, float %b)
  %reciprocal = call float @llvm.nvvm.div.approx.f(float 1.0, float %b)
  ret void
}

; A half product and a sum in inline PTX are one HFMA2, unless something else wants the product or it must be rounded.
; CHECK-LABEL: expansions of halves:
; CHECK-NEXT: expand_half=1 : %product
; CHECK-NEXT: expand_half=1 : %shared
; CHECK-NEXT: expand_half=1 : %rounded
; CHECK-NEXT: expand_half=1 : %one
; CHECK-NEXT: expand_half=1 : %two
; CHECK-NEXT: expand_half=1 : %three
define void @halves(i32 %a, i32 %b) {
  %product = call i32 asm "{mul.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %a, i32 %b) #0
  %sum = call i32 asm "{sub.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %product, i32 %b) #0
  %shared = call i32 asm "{mul.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %b, i32 %b) #0
  %rounded = call i32 asm "{mul.rn.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %a, i32 %a) #0
  %one = call i32 asm "{add.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %shared, i32 %a) #0
  %two = call i32 asm "{sub.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %shared, i32 %b) #0
  %three = call i32 asm "{add.f16x2 $0,$1,$2;}", "=r,r,r"(i32 %rounded, i32 %b) #0
  ret void
}

; Equal inline PTX of equal operands is executed once, and of constants
; never: cuda_fp16.h's division by one number in both halves, and of 1.
; CHECK-LABEL: expansions of merged:
; CHECK-NEXT: expand_half=1 : %first
; CHECK-NEXT: expand_fp32_folded=1 : %again
; CHECK-NEXT: expand_fp32_folded=1 : %times.one
; CHECK-LABEL: expansions of apart:
define void @merged(i16 %h, ptr %p) {
  %pair = call i32 asm "{mov.b32 $0, {$1,$1};}", "=r,h"(i16 %h) #0
  %low = call i16 asm "{.reg .f16 low,high; mov.b32 {low,high}, $1; mov.b16 $0, low;}", "=h,r"(i32 %pair) #0
  %high = call i16 asm "{.reg .f16 low,high; mov.b32 {low,high}, $1; mov.b16 $0, high;}", "=h,r"(i32 %pair) #0
  %first = call float asm "{cvt.f32.f16 $0, $1;}", "=f,h"(i16 %low) #0
  %second = call float asm "{cvt.f32.f16 $0, $1;}", "=f,h"(i16 %high) #0
  %square = fmul float %first, %first
  %again = fmul float %second, %second
  %one = call i16 asm "{cvt.rn.f16.f32 $0, $1;}", "=h,f"(float 1.0) #0
  %widened = call float asm "{cvt.f32.f16 $0, $1;}", "=f,h"(i16 %one) #0
  %times.one = fmul float %square, %widened
  ret void
}
; Not where neither is executed whenever the other is.
; CHECK-NEXT: expand_half=1 : %a =
; CHECK-NEXT: expand_half=1 : %b =
; CHECK-LABEL: expansions of sunk:
define void @apart(i1 %c, i16 %h) {
  br i1 %c, label %left, label %right
left:
  %a = call float asm "{cvt.f32.f16 $0, $1;}", "=f,h"(i16 %h) #0
  ret void
right:
  %b = call float asm "{cvt.f32.f16 $0, $1;}", "=f,h"(i16 %h) #0
  ret void
}
; The sums of a reduction, stored by one lane, may be executed by that lane alone.
; CHECK-NEXT: expand_fp32_less=1 : %first
; CHECK-NEXT: expand_fp32_less=1 : %last
; CHECK-NEXT: expand_fp32_behind=1 expand_fp32_behind=1 : store float %last
define void @sunk(float %a, float %b, i1 %c, ptr %p) {
  %first = fadd float %a, %b
  %last = fadd float %first, %b
  br i1 %c, label %store, label %end
store:
  store float %last, ptr %p
  br label %end
end:
  ret void
}
attributes #0 = { convergent nounwind memory(none) }
