; Arithmetic by precision; a vector counts its elements; a sign is free.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of f:
; CHECK-NEXT: fp32_add=1 : %add =
; CHECK-NEXT: fp32_add=1 : %sub =
; CHECK-NEXT: fp32_mul=1 : %mul =
; CHECK-NEXT: fp32_div=1 : %div =
; CHECK-NEXT: fp64_add=1 : %add64 =
; CHECK-NEXT: fp64_mul=1 : %mul64 =
; CHECK-NEXT: fp64_div=1 : %div64 =
; CHECK-NEXT: fp16_add=2 : %add16 =
; CHECK-NEXT: bf16_mul=2 : %mulb16 =
; CHECK-NEXT: fp32_mul=4 : %vector =
; CHECK-NEXT: compare=1 : %less =
; CHECK-NEXT: compare=2 : %lesses =
; CHECK-NEXT: costs of end:
define void @f(float %a, double %b, <2 x half> %c, <2 x bfloat> %d, <4 x float> %e) {
  %add = fadd float %a, 1.0
  %sub = fsub float %a, 1.0
  %mul = fmul float %a, 2.0
  %div = fdiv float %a, 3.0
  %neg = fneg float %a
  %add64 = fadd double %b, 1.0
  %mul64 = fmul double %b, 2.0
  %div64 = fdiv double %b, 3.0
  %add16 = fadd <2 x half> %c, %c
  %mulb16 = fmul <2 x bfloat> %d, %d
  %vector = fmul <4 x float> %e, %e
  %less = fcmp olt float %a, 0.0
  %lesses = fcmp olt <2 x half> %c, zeroinitializer
  %choice = select i1 %less, float %a, float 0.0
  ret void
}
define void @end() {
  ret void
}
