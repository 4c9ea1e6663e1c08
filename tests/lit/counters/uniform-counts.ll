; A count that is the same in all threads of a warp is multiplied by the number that adds together, and not summed; 32 bits where the number
; of turns proves that they are enough.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @uniform(
; CHECK: [[MASK:%.*]] = call i32 asm sideeffect "activemask.b32 $0;"
; CHECK: [[WHOLE:%.*]] = icmp eq i32 [[MASK]], -1
; CHECK: [[NUMBER:%.*]] = select i1 [[WHOLE]], i32 32, i32 1
; CHECK-NOT: redux
; CHECK: mul i32 1, [[NUMBER]]
; CHECK: [[TURNS:%.*]] = zext i32 %{{.*}} to i64
; CHECK: [[THREADS:%.*]] = zext i32 [[NUMBER]] to i64
; CHECK: mul i64 [[TURNS]], [[THREADS]]
; CHECK-NOT: redux
; CHECK: ret void
define ptx_kernel void @uniform(ptr addrspace(1) %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %m = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %out
out:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @differs(
; CHECK: call i32 @llvm.nvvm.redux.sync.add(i32 %{{.*}}, i32
; CHECK: ret void
define ptx_kernel void @differs(ptr addrspace(1) %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %m = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %out
out:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
