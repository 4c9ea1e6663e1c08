; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Shuffles that follow one another, and the arithmetic between them, are one loop over warps in front of the loop over
; threads. A warp's values are vectors; which lane takes part in a sum is known. Another way has lanes that are missing.
; RUN: %opt -load-pass-plugin=%optplugin "-passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,function(instcombine)" -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)

; CHECK-LABEL: define internal void @scan.body.cpu(
; CHECK: warp.whole:
; CHECK-NOT: icmp
; CHECK: shufflevector <32 x {{i32|float}}> %{{.*}}, <32 x {{i32|float}}> poison, <32 x i32> <i32 {{0|poison}}, i32 0, i32 1, i32 2,
; CHECK-NOT: icmp
; CHECK: shufflevector <32 x {{i32|float}}> %{{.*}}, <32 x {{i32|float}}> poison, <32 x i32> <i32 {{0|poison}}, i32 {{1|poison}}, i32 0, i32 1, i32 2,
; CHECK-NOT: icmp
; CHECK: store <32 x float>
; CHECK: warp.part:
; CHECK: [[LIVE:%.*]] = icmp ult <32 x i32>
; CHECK: select <32 x i1> [[LIVE]], <32 x {{i32|float}}> %{{.*}}, <32 x {{i32|float}}> zeroinitializer
; CHECK: warp.next:
; CHECK-NOT: gpuprof.lanes
define ptx_kernel void @scan(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %t
  %a = load float, ptr addrspace(1) %at
  %lane = and i32 %t, 31
  %a.bits = bitcast float %a to i32
  %a.moved = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %a.bits, i32 1, i32 0)
  %a.other = bitcast i32 %a.moved to float
  %a.sum = fadd float %a, %a.other
  %a.none = icmp ult i32 %lane, 1
  %b = select i1 %a.none, float %a, float %a.sum
  %b.bits = bitcast float %b to i32
  %b.moved = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %b.bits, i32 2, i32 0)
  %b.other = bitcast i32 %b.moved to float
  %b.sum = fadd float %b, %b.other
  %b.none = icmp ult i32 %lane, 2
  %c = select i1 %b.none, float %b, float %b.sum
  store float %c, ptr addrspace(1) %at
  ret void
}

; A store that other threads may see stays between two shuffles.
; CHECK-LABEL: define internal void @store.body.cpu(
; CHECK-NOT: shufflevector
; The words of a double move together.
; CHECK-LABEL: define internal void @words.body.cpu(
; CHECK: warp.whole:
; CHECK-NOT: zext <32
; CHECK: shufflevector <32 x {{i64|double}}>
; CHECK: shufflevector <32 x {{i64|double}}>
; CHECK: warp.part:
; CHECK-LABEL: define internal void @scan.body.cpu.one(
define ptx_kernel void @store(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %a = load i32, ptr addrspace(1) %at
  %b = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %a, i32 1, i32 0)
  store i32 %b, ptr addrspace(1) %at
  %c = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %b, i32 2, i32 0)
  store i32 %c, ptr addrspace(1) %at
  ret void
}

define ptx_kernel void @words(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr double, ptr addrspace(1) %p, i32 %t
  %a = load double, ptr addrspace(1) %at
  %a.bits = bitcast double %a to i64
  %a.low = trunc i64 %a.bits to i32
  %a.top = lshr i64 %a.bits, 32
  %a.high = trunc i64 %a.top to i32
  %b.low = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %a.low, i32 1, i32 0)
  %b.high = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %a.high, i32 1, i32 0)
  %b.low64 = zext i32 %b.low to i64
  %b.high64 = zext i32 %b.high to i64
  %b.top = shl i64 %b.high64, 32
  %b.bits = or i64 %b.low64, %b.top
  %b = bitcast i64 %b.bits to double
  %c = fadd double %a, %b
  %c.bits = bitcast double %c to i64
  %c.low = trunc i64 %c.bits to i32
  %c.top = lshr i64 %c.bits, 32
  %c.high = trunc i64 %c.top to i32
  %d.low = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %c.low, i32 2, i32 0)
  %d.high = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %c.high, i32 2, i32 0)
  %d.low64 = zext i32 %d.low to i64
  %d.high64 = zext i32 %d.high to i64
  %d.top = shl i64 %d.high64, 32
  %d.bits = or i64 %d.low64, %d.top
  %d = bitcast i64 %d.bits to double
  %sum = fadd double %c, %d
  store double %sum, ptr addrspace(1) %at
  ret void
}
