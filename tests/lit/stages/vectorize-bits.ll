; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A bit that a thread keeps across a barrier is a byte in memory: a strip of threads stores its bits as bytes.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-vectorize-lanes -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK: [[BITS:%.*]] = fcmp ogt <16 x float>
; CHECK: [[BYTES:%.*]] = zext <16 x i1> [[BITS]] to <16 x i8>
; CHECK: store <16 x i8> [[BYTES]],
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  br label %loop
loop:
  %r = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i64 %r, %n
  %at = add i64 %row, %t64
  %a = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %a
  %more = fadd float %sum, %x
  %next = add i64 %r, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %is = fcmp ogt float %more, 1.0
  call void @llvm.nvvm.barrier0()
  %y = select i1 %is, float 2.0, float 3.0
  %o = getelementptr float, ptr addrspace(1) %out, i64 %t64
  store float %y, ptr addrspace(1) %o
  ret void
}
