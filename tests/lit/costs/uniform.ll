; Bytes of accesses with one address for the whole warp are also counted as uniform, and no others.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [1024 x float] undef
@indices = addrspace(1) global [16 x i32] zeroinitializer

; Arguments, values read alike by all threads of a block, and loads from there.
; CHECK-LABEL: costs of uniform:
; CHECK: global_load=4 global_uniform=4 : %argument =
; CHECK: shared_load=16 shared_uniform=16 : %block =
; CHECK: global_load=8 global_uniform=8 : %pointer =
; CHECK: global_load=4 global_uniform=4 : %chased =
; CHECK: shared_store=4 shared_uniform=4 : store float
; CHECK: global_load=32 global_uniform=32 shared_store=32 shared_uniform=32 : call void @llvm.memcpy
define ptx_kernel void @uniform(ptr %p, i32 %n) {
  %argument = load float, ptr %p
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %least = call i32 @llvm.umin.i32(i32 %ctaid, i32 %n)
  %block.address = getelementptr float, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 %least
  %block = load <4 x float>, ptr %block.address
  %pointer = load ptr, ptr %p
  %chased = load float, ptr %pointer
  store float %chased, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) @shared, ptr %p, i64 32, i1 false)
  ret void
}

; CHECK-LABEL: costs of divergent:
; CHECK-NOT: uniform
define ptx_kernel void @divergent(ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %any = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 0, i32 0, i32 31)
  %old = atomicrmw add ptr addrspace(1) @indices, i32 1 monotonic
  %a = getelementptr float, ptr %p, i32 %tid
  %by.tid = load i32, ptr %a
  %b = getelementptr float, ptr %p, i32 %lane
  store float 0.0, ptr %b
  %c = getelementptr float, ptr %p, i32 %old
  %by.ticket = load float, ptr %c
  %d = getelementptr float, ptr addrspace(3) @shared, i32 %by.tid
  %by.index = load float, ptr addrspace(3) %d
  %e = getelementptr float, ptr %p, i32 %any
  %by.shuffle = load float, ptr %e
  %slot = alloca i32
  store i32 %tid, ptr %slot
  %own = load i32, ptr %slot
  %f = getelementptr float, ptr %p, i32 %own
  %by.local = load float, ptr %f
  ret void
}

; Parameters of a function may differ by lane.
; CHECK-LABEL: costs of called:
; CHECK-NOT: uniform
define float @called(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  ret float %x
}

; CHECK-LABEL: costs of matrix:
; CHECK-NOT: uniform
; CHECK: shared_load=16 : %fragment =
define ptx_kernel void @matrix() {
  %fragment = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) @shared)
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare void @llvm.memcpy.p3.p0.i64(ptr addrspace(3), ptr, i64, i1)
declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
