; The PTX at a kernel's end adds the exact sum of the threads' counts: in whole and partial
; warps, of one and several words, beyond the range of the warp sum.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count' -S %s -o %t.90
; RUN: %py %S/Inputs/run_flush.py %t.90 loops packed:0:3 long:3 ushort:4
; RUN: %py %S/Inputs/run_flush.py %t.90 words packed:0:5 packed:5:2
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone;twins>' -S %s -o %t.twin
; RUN: %py %S/Inputs/run_flush.py %t.twin '"loops$gpuprof_in_kernel"' packed:0:3 long:3 ushort:4 bound:800
; RUN: %py %S/Inputs/run_flush.py %t.twin '"words$gpuprof_count"' packed:0:5 packed:5:2
; RUN: sed s/sm_90/sm_70/ %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count' -S -o %t.70
; RUN: grep -c shfl.sync.bfly %t.70
; RUN: %py %S/Inputs/run_flush.py %t.70 loops packed:0:3 long:3 ushort:4
; RUN: %py %S/Inputs/run_flush.py %t.70 words packed:0:5 packed:5:2
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @loops(ptr %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp slt i32 %tid, %n
  br i1 %inside, label %body, label %other
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %x = load i32, ptr %p
  %more = icmp slt i32 %x, %tid
  br i1 %more, label %body, label %after
after:
  store i32 %i, ptr %p
  br label %other
other:
  %odd = icmp eq i32 %tid, 3
  br i1 %odd, label %once, label %turns
once:
  store i32 7, ptr %p
  br label %turns
turns:
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %turn
turn:
  %j = phi i32 [ 0, %turns ], [ %following, %turn ]
  store volatile i32 %j, ptr %p
  %following = add nuw nsw i32 %j, 1
  %again = icmp slt i32 %following, %m
  br i1 %again, label %turn, label %out
out:
  ret void
}

define ptx_kernel void @words(ptr %p) "target-cpu"="sm_90" {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %tid, label %out [ i32 0, label %a
                                i32 1, label %b
                                i32 2, label %c
                                i32 3, label %d
                                i32 4, label %e
                                i32 5, label %f ]
a:
  store volatile i32 0, ptr %p
  br label %out
b:
  store volatile i32 1, ptr %p
  br label %out
c:
  store volatile i32 2, ptr %p
  br label %out
d:
  store volatile i32 3, ptr %p
  br label %out
e:
  store volatile i32 4, ptr %p
  br label %out
f:
  store volatile i32 5, ptr %p
  br label %out
out:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
