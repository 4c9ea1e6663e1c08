; lop3 becomes as few operations as its table allows, since hashes are made of it.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @parity.cpu(i32 %a, i32 %b, i32 %c)
; CHECK-COUNT-2: xor i32
; CHECK-NEXT: ret i32
define i32 @parity(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "lop3.b32 $0, $1, $2, $3, 0x96;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; CHECK-LABEL: @majority.cpu(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: and i32
; CHECK-NEXT: xor i32
; CHECK-NEXT: and i32
; CHECK-NEXT: xor i32
; CHECK-NEXT: ret i32
define i32 @majority(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "lop3.b32 $0, $1, $2, $3, 0xe8;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

; Nothing of it is left where the table is a constant.
; CHECK-LABEL: @nothing.cpu(i32 %a, i32 %b, i32 %c)
; CHECK-NEXT: ret i32 0
define i32 @nothing(i32 %a, i32 %b, i32 %c) {
  %r = call i32 asm "lop3.b32 $0, $1, $2, $3, 0;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
  ret i32 %r
}

define ptx_kernel void @kernel() {
  %a = call i32 @parity(i32 1, i32 2, i32 3)
  %b = call i32 @majority(i32 1, i32 2, i32 3)
  %c = call i32 @nothing(i32 1, i32 2, i32 3)
  ret void
}
