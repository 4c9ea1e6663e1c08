; Blocks run equally often share a counter. A block skipped by
; `continue` has its own, though every way out of the kernel passes it.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; Entry and exit are one group, the loop's header another, the block after the condition a third.
; CHECK: kernel\090\09shared\09groups=16\0A
; CHECK-SAME: cost\090\090\09-\09-\090\09integer=2\09compare=1\0A
; CHECK-SAME: cost\090\091\09-\09-\090\09integer=1\0A
; CHECK-SAME: cost\090\092\09-\09-\090\09integer=1\09compare=1\0A
; CHECK-SAME: kernel\091\09diamond\09groups=16\0A
; CHECK-SAME: cost\091\090\09-\09-\090\09integer=4\0A
; CHECK-SAME: cost\091\091\09-\09-\090\09integer=1\0A
; CHECK-SAME: cost\091\092\09-\09-\090\09integer=2\0A
; CHECK-SAME: end
define ptx_kernel void @shared(i32 %n, i1 %c) {
entry:
  %first = add i32 %n, 1
  %d = icmp eq i32 %n, 3
  br label %header
header:
  %x = add i32 %n, 2
  br i1 %c, label %header, label %rest
rest:
  %y = add i32 %n, 3
  %e = icmp eq i32 %y, 4
  br i1 %e, label %header, label %out
out:
  %z = add i32 %n, 4
  ret void
}
define ptx_kernel void @diamond(i32 %n, i1 %c) {
entry:
  %a = add i32 %n, 1
  %b = add i32 %n, 2
  br i1 %c, label %left, label %right
left:
  %l = add i32 %n, 3
  br label %join
right:
  %r1 = add i32 %n, 4
  br label %right2
right2:
  %r2 = add i32 %n, 5
  br label %join
join:
  %e = add i32 %n, 6
  %f = add i32 %n, 7
  ret void
}
