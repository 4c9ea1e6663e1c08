; Clusters of blocks: special registers from four fields of the thread's state; the
; emulator's barrier, shared memory of other blocks, and copies to several of them.
; REQUIRES: llvm-22
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower,verify -S %s 2>%t.err | %FileCheck %s
; RUN: ! grep 'cannot run' %t.err
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @all.body.cpu
define ptx_kernel void @all(ptr %out, ptr addrspace(1) %global, i32 %rank, i16 %mask) {
  %shared = addrspacecast ptr %out to ptr addrspace(3)
; CHECK: urem i32
  %inside = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.y()
  store volatile i32 %inside, ptr %out
; CHECK: udiv i32
  %cluster = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
  store volatile i32 %cluster, ptr %out
; CHECK: [[HIGH:%.*]] = mul i32
; CHECK: mul i32 {{.*}}, [[HIGH]]
  %size = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
  store volatile i32 %size, ptr %out
; CHECK: call void @__gpuprof_cpu_cluster_arrive(ptr %thread)
  call void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
; CHECK: call void @__gpuprof_cpu_cluster_wait(ptr %thread)
  call void @llvm.nvvm.barrier.cluster.wait()
; CHECK: call i64 @__gpuprof_cpu_cluster_map(ptr %thread, i64 {{.*}}, i32 %rank)
  %there = call ptr @llvm.nvvm.mapa(ptr %out, i32 %rank)
; CHECK: call i64 @__gpuprof_cpu_cluster_map(ptr %thread, i64 {{.*}}, i32 %rank)
  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %shared, i32 %rank)
; CHECK: load volatile i32, ptr addrspace(7)
  %value = load volatile i32, ptr addrspace(7) %far
  store volatile i32 %value, ptr %out
; CHECK: call i32 @__gpuprof_cpu_cluster_rank(ptr %thread, i64
  %of = call i32 @llvm.nvvm.getctarank(ptr %there)
  store volatile i32 %of, ptr %out
; CHECK: call i32 @__gpuprof_cpu_is_shared_of_cluster(ptr %thread, ptr
  %is = call i1 @llvm.nvvm.isspacep.shared.cluster(ptr %there)
  store volatile i1 %is, ptr %out
; CHECK: [[MASK:%.*]] = zext i16 %mask to i32
; CHECK: call void @__gpuprof_cpu_multicast(ptr %thread, ptr %{{.*}}, ptr %{{.*}}, i32 128, ptr %{{.*}}, i32 [[MASK]])
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %far, ptr addrspace(3) %shared, ptr addrspace(1) %global, i32 128, i16 %mask, i64 0, i1 true, i1 false)
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
declare void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
declare void @llvm.nvvm.barrier.cluster.wait()
declare ptr @llvm.nvvm.mapa(ptr, i32)
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare i32 @llvm.nvvm.getctarank(ptr)
declare i1 @llvm.nvvm.isspacep.shared.cluster(ptr)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
