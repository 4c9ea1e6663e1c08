; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A guard for one lane of each warp, or for the threads of one warp, runs as a loop over these threads alone, also where it
; uses what all threads have computed.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

; threadIdx.x % 32 == 5: from thread 5 on, 32 apart; the sum of all threads is kept in an array.
; CHECK-LABEL: define internal void @lanes.body.cpu(
; CHECK: enter:
; CHECK: [[APART:%.*]] = mul nuw nsw i32 %{{.*}}, 32
; CHECK-NEXT: add nuw nsw i32 %{{.*}}, [[APART]]
; CHECK: fmul float
define ptx_kernel void @lanes(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  %one = load float, ptr addrspace(1) %at
  %sum = fadd float %one, 1.0
  store float %sum, ptr addrspace(1) %at
  %lane = and i32 %t, 31
  %is = icmp eq i32 %lane, 5
  br i1 %is, label %inside, label %done
inside:
  %twice = fmul float %sum, 2.0
  %to = getelementptr float, ptr addrspace(1) %q, i64 %i
  store float %twice, ptr addrspace(1) %to
  br label %done
done:
  call void @llvm.nvvm.barrier0()
  ret void
}

; threadIdx.x / 32 == 2: threads [64, 96).
; CHECK-LABEL: define internal void @warp.body.cpu(
; CHECK: call i64 @llvm.umin.i64(i64 64,
; CHECK: call i64 @llvm.umin.i64(i64 96,
; CHECK-LABEL: define internal void @lanes.body.cpu.one(
define ptx_kernel void @warp(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %warp = lshr i32 %t, 5
  %is = icmp eq i32 %warp, 2
  br i1 %is, label %inside, label %done
inside:
  %to = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 1.0, ptr addrspace(1) %to
  br label %done
done:
  call void @llvm.nvvm.barrier0()
  ret void
}
