; Counters of a loop have 32 bits if it ends by one condition on numbers of 32 bits, whatever the step: it never meets a number
; twice.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=inkernel>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @guarded(
; CHECK: call void asm sideeffect "{{.*}}", "l,r,r,r"(
define ptx_kernel void @guarded(ptr %p, i32 %first, i32 %step, i32 %n) "target-cpu"="sm_90" {
entry:
  %any = icmp slt i32 %first, %n
  br i1 %any, label %turn, label %out
turn:
  %i = phi i32 [ %first, %entry ], [ %next, %join ]
  %x = load volatile i32, ptr %p
  %c = icmp slt i32 %x, 7
  br i1 %c, label %yes, label %join
yes:
  store volatile i32 1, ptr %p
  br label %join
join:
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %turn, label %out
out:
  ret void
}

; Without the guard the first number may end the loop after 2^32 turns.
; CHECK-LABEL: define ptx_kernel void @unguarded(
; CHECK: call void asm sideeffect "{{.*}}", "l,r,l,l"(
define ptx_kernel void @unguarded(ptr %p, i32 %first, i32 %step, i32 %n) "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %i = phi i32 [ %first, %entry ], [ %next, %join ]
  %x = load volatile i32, ptr %p
  %c = icmp slt i32 %x, 7
  br i1 %c, label %yes, label %join
yes:
  store volatile i32 1, ptr %p
  br label %join
join:
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %turn, label %out
out:
  ret void
}

; A second way out may be taken in any turn, also after the sequence has begun anew.
; CHECK-LABEL: define ptx_kernel void @two_ends(
; CHECK: call void asm sideeffect "{{.*}}", "l,r,l,l,l"(
define ptx_kernel void @two_ends(ptr %p, i32 %first, i32 %step, i32 %n) "target-cpu"="sm_90" {
entry:
  %any = icmp slt i32 %first, %n
  br i1 %any, label %turn, label %out
turn:
  %i = phi i32 [ %first, %entry ], [ %next, %join ]
  %x = load volatile i32, ptr %p
  %c = icmp slt i32 %x, 7
  br i1 %c, label %yes, label %join
yes:
  store volatile i32 1, ptr %p
  %d = icmp eq i32 %x, 3
  br i1 %d, label %out, label %join
join:
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %turn, label %out
out:
  ret void
}
