; Where a barrier may follow, each exit counts for itself: at a common block finished threads and waiting threads
; would wait for each other. Else exits share a place, and a warp adds its counts once.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @barrier(
; CHECK-COUNT-2: ret void
; CHECK-NOT: ret void
; CHECK-LABEL: define ptx_kernel void @plain(
; CHECK-COUNT-1: ret void
; CHECK-NOT: ret void
; CHECK-LABEL: define ptx_kernel void @one_thread_stores(
; CHECK-COUNT-1: ret void
; CHECK-NOT: ret void
; CHECK-LABEL: define ptx_kernel void @early_and_late(
; CHECK-COUNT-2: ret void
; CHECK-NOT: ret void
; CHECK-LABEL: define ptx_kernel void @out_of_a_loop(
; CHECK-COUNT-2: ret void
; CHECK-NOT: ret void
; CHECK-LABEL: define ptx_kernel void @shuffle_behind(
; CHECK-COUNT-2: ret void
; CHECK-NOT: ret void
; CHECK-LABEL: define ptx_kernel void @conversion(
; CHECK-COUNT-1: ret void
; CHECK-NOT: ret void
; CHECK-LABEL: define ptx_kernel void @unreadable(
; CHECK-COUNT-2: ret void
; CHECK-NOT: ret void
define ptx_kernel void @barrier(ptr %p, i1 %c) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %work
work:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
define ptx_kernel void @plain(ptr %p, i1 %c) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %work
work:
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
; As most reductions end.
define ptx_kernel void @one_thread_stores(ptr %p, i1 %c) "target-cpu"="sm_90" {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %out, label %work
work:
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
define ptx_kernel void @early_and_late(ptr %p, i1 %c, i1 %d) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %together
together:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %d, label %out, label %work
work:
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
; A thread may leave while others go to the barrier of the next turn.
define ptx_kernel void @out_of_a_loop(ptr %p, i32 %n) "target-cpu"="sm_90" {
  br label %turn
turn:
  %i = phi i32 [ 0, %0 ], [ %next, %more ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load volatile i32, ptr %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %out, label %more
more:
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %turn, label %out
out:
  ret void
}
define ptx_kernel void @shuffle_behind(ptr %p, i1 %c) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %work
work:
  call void asm sideeffect "shfl.sync.idx.b32 $0, $0, 0, 31, -1;", "r"(i32 0) convergent
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
; Clang marks every statement of PTX as convergent.
define ptx_kernel void @conversion(ptr %p, i1 %c, float %x) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %work
work:
  %h = call i16 asm "cvt.rn.bf16.f32 $0, $1;", "=h,f"(float %x) convergent
  store i16 %h, ptr %p
  br label %out
out:
  ret void
}
define ptx_kernel void @unreadable(ptr %p, i1 %c) "target-cpu"="sm_90" {
  br i1 %c, label %out, label %work
work:
  call void asm sideeffect "{ ?", ""() convergent
  store i32 0, ptr %p
  br label %out
out:
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
