; A row each: matrices of inline PTX, the share of one thread.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of ptx.mma:
; CHECK-NEXT: {{^}} tensor_fp16=128 mma_sync_fp16=128 :
; CHECK-NEXT: {{^}} tensor_bf16=64 mma_sync_bf16=64 :
; CHECK-NEXT: {{^}} tensor_tf32=64 mma_sync_tf32=64 :
; CHECK-NEXT: {{^}} tensor_fp64=16 mma_sync_fp64=16 :
; CHECK-NEXT: {{^}} tensor_fp8=256 mma_sync_fp8=256 :
; CHECK-NEXT: {{^}} tensor_int8=256 mma_sync_int8=256 :
; CHECK-NEXT: {{^}} tensor_int4=512 mma_sync_int4=512 :
; CHECK-NEXT: {{^}} tensor_int1=2048 mma_sync_int1=2048 :
; CHECK-NEXT: {{^}} tensor_fp16=64 mma_sync_fp16=64 :
; CHECK-NEXT: {{^}} tensor_fp8=256 mma_sync_fp8=256 :
; CHECK-NEXT: {{^}} tensor_fp4=512 mma_sync_fp4=512 :
; CHECK-NEXT: {{^}} tensor_fp16=128 mma_sync_fp16=128 :
; CHECK-NEXT: {{^}} uncounted: inline asm "mma.sync.aligned.m16n8kX.row.col.f32.f16.f16.f32" (not in the table of PTX instructions)
define void @ptx.mma(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  call void asm sideeffect "mma.sync.aligned.m16n8kX.row.col.f32.f16.f16.f32 {a,a,a,a}, {a,a,a,a}, {a,a}, {a,a,a,a};", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.wmma:
; CHECK-NEXT: {{^}} tensor_fp16=256 mma_sync_fp16=256 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} global_load=32 :
; CHECK-NEXT: {{^}} global_store=32 :
define void @ptx.wmma(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {a}, {a}, {a}, {a};", ""()
  call void asm sideeffect "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {a}, [p], 16;", ""()
  call void asm sideeffect "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {a}, [p], 16;", ""()
  call void asm sideeffect "wmma.store.d.sync.aligned.row.m32n8k16.global.f32 [p], {a}, 16;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.wgmma.mma_async:
; CHECK-NEXT: {{^}} tensor_bf16=2048 :
; CHECK-NEXT: {{^}} tensor_int8=256 :
; CHECK-NEXT: {{^}} tensor_fp8=256 :
; CHECK-NEXT: {{^}} tensor_tf32=2048 :
define void @ptx.wgmma.mma_async(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {a}, d, e, p, 1, 1, 0, 0;", ""()
  call void asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {a}, d, e, p;", ""()
  call void asm sideeffect "wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e4m3 {a}, d, e, m, 0, p, 1, 1;", ""()
  call void asm sideeffect "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {a}, d, e, p, 1, 1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.wgmma.fence:
define void @ptx.wgmma.fence(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.wgmma.commit_group:
define void @ptx.wgmma.commit_group(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.wgmma.wait_group:
define void @ptx.wgmma.wait_group(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "wgmma.wait_group.sync.aligned 0;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.ldmatrix:
; CHECK-NEXT: {{^}} shared_load=4 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} shared_load=16 :
define void @ptx.ldmatrix(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {a}, [p];", ""()
  call void asm sideeffect "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {a,b,c,d}, [p];", ""()
  call void asm sideeffect "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {a,b,c,d}, [p];", ""()
  call void asm sideeffect "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {a,b,c,d}, [p];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.stmatrix:
; CHECK-NEXT: {{^}} shared_store=8 :
define void @ptx.stmatrix(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "stmatrix.sync.aligned.m8n8.x2.shared.b16 [p], {a,b};", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.movmatrix:
define void @ptx.movmatrix(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "movmatrix.sync.aligned.m8n8.trans.b16 a, b;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.mma:
; CHECK-NEXT: {{^}} uncounted: inline asm "tcgen05.mma.cta_group::1.kind::f16" (its shape is in a descriptor that is not known at compile time)
define void @ptx.tcgen05.mma(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.mma.cta_group::1.kind::f16 [d], a, b, i, p;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.cp:
; CHECK-NEXT: {{^}} uncounted: inline asm "tcgen05.cp.cta_group::1.128x256b" (bytes between shared and tensor memory are not counted)
define void @ptx.tcgen05.cp(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.cp.cta_group::1.128x256b [d], s;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.ld:
define void @ptx.tcgen05.ld(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 {a}, [t];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.st:
define void @ptx.tcgen05.st(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.st.sync.aligned.32x32b.x1.b32 [t], {a};", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.shift:
define void @ptx.tcgen05.shift(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.shift.cta_group::1.down [t];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.alloc:
define void @ptx.tcgen05.alloc(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.dealloc:
define void @ptx.tcgen05.dealloc(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.dealloc.cta_group::1.sync.aligned.b32 t, 32;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.relinquish_alloc_permit:
define void @ptx.tcgen05.relinquish_alloc_permit(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.commit:
define void @ptx.tcgen05.commit(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [m];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.fence:
define void @ptx.tcgen05.fence(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.fence::after_thread_sync;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tcgen05.wait:
define void @ptx.tcgen05.wait(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tcgen05.wait::ld.sync.aligned;", ""()
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}
