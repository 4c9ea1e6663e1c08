; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The threads behind a guard run in a loop without it, from the first of them on; the few others run behind it, without vectors.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK: br i1 %{{.*}}, label %x.whole, label %x
; CHECK: x.whole:
; CHECK-NEXT: [[X:%.*]] = phi i32 [ 0,
; CHECK-NEXT: add nuw nsw i32 [[X]], [[LOW:%.*]]
; CHECK: br i1 %{{.*}}, label %x.whole, label %others
; CHECK: others:
; CHECK: x.others:
; CHECK: br i1 %{{.*}}, label %x.others, label %{{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[NOT:![0-9]+]],
; CHECK: [[NOT]] = !{!"llvm.loop.vectorize.enable", i1 false}
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %low, i32 %high, i32 %first) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = add i32 %t, %first
  %from = icmp sge i32 %index, %low
  %to = icmp slt i32 %index, %high
  %in = and i1 %from, %to
  br i1 %in, label %inside, label %done
inside:
  %i = sext i32 %index to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %at
  br label %done
done:
  ret void
}
