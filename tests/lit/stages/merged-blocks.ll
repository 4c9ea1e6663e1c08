; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that reads the indices of thread and block in their sum alone runs several blocks as one row; one that uses the
; thread's index otherwise does not.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-kernel-entries -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; The flags of the rows: 1 (all accesses told) and 2.
; CHECK: @__gpuprof_cpu_kernels ={{.*}} i64 3,{{.*}} i64 1,
; CHECK-LABEL: define internal void @sum.body.cpu(
; CHECK: getelementptr inbounds {{(nuw )?}}%gpuprof_cpu_thread, ptr %thread, i32 0, i32 23
define ptx_kernel void @sum(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %b, %n
  %sum = add i32 %start, %t
  %i = sext i32 %sum to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %at
  ret void
}

define ptx_kernel void @both(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %b, %n
  %sum = add i32 %start, %t
  %i = sext i32 %sum to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 %t, ptr addrspace(1) %at
  ret void
}
