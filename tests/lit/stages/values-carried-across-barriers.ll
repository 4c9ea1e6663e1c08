; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A value that a loop with barriers carries on has one array, for its next and its current value. The other is that of the result.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: define internal void @carried.body.cpu(
; CHECK-COUNT-2: alloca [{{[0-9]+}} x float]
; CHECK-NOT: alloca [{{[0-9]+}} x float]
; CHECK-LABEL: define internal void @carried.body.cpu.one(
define ptx_kernel void @carried(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  store float 2.0, ptr addrspace(1) %q
  call void @llvm.nvvm.barrier0()
  %v = load float, ptr addrspace(1) %at
  %more = fadd float %sum, %v
  %next = add i32 %k, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %done, label %loop
done:
  %last = phi float [ %more, %loop ]
  store float %last, ptr addrspace(1) %at
  ret void
}
