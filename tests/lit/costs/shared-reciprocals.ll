; Two or more quotients by one divisor may become products with its reciprocal:
; one division, and a product each, contained in sums like any other product.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs;contract=all>' -disable-output %s | %FileCheck %s
; RUN: %llc -mcpu=sm_90 -fp-contract=fast %s -o - | %FileCheck %s --check-prefix=PTX
; REQUIRES: llvm-at-least-22
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of two:
; CHECK-NEXT: fp32_div=1 fp32_mul=1 : %a =
; CHECK-NEXT: global_store=4
; CHECK-NEXT: fp32_fma=1 : %c =
; PTX-LABEL: .func{{.*}} two(
; PTX: rcp.rn.f32
; PTX-NEXT: mul.f32
; PTX: fma.rn.f32
; PTX-NOT: {{mul|div}}
; PTX: ret
define float @two(float %x, float %y, float %d, ptr addrspace(1) %p) {
  %a = fdiv arcp float %x, %d
  %b = fdiv arcp float %y, %d
  store float %a, ptr addrspace(1) %p
  %c = fadd float %b, %x
  ret float %c
}

; CHECK-NEXT: costs of one:
; CHECK-NEXT: fp32_div=1 : %a =
define float @one(float %x, float %d) {
  %a = fdiv arcp float %x, %d
  ret float %a
}
