; Of a called function's counters in loops few have registers, which are added at its end. The others are added to memory where they
; count: of many counters a call mostly needs few. A function with up to 16 has registers for all.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
target triple = "nvptx64-nvidia-cuda"

; Some are variables of the loop.
; CHECK: define internal void @called.gpuprof(
; CHECK: turn:
; CHECK-COUNT-4: phi i64
; CHECK-NOT: phi i64
; CHECK: c39:
; CHECK-NEXT: call void asm sideeffect "{{.*}}@one red.global.add.u64 [$0+{{[0-9]+}}], sum;{{.*}}", "l"(i64 %0)
; CHECK: store volatile i32 39
; CHECK: out:
; CHECK: ret void
define internal void @called(ptr %p) noinline "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11 i32 12, label %c12 i32 13, label %c13 i32 14, label %c14 i32 15, label %c15 i32 16, label %c16 i32 17, label %c17 i32 18, label %c18 i32 19, label %c19 i32 20, label %c20 i32 21, label %c21 i32 22, label %c22 i32 23, label %c23 i32 24, label %c24 i32 25, label %c25 i32 26, label %c26 i32 27, label %c27 i32 28, label %c28 i32 29, label %c29 i32 30, label %c30 i32 31, label %c31 i32 32, label %c32 i32 33, label %c33 i32 34, label %c34 i32 35, label %c35 i32 36, label %c36 i32 37, label %c37 i32 38, label %c38 i32 39, label %c39]
c0:
  store volatile i32 0, ptr %p
  br label %turn
c1:
  store volatile i32 1, ptr %p
  br label %turn
c2:
  store volatile i32 2, ptr %p
  br label %turn
c3:
  store volatile i32 3, ptr %p
  br label %turn
c4:
  store volatile i32 4, ptr %p
  br label %turn
c5:
  store volatile i32 5, ptr %p
  br label %turn
c6:
  store volatile i32 6, ptr %p
  br label %turn
c7:
  store volatile i32 7, ptr %p
  br label %turn
c8:
  store volatile i32 8, ptr %p
  br label %turn
c9:
  store volatile i32 9, ptr %p
  br label %turn
c10:
  store volatile i32 10, ptr %p
  br label %turn
c11:
  store volatile i32 11, ptr %p
  br label %turn
c12:
  store volatile i32 12, ptr %p
  br label %turn
c13:
  store volatile i32 13, ptr %p
  br label %turn
c14:
  store volatile i32 14, ptr %p
  br label %turn
c15:
  store volatile i32 15, ptr %p
  br label %turn
c16:
  store volatile i32 16, ptr %p
  br label %turn
c17:
  store volatile i32 17, ptr %p
  br label %turn
c18:
  store volatile i32 18, ptr %p
  br label %turn
c19:
  store volatile i32 19, ptr %p
  br label %turn
c20:
  store volatile i32 20, ptr %p
  br label %turn
c21:
  store volatile i32 21, ptr %p
  br label %turn
c22:
  store volatile i32 22, ptr %p
  br label %turn
c23:
  store volatile i32 23, ptr %p
  br label %turn
c24:
  store volatile i32 24, ptr %p
  br label %turn
c25:
  store volatile i32 25, ptr %p
  br label %turn
c26:
  store volatile i32 26, ptr %p
  br label %turn
c27:
  store volatile i32 27, ptr %p
  br label %turn
c28:
  store volatile i32 28, ptr %p
  br label %turn
c29:
  store volatile i32 29, ptr %p
  br label %turn
c30:
  store volatile i32 30, ptr %p
  br label %turn
c31:
  store volatile i32 31, ptr %p
  br label %turn
c32:
  store volatile i32 32, ptr %p
  br label %turn
c33:
  store volatile i32 33, ptr %p
  br label %turn
c34:
  store volatile i32 34, ptr %p
  br label %turn
c35:
  store volatile i32 35, ptr %p
  br label %turn
c36:
  store volatile i32 36, ptr %p
  br label %turn
c37:
  store volatile i32 37, ptr %p
  br label %turn
c38:
  store volatile i32 38, ptr %p
  br label %turn
c39:
  store volatile i32 39, ptr %p
  br label %turn
out:
  ret void
}
; CHECK: define internal void @smaller.gpuprof(
; CHECK: turn:
; CHECK-COUNT-14: phi i64
; CHECK-NOT: @one red
; CHECK: out:
define internal void @smaller(ptr %p) noinline "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11 i32 12, label %c12]
c0:
  store volatile i32 0, ptr %p
  br label %turn
c1:
  store volatile i32 1, ptr %p
  br label %turn
c2:
  store volatile i32 2, ptr %p
  br label %turn
c3:
  store volatile i32 3, ptr %p
  br label %turn
c4:
  store volatile i32 4, ptr %p
  br label %turn
c5:
  store volatile i32 5, ptr %p
  br label %turn
c6:
  store volatile i32 6, ptr %p
  br label %turn
c7:
  store volatile i32 7, ptr %p
  br label %turn
c8:
  store volatile i32 8, ptr %p
  br label %turn
c9:
  store volatile i32 9, ptr %p
  br label %turn
c10:
  store volatile i32 10, ptr %p
  br label %turn
c11:
  store volatile i32 11, ptr %p
  br label %turn
c12:
  store volatile i32 12, ptr %p
  br label %turn
out:
  ret void
}
define ptx_kernel void @caller(ptr %p) "target-cpu"="sm_90" {
  call void @called(ptr %p)
  call void @smaller(ptr %p)
  ret void
}
