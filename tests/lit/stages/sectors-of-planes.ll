; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses that depend on threadIdx.y too, behind guards of rows and columns, are recorded once for a plane of threads.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-vectorize-lanes,gpuprof-cpu-sectors-of-accesses -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; From one thread to the next 4 bytes, from one row to the next what the pitch says. Each thread by itself is for indices that
; wrap around. Rows with all threads in the range run in a loop without the guard.
; CHECK-LABEL: define internal void @plane.body.cpu(
; CHECK: z:
; CHECK: call {{.*}}@__gpuprof_cpu_record_rows(ptr %{{.*}}, i64 4, i64 %{{.*}}, i64 4, i64 %{{.*}}, i64 %{{.*}})
; CHECK: call {{.*}}@__gpuprof_cpu_record_access(
; CHECK: {{^}}y{{[0-9]*}}:
; CHECK: br i1 %{{.*}}, label %x{{[0-9]*}}.whole, label %x
; CHECK-NOT: call {{.*}}@__gpuprof_cpu_record
; CHECK: ret void
define ptx_kernel void @plane(ptr addrspace(1) %p, i32 %width, i32 %height, i32 %first) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %x = add i32 %tx, %first
  %y = add i32 %ty, %first
  %right = icmp slt i32 %x, %width
  %above = icmp sgt i32 %y, 0
  %below = icmp slt i32 %y, %height
  %rows = and i1 %above, %below
  %in = and i1 %right, %rows
  br i1 %in, label %inside, label %done
inside:
  %row = mul i32 %y, %width
  %sum = add i32 %row, %x
  %i = sext i32 %sum to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  br label %done
done:
  ret void
}

; A guard of the sum of both indices is none of rows or columns: recorded once for each row.
; CHECK-LABEL: define internal void @sums.body.cpu(
; CHECK-NOT: @__gpuprof_cpu_record_rows
; CHECK: {{^}}y{{[0-9]*}}:
; CHECK: call {{.*}}@__gpuprof_cpu_record_row(
; CHECK: ret void
define ptx_kernel void @sums(ptr addrspace(1) %p, i32 %width, i32 %count) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %y, %width
  %sum = add i32 %row, %x
  %in = icmp slt i32 %sum, %count
  br i1 %in, label %inside, label %done
inside:
  %i = sext i32 %sum to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  br label %done
done:
  ret void
}
