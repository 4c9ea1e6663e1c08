; A row each: matrices by NVVM. matrix-products.test has every shape and type.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of nvvm.mma:
; CHECK-NEXT: {{^}} tensor_tf32=64 mma_sync_tf32=64 :
; CHECK-NEXT: {{^}} tensor_fp64=16 mma_sync_fp64=16 :
define void @nvvm.mma() {
  %r163 = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, float poison, float poison, float poison, float poison)
  %r164 = call { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double poison, double poison, double poison, double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.wmma:
; CHECK-NEXT: {{^}} global_load=16 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} global_load=16 :
; CHECK-NEXT: {{^}} shared_load=4 :
; CHECK-NEXT: {{^}} global_store=32 :
define void @nvvm.wmma() {
  %r165 = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1) null, i32 16)
  %r166 = call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m16n16k8.load.b.col.stride.tf32.p3(ptr addrspace(3) null, i32 16)
  %r167 = call { double, double } @llvm.nvvm.wmma.m8n8k4.load.c.row.stride.f64.p1(ptr addrspace(1) null, i32 16)
  %r168 = call i32 @llvm.nvvm.wmma.m8n8k128.load.a.row.stride.b1.p3(ptr addrspace(3) null, i32 128)
  call void @llvm.nvvm.wmma.m8n32k16.store.d.row.stride.f32.p1(ptr addrspace(1) null, float poison, float poison, float poison, float poison, float poison, float poison, float poison, float poison, i32 16)
  ret void
}

; CHECK-NEXT: costs of nvvm.ldmatrix:
; CHECK-NEXT: {{^}} shared_load=4 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} shared_load=8 :
define void @nvvm.ldmatrix() {
  %r170 = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) null)
  %r171 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) null)
  %r172 = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m16n16.x2.trans.b8.p3(ptr addrspace(3) null)
  %r173 = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n16.x2.b8x16.b6x16_p32.p3(ptr addrspace(3) null)
  ret void
}

; CHECK-NEXT: costs of nvvm.stmatrix:
; CHECK-NEXT: {{^}} shared_store=8 :
; CHECK-NEXT: {{^}} shared_store=16 :
define void @nvvm.stmatrix() {
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) null, i32 poison, i32 poison)
  call void @llvm.nvvm.stmatrix.sync.aligned.m16n8.x4.trans.b8.p3(ptr addrspace(3) null, i32 poison, i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.wgmma:
define void @nvvm.wgmma() {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.mma:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.tcgen05.mma.ws.unknown (its shape is in a descriptor that is not known at compile time)
define void @nvvm.tcgen05.mma() {
  call void @llvm.nvvm.tcgen05.mma.ws.unknown(ptr addrspace(6) null)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.cp:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.tcgen05.cp.128x128b.cg1 (bytes between shared and tensor memory are not counted)
define void @nvvm.tcgen05.cp() {
  call void @llvm.nvvm.tcgen05.cp.128x128b.cg1(ptr addrspace(6) null, i64 0)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.ld:
define void @nvvm.tcgen05.ld() {
  %r181 = call i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6) null, i1 false)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.st:
define void @nvvm.tcgen05.st() {
  call void @llvm.nvvm.tcgen05.st.32x32b.x1(ptr addrspace(6) null, i32 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.shift:
define void @nvvm.tcgen05.shift() {
  call void @llvm.nvvm.tcgen05.shift.down.cg1(ptr addrspace(6) null)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.alloc:
define void @nvvm.tcgen05.alloc() {
  call void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3) null, i32 32)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.dealloc:
define void @nvvm.tcgen05.dealloc() {
  call void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6) null, i32 32)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.relinq:
define void @nvvm.tcgen05.relinq() {
  call void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg1()
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.commit:
define void @nvvm.tcgen05.commit() {
  call void @llvm.nvvm.tcgen05.commit.shared.cg1(ptr addrspace(3) null)
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.fence:
define void @nvvm.tcgen05.fence() {
  call void @llvm.nvvm.tcgen05.fence.after.thread.sync()
  ret void
}

; CHECK-NEXT: costs of nvvm.tcgen05.wait:
define void @nvvm.tcgen05.wait() {
  call void @llvm.nvvm.tcgen05.wait.ld()
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32, i32, i32, i32, i32, i32, float, float, float, float)
declare { double, double } @llvm.nvvm.mma.m8n8k4.row.col.f64(double, double, double, double)
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1(ptr addrspace(1), i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.wmma.m16n16k8.load.b.col.stride.tf32.p3(ptr addrspace(3), i32)
declare { double, double } @llvm.nvvm.wmma.m8n8k4.load.c.row.stride.f64.p1(ptr addrspace(1), i32)
declare i32 @llvm.nvvm.wmma.m8n8k128.load.a.row.stride.b1.p3(ptr addrspace(3), i32)
declare void @llvm.nvvm.wmma.m8n32k16.store.d.row.stride.f32.p1(ptr addrspace(1), float, float, float, float, float, float, float, float, i32)
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m16n16.x2.trans.b8.p3(ptr addrspace(3))
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n16.x2.b8x16.b6x16_p32.p3(ptr addrspace(3))
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3), i32, i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m16n8.x4.trans.b8.p3(ptr addrspace(3), i32, i32, i32, i32)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
declare void @llvm.nvvm.tcgen05.mma.ws.unknown(ptr addrspace(6))
declare void @llvm.nvvm.tcgen05.cp.128x128b.cg1(ptr addrspace(6), i64)
declare i32 @llvm.nvvm.tcgen05.ld.32x32b.x1(ptr addrspace(6), i1)
declare void @llvm.nvvm.tcgen05.st.32x32b.x1(ptr addrspace(6), i32, i1)
declare void @llvm.nvvm.tcgen05.shift.down.cg1(ptr addrspace(6))
declare void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3), i32)
declare void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6), i32)
declare void @llvm.nvvm.tcgen05.relinq.alloc.permit.cg1()
declare void @llvm.nvvm.tcgen05.commit.shared.cg1(ptr addrspace(3))
declare void @llvm.nvvm.tcgen05.fence.after.thread.sync()
declare void @llvm.nvvm.tcgen05.wait.ld()
