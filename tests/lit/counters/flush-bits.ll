; Many counters of blocks that run at most once are bits of words: a warp adds up the 32 groups of a word at once, the threads of
; a part bit by bit.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count' -S %s -o %t.90
; RUN: %FileCheck %s < %t.90
; RUN: %py %S/Inputs/run_flush.py %t.90 flags bits:0:32 bits:32:9
; RUN: sed s/sm_90/sm_70/ %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count' -S -o %t.70
; RUN: %py %S/Inputs/run_flush.py %t.70 flags bits:0:32 bits:32:9
; A clone has one short text for whole warps and parts: its counters keep six bits.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>' -S %s | %FileCheck --check-prefix=CLONE %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @flags(
; CHECK: c35:
; The entry is the first group.
; CHECK: phi i32 [ 1, %entry ], {{.*}}[ 5, %c1 ]
; CHECK: shfl.sync.bfly
; CLONE: define ptx_kernel void @"flags$gpuprof_count"(
; CLONE-NOT: shfl
; CLONE: ret void
define ptx_kernel void @flags(ptr %p) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %tid, label %out [ i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11 i32 12, label %c12 i32 13, label %c13 i32 14, label %c14 i32 15, label %c15 i32 16, label %c16 i32 17, label %c17 i32 18, label %c18 i32 19, label %c19 i32 20, label %c20 i32 21, label %c21 i32 22, label %c22 i32 23, label %c23 i32 24, label %c24 i32 25, label %c25 i32 26, label %c26 i32 27, label %c27 i32 28, label %c28 i32 29, label %c29 i32 30, label %c30 i32 31, label %c31 i32 32, label %c32 i32 33, label %c33 i32 34, label %c34 i32 35, label %c35 i32 36, label %c36 i32 37, label %c37 i32 38, label %c38 i32 39, label %c39 ]
c0:
  store volatile i32 0, ptr %p
  br label %out
c1:
  store volatile i32 1, ptr %p
  br label %out
c2:
  store volatile i32 2, ptr %p
  br label %out
c3:
  store volatile i32 3, ptr %p
  br label %out
c4:
  store volatile i32 4, ptr %p
  br label %out
c5:
  store volatile i32 5, ptr %p
  br label %out
c6:
  store volatile i32 6, ptr %p
  br label %out
c7:
  store volatile i32 7, ptr %p
  br label %out
c8:
  store volatile i32 8, ptr %p
  br label %out
c9:
  store volatile i32 9, ptr %p
  br label %out
c10:
  store volatile i32 10, ptr %p
  br label %out
c11:
  store volatile i32 11, ptr %p
  br label %out
c12:
  store volatile i32 12, ptr %p
  br label %out
c13:
  store volatile i32 13, ptr %p
  br label %out
c14:
  store volatile i32 14, ptr %p
  br label %out
c15:
  store volatile i32 15, ptr %p
  br label %out
c16:
  store volatile i32 16, ptr %p
  br label %out
c17:
  store volatile i32 17, ptr %p
  br label %out
c18:
  store volatile i32 18, ptr %p
  br label %out
c19:
  store volatile i32 19, ptr %p
  br label %out
c20:
  store volatile i32 20, ptr %p
  br label %out
c21:
  store volatile i32 21, ptr %p
  br label %out
c22:
  store volatile i32 22, ptr %p
  br label %out
c23:
  store volatile i32 23, ptr %p
  br label %out
c24:
  store volatile i32 24, ptr %p
  br label %out
c25:
  store volatile i32 25, ptr %p
  br label %out
c26:
  store volatile i32 26, ptr %p
  br label %out
c27:
  store volatile i32 27, ptr %p
  br label %out
c28:
  store volatile i32 28, ptr %p
  br label %out
c29:
  store volatile i32 29, ptr %p
  br label %out
c30:
  store volatile i32 30, ptr %p
  br label %out
c31:
  store volatile i32 31, ptr %p
  br label %out
c32:
  store volatile i32 32, ptr %p
  br label %out
c33:
  store volatile i32 33, ptr %p
  br label %out
c34:
  store volatile i32 34, ptr %p
  br label %out
c35:
  store volatile i32 35, ptr %p
  br label %out
c36:
  store volatile i32 36, ptr %p
  br label %out
c37:
  store volatile i32 37, ptr %p
  br label %out
c38:
  store volatile i32 38, ptr %p
  br label %out
c39:
  store volatile i32 39, ptr %p
  br label %out
out:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
