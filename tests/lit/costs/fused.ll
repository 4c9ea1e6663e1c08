; A sum containing a product is one fma; the product counts separately if it has another use.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs;contract=all>' -disable-output %s \
; RUN:   | %FileCheck %s --check-prefix=ALL
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of f:
; CHECK-NEXT: fp32_fma=1 : %sum =
; CHECK-NEXT: fp32_fma=1 : %difference =
; CHECK-NEXT: fp64_mul=1 : %second =
; CHECK-NEXT: fp64_fma=1 : %both =
; CHECK-NEXT: fp32_mul=1 : %strict =
; CHECK-NEXT: fp32_add=1 : %loose =
; CHECK-NEXT: fp32_fma=1 : %one =
; CHECK-NEXT: fp32_fma=1 : %two =
; CHECK-NEXT: fp32_mul=1 : %far =
; CHECK-NEXT: fp32_add=1 : %near ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
; ALL-LABEL: costs of f:
; ALL: fp64_fma=1 : %both =
; ALL-NEXT: fp32_fma=1 : %loose =
; ALL-NEXT: fp32_fma=1 : %one =
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

; A softmax's "p[i] = e; s += e": 3 FLOPs; the product is executed twice.
; CHECK-LABEL: costs of stored:
; CHECK-NEXT: fp32_mul=1 : %e =
; CHECK-NEXT: global_store=4
; CHECK-NEXT: fp32_add=1 : %s =
; ALL-LABEL: costs of stored:
; ALL-NEXT: fp32_mul=1 : %e =
; ALL-NEXT: global_store=4
; ALL-NEXT: fp32_fma=1 : %s =
define float @stored(float %x, float %scale, float %before, ptr addrspace(1) %p) {
  %e = fmul float %x, %scale
  store float %e, ptr addrspace(1) %p
  %s = fadd float %before, %e
  ret float %s
}
