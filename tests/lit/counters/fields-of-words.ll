; A word of counts has fields for neighbouring groups. A thread that adds alone tests those that the word has, and no field of a group
; that is counted elsewhere, as a loop's.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %py %S/Inputs/run_flush.py %t gaps packed:0:2 long:2
; RUN: %FileCheck %s <%t
; CHECK: SEPARATE:
; CHECK-SAME: and.b32 first, sum{{[0-9]+}}, 1;{{.*}}[row+0], wide;\0A\09and.b32 first, sum{{[0-9]+}}, 64;{{.*}}[row+8], wide;
; CHECK-NOT: , 4096;
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @gaps(ptr %p) "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i1, ptr %p
  br i1 %x, label %turn, label %pass
pass:
  %y = load volatile i1, ptr %p
  br i1 %y, label %more, label %out
more:
  store volatile i32 1, ptr %p
  br label %out
out:
  ret void
}
