; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The entry of a kernel with rows runs a body of its own for blocks 16 and 32 wide, whose loops over a row have a known length.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-kernel-entries -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; CHECK-LABEL: define internal void @rows.block(
; CHECK: icmp eq i32 [[WIDTH:%.*]], 16
; CHECK: store i32 16,
; CHECK: call void @rows.body.cpu(
; CHECK: icmp eq i32 [[WIDTH]], 32
; CHECK: store i32 32,
; CHECK: call void @rows.body.cpu(
; CHECK: call void @rows.body.cpu(
; CHECK: ret void
define ptx_kernel void @rows(ptr addrspace(1) %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %y, 100
  %sum = add i32 %row, %x
  %i = sext i32 %sum to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: define internal void @row.block(
; CHECK-NOT: icmp eq i32 %{{.*}}, 16
; CHECK: call void @row.body.cpu(
; CHECK-NOT: call void @row.body.cpu(
; CHECK: ret void
define ptx_kernel void @row(ptr addrspace(1) %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %x to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %at
  ret void
}
