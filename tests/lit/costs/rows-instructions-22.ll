; A row each: instructions of LLVM from 22 on.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
; REQUIRES: llvm-at-least-22
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of opcode.ptrtoaddr:
define void @opcode.ptrtoaddr(float %a, double %d, <2 x half> %h, <4 x bfloat> %b, i32 %i, <3 x i64> %v, i1 %p, ptr addrspace(1) %g, ptr addrspace(3) %s) {
  %1 = ptrtoaddr ptr addrspace(1) %g to i64
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}
