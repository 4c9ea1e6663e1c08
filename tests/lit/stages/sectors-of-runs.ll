; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses at the index in the grid, in a kernel whose blocks do not merge, are recorded by the first of several blocks for all; others by
; each block.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: define internal void @grid.body.cpu(
; CHECK: [[AT:%.*]] = getelementptr inbounds {{(nuw )?}}%gpuprof_cpu_thread, ptr %thread, i32 0, i32 23
; CHECK-NEXT: [[BLOCKS:%.*]] = load i32, ptr [[AT]]
; CHECK: [[SOME:%.*]] = icmp ne i32 [[BLOCKS]], 0
; CHECK-NEXT: br i1 [[SOME]],
; CHECK: mul i32 %{{.*}}, [[BLOCKS]]
; CHECK: call {{.*}}@__gpuprof_cpu_record_row(
; CHECK-LABEL: define internal void @block.body.cpu(
define ptx_kernel void @grid(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %b, %n
  %sum = add i32 %start, %t
  %i = sext i32 %sum to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %at
  call void @llvm.nvvm.barrier0()
  ret void
}

; CHECK-NOT: i32 0, i32 23
; CHECK: call {{.*}}@__gpuprof_cpu_record_row(
; CHECK-LABEL: define internal void @grid.body.cpu.one(
define ptx_kernel void @block(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul i32 %b, %b
  %sum = add i32 %start, %t
  %i = sext i32 %sum to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %at
  call void @llvm.nvvm.barrier0()
  ret void
}
