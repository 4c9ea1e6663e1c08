; Each sum of a chain whose last one a branch alone wants is work behind that branch, and counts once.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions;contract=all>' -disable-output %s 2>&1 | %FileCheck %s
; CHECK-COUNT-4: expand_fp32_less=1 :
; CHECK-NEXT: {{^ *(expand_fp32_behind=1 +){4}:}} store volatile float %v4
target triple = "nvptx64-nvidia-cuda"

define void @chain(float %v0, float %x, i1 %c, ptr %p) {
  %v1 = fadd float %v0, %x
  %v2 = fadd float %v1, %x
  %v3 = fadd float %v2, %x
  %v4 = fadd float %v3, %x
  br i1 %c, label %wanting, label %end
wanting:
  store volatile float %v4, ptr %p
  br label %end
end:
  ret void
}
