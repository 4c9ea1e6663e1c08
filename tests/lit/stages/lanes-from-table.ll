; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The lane, threadIdx.x % 32, comes from a table, unless the thread has a loop of its own.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @lanes.body.cpu(
; CHECK: [[AT:%.*]] = getelementptr inbounds i32, ptr @gpuprof.lanes, i64
; CHECK: [[LANE:%.*]] = load i32, ptr [[AT]], {{.*}}!range
; CHECK: and i32 [[LANE]], 30
; CHECK-LABEL: define internal void @loops.body.cpu(
; CHECK-NOT: @gpuprof.lanes
; CHECK: and i32 %{{.*}}, 31
; CHECK-NOT: @gpuprof.lanes
; CHECK-LABEL: define internal void @lanes.body.cpu.one(
define ptx_kernel void @lanes(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 30
  %i = zext i32 %t to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 %lane, ptr addrspace(1) %at
  ret void
}

define ptx_kernel void @loops(ptr addrspace(1) %p, i32 %count) {
start:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  br label %loop
loop:
  %i = phi i32 [ %lane, %start ], [ %next, %loop ]
  %long = zext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %long
  store i32 1, ptr addrspace(1) %at
  %next = add i32 %i, 32
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %done
done:
  ret void
}
