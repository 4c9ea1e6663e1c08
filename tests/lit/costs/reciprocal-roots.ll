; A reciprocal of an approximate square root is one instruction of the special-function unit, and no FLOP; of an
; exact one it is not. The root counts for itself while anything else wants it.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>,print<gpuprof-expansions>' -disable-output %s \
; RUN:   | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.sqrt.approx.ftz.f(float)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)

; CHECK-LABEL: costs of alone:
; CHECK-NEXT: fp32_add=1 : %sum =
; CHECK-NEXT: special=1 : %r1 =
; CHECK-NEXT: special=1 : %r2 =
; CHECK-NEXT: special=1 : %r3 =
define void @alone(float %x) {
  %sum = fadd float %x, 1.0
  %s1 = call float @llvm.nvvm.sqrt.approx.f(float %sum)
  %r1 = fdiv float 1.0, %s1
  %s2 = call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)
  %r2 = fdiv float 1.0, %s2
  %s3 = call afn float @llvm.sqrt.f32(float %x)
  %r3 = fdiv float 1.0, %s3
  ret void
}

; CHECK-NEXT: costs of shared:
; CHECK-NEXT: fp32_sqrt=1 : %s =
; CHECK-NEXT: special=1 : %r =
; CHECK-NEXT: fp32_add=1 : %t =
define float @shared(float %x) {
  %s = call float @llvm.nvvm.sqrt.approx.f(float %x)
  %r = fdiv float 1.0, %s
  %t = fadd float %s, %r
  ret float %t
}

; CHECK-NEXT: costs of exact:
; CHECK-NEXT: fp32_sqrt=1 : %s1 =
; CHECK-NEXT: fp32_div=1 : %r1 =
; CHECK-NEXT: fp64_sqrt=1 : %s2 =
; CHECK-NEXT: fp64_div=1 : %r2 =
; CHECK-NEXT: fp32_sqrt=1 : %s3 =
; CHECK-NEXT: fp32_div=1 : %r3 =
define void @exact(float %x, double %d) {
  %s1 = call float @llvm.nvvm.sqrt.rn.f(float %x)
  %r1 = fdiv float 1.0, %s1
  %s2 = call double @llvm.sqrt.f64(double %d)
  %r2 = fdiv double 1.0, %s2
  %s3 = call afn float @llvm.sqrt.f32(float %x)
  %r3 = fdiv float 2.0, %s3
  ret void
}

; CHECK: expansions of alone:
; CHECK-NEXT: expand_fp32_more=2 : %r1 =
; CHECK: expansions of shared:
