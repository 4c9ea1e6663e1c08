; Intrinsics of copies by tensor maps, of sparse products and around products of warp groups: the emulator's calls, with their
; operands in their places.
; REQUIRES: llvm-22
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower,verify -S %s 2>%t.err | %FileCheck %s
; RUN: ! grep 'cannot run' %t.err
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @all.body.cpu
define ptx_kernel void @all(ptr %out, ptr %map, i32 %x, i32 %y, i32 %z, i16 %offset, i16 %blocks) {
  %shared = addrspacecast ptr %out to ptr addrspace(3)
  %cluster = addrspacecast ptr %out to ptr addrspace(7)
; CHECK: store i32 %x, ptr
; CHECK: store i32 %y, ptr
; CHECK: store i32 0, ptr
; CHECK: call void @__gpuprof_cpu_tensor_load(ptr %{{.*}}, i32 2, ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}}, i32 0)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %cluster, ptr addrspace(3) %shared, ptr %map, i32 %x, i32 %y, i16 0, i64 0, i1 false, i1 false, i32 0)
; CHECK: [[BLOCKS:%.*]] = zext i16 %blocks to i32
; CHECK: call void @__gpuprof_cpu_tensor_load(ptr %{{.*}}, i32 1, ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}}, i32 [[BLOCKS]])
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7) %cluster, ptr addrspace(3) %shared, ptr %map, i32 %x, i16 %blocks, i64 0, i1 true, i1 false, i32 0)
; The sixth word is the offset; 259 = 3 dimensions, by pixels.
; CHECK: [[OFFSET:%.*]] = zext i16 %offset to i32
; CHECK: [[SIXTH:%.*]] = getelementptr inbounds [8 x i32], ptr %{{.*}}, i32 0, i32 5
; CHECK-NEXT: store i32 [[OFFSET]], ptr [[SIXTH]]
; CHECK: call void @__gpuprof_cpu_tensor_load(ptr %{{.*}}, i32 259, ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}}, i32 0)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.im2col.3d(ptr addrspace(3) %shared, ptr addrspace(3) %shared, ptr %map, i32 %x, i32 %y, i32 %z, i16 %offset, i64 0, i1 false)
; CHECK: call void @__gpuprof_cpu_tensor_store(ptr %{{.*}}, i32 2, ptr %{{.*}}, ptr %{{.*}})
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) %shared, ptr %map, i32 %x, i32 %y, i64 0, i1 false)
; 35 = 3 dimensions, the smaller of both.
; CHECK: call void @__gpuprof_cpu_tensor_store(ptr %{{.*}}, i32 35, ptr %{{.*}}, ptr %{{.*}})
  call void @llvm.nvvm.cp.async.bulk.tensor.reduce.min.tile.3d(ptr addrspace(3) %shared, ptr %map, i32 %x, i32 %y, i32 %z, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr %map, i32 %x, i64 0, i1 false)
; CHECK-NOT: tensor_
; CHECK: [[Y:%.*]] = zext i32 %y to i64
; CHECK: call void @__gpuprof_cpu_tensor_replace(ptr %{{.*}}, i32 2, i32 1, i64 [[Y]])
  call void @llvm.nvvm.tensormap.replace.box.dim.p0(ptr %map, i32 1, i32 %y)
; CHECK: call void @__gpuprof_cpu_tensor_replace(ptr %{{.*}}, i32 8, i32 0, i64 3)
  call void @llvm.nvvm.tensormap.replace.swizzle.mode.p0(ptr %map, i32 3)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; Two registers of A, the metadata behind them, and two of B.
; CHECK: call [4 x i32] @mma.{{[0-9A-F]+}}.3.2.4.cpu(ptr %{{.*}}, i32 %x, i32 %y, i32 %z, i32 %x, i32 %y,
  %sums = call {i32, i32, i32, i32} @llvm.nvvm.mma.sp.m16n8k32.row.col.s8(i32 %x, i32 %y, i32 %x, i32 %y, i32 0, i32 0, i32 0, i32 0, i32 %z, i32 1)
  %sum = extractvalue {i32, i32, i32, i32} %sums, 0
  store i32 %sum, ptr %out
  ret void
}
