; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses without a pattern by one thread of each warp are recorded by calls: the launch needs no look through the map of sectors.
; Those of all threads are marked in the map.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-vectorize-lanes,gpuprof-cpu-sectors-of-accesses -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: define internal void @few.body.cpu(
; CHECK-NOT: @__gpuprof_cpu_sectors
; CHECK: call {{.*}}@__gpuprof_cpu_record_access(
; CHECK-NOT: @__gpuprof_cpu_sectors
; CHECK-LABEL: define internal void @all.body.cpu(
define ptx_kernel void @few(ptr addrspace(1) %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.barrier0()
  %lane = and i32 %x, 31
  %is = icmp eq i32 %lane, 0
  br i1 %is, label %inside, label %done
inside:
  %square = mul i32 %x, %x
  %i = zext i32 %square to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  br label %done
done:
  call void @llvm.nvvm.barrier0()
  ret void
}

; CHECK: @__gpuprof_cpu_sectors
; CHECK-LABEL: define internal void @few.body.cpu.one(
define ptx_kernel void @all(ptr addrspace(1) %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %square = mul i32 %x, %x
  %i = zext i32 %square to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  ret void
}
