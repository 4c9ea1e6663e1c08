; Blocks behind equal conditions share a counter, and so do loops with equal entries and
; iterations, also without a closed form. Equal conditions have values of one iteration of a loop.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; The two branches, spelled differently, are one group, and the two loops.
; CHECK: kernel\090\09twice\09groups=16\0A
; CHECK-SAME: cost\090\090\09-\09-\090\09compare=2\0A
; CHECK-SAME: cost\090\091\09-\09-\090\09integer=2\0A
; CHECK-SAME: cost\090\092\09-\09-\090\09integer=4\09compare=2\0A
; CHECK-SAME: kernel\091
define ptx_kernel void @twice(i32 %n, i32 %step, i32 %tid) {
entry:
  %c = icmp slt i32 %tid, %n
  br i1 %c, label %first, label %between
first:
  %x = add i32 %n, 1
  br label %loop1
loop1:
  %i = phi i32 [ %tid, %first ], [ %i.next, %loop1 ]
  %a = mul i32 %i, 3
  %i.next = add i32 %i, %step
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %loop1, label %between
between:
  %d = icmp sgt i32 %n, %tid
  br i1 %d, label %second, label %out
second:
  %y = add i32 %n, 2
  br label %loop2
loop2:
  %j = phi i32 [ %tid, %second ], [ %j.next, %loop2 ]
  %b = mul i32 %j, 5
  %j.next = add i32 %j, %step
  %j.more = icmp slt i32 %j.next, %n
  br i1 %j.more, label %loop2, label %out
out:
  ret void
}

; The loop's last i is another number than each turn's.
; CHECK-SAME: \09last\09groups=16\0A
; CHECK-SAME: cost\091\090\09-\09-\090\09compare=1\0A
; CHECK-SAME: cost\091\091\09-\09-\090\09integer=2\0A
; CHECK-SAME: cost\091\092\09-\09-\090\09integer=1\09compare=2\0A
; CHECK-SAME: cost\091\093\09-\09-\090\09integer=1\0A
; CHECK-SAME: end
define ptx_kernel void @last(i32 %n, i32 %step) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = icmp ult i32 %i, 7
  br i1 %c, label %inside, label %latch
inside:
  %a = mul i32 %i, 3
  br label %latch
latch:
  %i.next = add i32 %i, %step
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %loop, label %after
after:
  %d = icmp ult i32 %i, 7
  br i1 %d, label %behind, label %out
behind:
  %b = mul i32 %i, 5
  %e = mul i32 %i, 6
  br label %out
out:
  ret void
}
