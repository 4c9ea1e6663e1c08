; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The address of an element in a plane, some operations on a thread's index, is computed again behind a barrier: kept in an
; array, it would be a load of which nothing is known.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: define internal void @plane.body.cpu(
; CHECK-NOT: alloca [
; CHECK: store i32 2
; CHECK-LABEL: define internal void @plane.body.cpu.one(
define ptx_kernel void @plane(ptr addrspace(1) %p, i32 %first, i32 %width) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = add i32 %y, %first
  %start = mul i32 %row, %width
  %sum = add i32 %start, %x
  %i = sext i32 %sum to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %before = getelementptr i8, ptr addrspace(1) %at, i64 -4
  store i32 1, ptr addrspace(1) %at
  call void @llvm.nvvm.barrier0()
  store i32 2, ptr addrspace(1) %before
  ret void
}
