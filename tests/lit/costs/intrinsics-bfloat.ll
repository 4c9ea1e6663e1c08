; NVVM's intrinsics for pairs of bfloat count as two.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
; LLVM 16 has them on integers.
; REQUIRES: llvm-at-least-17
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of f:
; CHECK-NEXT: bf16_fma=2 : %fma =
; CHECK-NEXT: compare=2 : %max ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
define void @f(<2 x bfloat> %d) {
  %fma = call <2 x bfloat> @llvm.nvvm.fma.rn.bf16x2(<2 x bfloat> %d, <2 x bfloat> %d, <2 x bfloat> %d)
  %max = call <2 x bfloat> @llvm.nvvm.fmax.bf16x2(<2 x bfloat> %d, <2 x bfloat> %d)
  ret void
}
declare <2 x bfloat> @llvm.nvvm.fma.rn.bf16x2(<2 x bfloat>, <2 x bfloat>, <2 x bfloat>)
declare <2 x bfloat> @llvm.nvvm.fmax.bf16x2(<2 x bfloat>, <2 x bfloat>)
