; A sum and a product that instruction selection fuses are one fma: both contract, one block, one use.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of f:
; CHECK-NEXT: fp32_fma=1 : %sum =
; CHECK-NEXT: fp32_fma=1 : %difference =
; CHECK-NEXT: fp64_mul=1 : %second =
; CHECK-NEXT: fp64_fma=1 : %both =
; CHECK-NEXT: fp32_mul=1 : %strict =
; CHECK-NEXT: fp32_add=1 : %loose =
; CHECK-NEXT: fp32_mul=1 : %used.twice =
; CHECK-NEXT: fp32_add=1 : %one =
; CHECK-NEXT: fp32_add=1 : %two =
; CHECK-NEXT: fp32_mul=1 : %far =
; CHECK-NEXT: fp32_add=1 : %near ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
define void @f(float %a, float %b, double %c) {
  %product = fmul contract float %a, %b
  %sum = fadd contract float %product, %a
  %product2 = fmul contract float %a, %b
  %difference = fsub contract float %a, %product2
  %first = fmul contract double %c, %c
  %second = fmul contract double %c, 2.0
  %both = fadd contract double %first, %second
  %strict = fmul float %a, %b
  %loose = fadd contract float %strict, %a
  %used.twice = fmul contract float %a, %b
  %one = fadd contract float %used.twice, %a
  %two = fadd contract float %used.twice, %b
  %far = fmul contract float %a, %b
  br label %next
next:
  %near = fadd contract float %far, %a
  ret void
}
