; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses behind a guard with a lower bound, as of the inner points of a stencil, are recorded once for a row of threads.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-vectorize-lanes,gpuprof-cpu-sectors-of-accesses -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Threads [low, high) of the row, from the lowest on.
; CHECK-LABEL: define internal void @inner.body.cpu(
; CHECK: [[LOW:%.*]] = call i64 @llvm.smax.i64(i64 0, i64
; CHECK: [[HIGH:%.*]] = call i64 @llvm.smin.i64(
; CHECK: [[SOME:%.*]] = sub i64 [[HIGH]], [[LOW]]
; CHECK: [[COUNT:%.*]] = call i64 @llvm.smax.i64(i64 [[SOME]], i64 0)
; CHECK: [[BYTES:%.*]] = mul i64 [[LOW]], 4
; CHECK: [[FIRST:%.*]] = getelementptr i8, ptr {{%.*}}, i64 [[BYTES]]
; CHECK: call {{.*}}@__gpuprof_cpu_record_row(ptr [[FIRST]], i64 4, i64 [[COUNT]], i64 4)
; CHECK-NOT: @__gpuprof_cpu_sectors
; CHECK: ret void
define ptx_kernel void @inner(ptr addrspace(1) %p, i32 %first, i32 %width) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %t, %first
  %above = icmp sgt i32 %x, 0
  %below = icmp slt i32 %x, %width
  %in = and i1 %above, %below
  br i1 %in, label %inside, label %done
inside:
  %i = sext i32 %x to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  br label %done
done:
  ret void
}

; All but one thread are a range if it is the first or the last.
; CHECK-LABEL: define internal void @others.body.cpu(
; CHECK: call {{.*}}@__gpuprof_cpu_record_row(
; CHECK: call {{.*}}@__gpuprof_cpu_record_access(
; CHECK-NOT: @__gpuprof_cpu_sectors
; CHECK: ret void
define ptx_kernel void @others(ptr addrspace(1) %p, i32 %one) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = icmp ne i32 %t, %one
  br i1 %other, label %inside, label %done
inside:
  %i = zext i32 %t to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  br label %done
done:
  ret void
}
