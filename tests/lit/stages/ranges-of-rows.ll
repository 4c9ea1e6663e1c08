; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A guard for one row of a block runs as a loop over this row alone. Of a guard for one column and anything else, the column is
; the loop's range, and the rest a branch in it.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: define internal void @row.body.cpu(
; CHECK: enter:
; CHECK: {{^}}y{{[0-9]*}}:
; CHECK-NEXT: [[Y:%.*]] = phi i32 [ 0,
; CHECK-NEXT: add nuw nsw i32 %{{.*}}, [[Y]]
; CHECK: store i32 2
; CHECK-LABEL: define internal void @column.body.cpu(
define ptx_kernel void @row(ptr addrspace(1) %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %i = zext i32 %x to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  %is = icmp eq i32 %y, 3
  br i1 %is, label %inside, label %done
inside:
  store i32 2, ptr addrspace(1) %at
  br label %done
done:
  call void @llvm.nvvm.barrier0()
  ret void
}

; CHECK: enter:
; CHECK: [[OTHER:%.*]] = icmp sgt i32
; CHECK: guard:
; CHECK-NEXT: br i1 [[OTHER]],
; CHECK: store i32 2
; CHECK-LABEL: define internal void @row.body.cpu.one(
define ptx_kernel void @column(ptr addrspace(1) %p, i32 %first) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %x to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  %sum = add i32 %x, %first
  %other = icmp sgt i32 %sum, 0
  %is = icmp eq i32 %x, 0
  %both = and i1 %is, %other
  br i1 %both, label %inside, label %done
inside:
  store i32 2, ptr addrspace(1) %at
  br label %done
done:
  call void @llvm.nvvm.barrier0()
  ret void
}
