; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each warp loads one value, by the index of its warp: a strip of threads loads it once, also in the copy of the loop for
; rows with all threads. Only such loops without loops inside are made strips here.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-shared-memory,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-vectorize-lanes -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@part = internal addrspace(3) global [32 x float] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK-LABEL: define internal void @warps.body.cpu(
; CHECK: [[WARP:%.*]] = lshr i32 %{{.*}}, 5
; CHECK-COUNT-2: fadd <16 x float>
; CHECK-LABEL: define internal void @lanes.body.cpu(
define ptx_kernel void @warps(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 64
  %index = add i32 %first, %t
  %i = zext i32 %index to i64
  %at = getelementptr float, ptr addrspace(1) %out, i64 %i
  %inside = icmp slt i32 %index, %n
  br i1 %inside, label %in, label %end
in:
  %warp = lshr i32 %t, 5
  %w = zext i32 %warp to i64
  %from = getelementptr float, ptr addrspace(3) @part, i64 %w
  %a = load float, ptr addrspace(3) %from
  %b = load float, ptr addrspace(1) %at
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; CHECK-NOT: fadd <16 x float>
; CHECK-LABEL: define internal void @warps.body.cpu.one(
define ptx_kernel void @lanes(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = lshr i32 %t, 0
  %i = zext i32 %lane to i64
  %at = getelementptr float, ptr addrspace(1) %out, i64 %i
  %b = load float, ptr addrspace(1) %at
  %sum = fadd float %b, 1.0
  store float %sum, ptr addrspace(1) %at
  ret void
}
