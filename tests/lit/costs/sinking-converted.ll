; A sum that a branch alone wants after its conversion, also one by inline PTX, is work behind that branch.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions;contract=all>' -disable-output %s 2>&1 | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: expansions of converted:
; CHECK-NEXT: expand_fp32_less=1 : %sum
; CHECK-NEXT: expand_fp32_behind=1 : store volatile i32 %word
define void @converted(float %a, float %b, i1 %c, ptr %p) {
  %sum = fadd float %a, %b
  %half = call i16 asm "{ cvt.rn.bf16.f32 $0, $1; }", "=h,f"(float %sum) convergent nounwind memory(none)
  %low = zext i16 %half to i32
  %word = shl i32 %low, 16
  br i1 %c, label %wanting, label %end
wanting:
  store volatile i32 %word, ptr %p
  br label %end
end:
  ret void
}

; Inline PTX with effects, and lanes that exchange the value, want it where they stand.
; CHECK-LABEL: expansions of kept:
; CHECK-NOT: less
define void @kept(float %a, float %b, i1 %c, ptr %p) {
  %sum = fadd float %a, %b
  %half = call i16 asm sideeffect "cvt.rn.bf16.f32 $0, $1;", "=h,f"(float %sum) convergent nounwind
  %other = fadd float %b, 1.0
  %moved = call float asm "shfl.sync.down.b32 $0, $1, 1, 31, -1;", "=f,f"(float %other) convergent nounwind memory(none)
  br i1 %c, label %wanting, label %end
wanting:
  store volatile i16 %half, ptr %p
  store volatile float %moved, ptr %p
  br label %end
end:
  ret void
}
