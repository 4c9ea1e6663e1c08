; A value of constants alone, behind an intrinsic that LLVM does not fold: ptxas may know it, and execute nothing.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: expansions of values:
; CHECK-NEXT: expand_fp32_more=2 : %root
; CHECK-NEXT: expand_fp32_less=1 : %pole
; CHECK-NEXT: expand_fp32_less=1 : %gain
define float @values(float %x) {
  %root = call float @llvm.nvvm.sqrt.approx.f(float 3.0)
  %pole = fadd float %root, -2.0
  %gain = fsub float 1.0, %pole
  %product = fmul float %gain, %x
  ret float %product
}
declare float @llvm.nvvm.sqrt.approx.f(float)
