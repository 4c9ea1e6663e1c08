; Matrix instructions: one thread's share of 2·m·n·k, by operand type; fragments move each matrix once.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of k:
; CHECK-NEXT: global_load=16 : %a =
; CHECK-NEXT: tensor_fp16=256 mma_sync_fp16=256 : %mma =
; CHECK-NEXT: global_store=32 : call void @llvm.nvvm.wmma
; CHECK-NEXT: tensor_bf16=128 mma_sync_bf16=128 : %bf16 =
; CHECK-NEXT: tensor_tf32=64 mma_sync_tf32=64 : %tf32 =
; CHECK-NEXT: tensor_fp64=16 mma_sync_fp64=16 : %fp64 =
; CHECK-NEXT: tensor_int8=256 mma_sync_int8=256 : %int8 =
; CHECK-NEXT: shared_load=16 : %rows =
; CHECK-NEXT: global_load=16 shared_store=16 : call void @llvm.nvvm.cp.async{{.*}}
; CHECK-NOT: {{^  [a-z]}}
define ptx_kernel void @k(ptr %p, ptr addrspace(3) %s, <2 x half> %h, float %f, i32 %i, double %d) {
  %a = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %p, i32 16)
  %mma = call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, float %f, float %f, float %f, float %f, float %f, float %f, float %f, float %f)
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %p, float %f, float %f, float %f, float %f, float %f, float %f, float %f, float %f, i32 16)
  %bf16 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, float %f, float %f, float %f, float %f)
  %tf32 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, float %f, float %f, float %f, float %f)
  %fp64 = call { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double %d, double %d, double %d, double %d)
  %int8 = call { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k32.row.col.s8(i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i)
  %rows = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %s)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %s, ptr addrspace(1) null)
  call void @llvm.nvvm.cp.async.commit.group()
  ret void
}
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr, i32)
declare { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.row.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float, float, float, float, float)
declare void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr, float, float, float, float, float, float, float, float, i32)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32, i32, i32, i32, i32, i32, float, float, float, float)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32, i32, i32, i32, i32, i32, float, float, float, float)
declare { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double, double, double, double)
declare { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k32.row.col.s8(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
