; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop over the threads of a row that compares their index with a uniform number is two loops for long rows, without the
; comparison: below the number, and from it on.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-vectorize-lanes,gpuprof-cpu-split-rows -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK: [[IS_SHORT:%.*]] = icmp ult i32 [[COUNT:%.*]], 64
; CHECK: br i1 [[IS_SHORT]], label %x, label %row.long
; CHECK: row.long:
; CHECK: [[CUT:%cut]] = trunc i64
; CHECK: row.rest:
; CHECK: x.below:
; CHECK: phi i32 [ 0, %row.long ]
; CHECK: select i1 false,
; CHECK: icmp ne i32 %{{.*}}, [[CUT]]
; CHECK: x.above:
; CHECK: phi i32 [ [[CUT]], %row.rest ]
; CHECK: select i1 true,
; CHECK: icmp ne i32 %{{.*}}, [[COUNT]]
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %at = getelementptr float, ptr addrspace(1) %out, i64 %i
  %a = load float, ptr addrspace(1) %at
  %twice = fadd float %a, %a
  %is = icmp uge i32 %t, %n
  %b = select i1 %is, float %twice, float %a
  store float %b, ptr addrspace(1) %at
  ret void
}
