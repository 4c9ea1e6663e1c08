; Barriers and warp operations call the emulator; a kernel reaching one gets no loop over its block.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: ptr @kernel.thread, ptr null,
; CHECK-LABEL: define internal void @kernel.body.cpu(ptr %thread, ptr addrspace(3) %s)
; CHECK: call void @__gpuprof_cpu_barrier(ptr %thread, i32 3, i32 0)
; CHECK: call void @__gpuprof_cpu_barrier(ptr %thread, i32 1, i32 64)
; CHECK: [[OR:%.*]] = call i32 @__gpuprof_cpu_barrier_reduce(ptr %thread, i32 2, i32 1)
; CHECK: icmp ne i32 [[OR]], 0
; CHECK: call i32 @__gpuprof_cpu_barrier_reduce(ptr %thread, i32 0, i32 1)
; CHECK: call void @__gpuprof_cpu_syncwarp(ptr %thread, i32 -1)
; CHECK: [[WIDE:%.*]] = call i64 @__gpuprof_cpu_shuffle(ptr %thread, i32 2, i32 -1, i32 1065353216, i32 16, i32 31)
; CHECK: [[LOW:%.*]] = trunc i64 [[WIDE]] to i32
; CHECK: bitcast i32 [[LOW]] to float
; CHECK: [[PAIR:%.*]] = call i64 @__gpuprof_cpu_shuffle(ptr %thread, i32 3, i32 -1, i32 7, i32 0, i32 31)
; CHECK: [[HIGH:%.*]] = lshr i64 [[PAIR]], 32
; CHECK: trunc i64 [[HIGH]] to i1
; CHECK: call i32 @__gpuprof_cpu_vote(ptr %thread, i32 3, i32 -1, i32 1)
; CHECK: [[ANY:%.*]] = call i32 @__gpuprof_cpu_vote(ptr %thread, i32 1, i32 255, i32 1)
; CHECK: icmp ne i32 [[ANY]], 0
; CHECK: call i64 @__gpuprof_cpu_match(ptr %thread, i32 0, i32 -1, i64 5)
; The intrinsic has the value first, the entry the mask.
; CHECK: call i32 @__gpuprof_cpu_redux(ptr %thread, i32 2, i32 15, i32 9)
; CHECK: call i32 @__gpuprof_cpu_activemask(ptr %thread)
define ptx_kernel void @kernel(ptr addrspace(3) %s) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %or = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 true)
  %popc = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 true)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %f = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float 1.0, i32 16, i32 31)
  store float %f, ptr addrspace(3) %s
  %p = call { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32 -1, i32 7, i32 0, i32 31)
  %p1 = extractvalue { i32, i1 } %p, 1
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %any1 = call i1 @llvm.nvvm.vote.any.sync(i32 255, i1 true)
  %m = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 5)
  %r = call i32 @llvm.nvvm.redux.sync.umax(i32 9, i32 15)
  %a = call i32 @llvm.nvvm.activemask()
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.activemask()

; Reached through a function that is not inlined: no loop either.
; CHECK-NOT: @indirect.block
define void @helper() noinline {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define ptx_kernel void @indirect() {
  call void @helper()
  ret void
}
