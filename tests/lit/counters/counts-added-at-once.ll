; Counts of a loop that have no registers are added to memory where they count, and in no register besides: LLVM's GVN, which
; the code generator runs with -O3, would load an element of an array before the loop.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count' -S %s -o %t
; RUN: %opt -passes='gvn' -S %t -o %t.optimised
; RUN: %FileCheck %s <%t.optimised
target triple = "nvptx64-nvidia-cuda"

; Room for some counts is left.
; CHECK-LABEL: turn:
; CHECK-COUNT-13: phi i64
; CHECK-NOT: phi i64
; CHECK: activemask.b32 here;{{.*}}@one red.global.add.u64
; CHECK-NOT: phi i64
; CHECK: ret void
define ptx_kernel void @bounded(ptr %p) "target-cpu"="sm_90" "nvvm.maxntid"="512,2" "nvvm.minctasm"="2" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11 i32 12, label %c12 i32 13, label %c13 i32 14, label %c14 i32 15, label %c15 i32 16, label %c16 i32 17, label %c17 i32 18, label %c18 i32 19, label %c19]
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
out:
  ret void
}
