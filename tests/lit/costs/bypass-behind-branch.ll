; A copy that bypasses L1, in a short block behind a branch: ptxas may predicate it, and its counter is then wrong. The
; check allows none of a warp's lanes, or all. In other blocks the counter is right.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: expansions of copies:
; CHECK-NOT: expand
; CHECK: expand_bypass=16 : call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16; // behind a branch"
; CHECK-NOT: expand
define ptx_kernel void @copies(ptr %p, i32 %s, i1 %c) {
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16; // always", "r,l"(i32 %s, ptr %p)
  br i1 %c, label %then, label %end
then:
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16; // behind a branch", "r,l"(i32 %s, ptr %p)
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 16;", "r,l"(i32 %s, ptr %p)
  br label %end
end:
  ret void
}
