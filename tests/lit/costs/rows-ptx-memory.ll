; A row each: memory by inline PTX. The opcode names the space, or else the operand.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of ptx.ld:
; CHECK-NEXT: {{^}} global_load=4 :
; CHECK-NEXT: {{^}} shared_load=16 :
; CHECK-NEXT: {{^}} shared_load=8 :
; CHECK-NEXT: {{^}} local_load=1 :
; CHECK-NEXT: {{^}} constant_load=16 :
; CHECK-NEXT: {{^}} constant_load=4 :
; CHECK-NEXT: {{^}} global_load=32 :
; CHECK-NEXT: {{^}} global_load=16 :
; CHECK-NEXT: {{^}} global_load=4 uncounted: generic address in inline PTX (its bytes are counted as global)
; CHECK-NEXT: {{^}} shared_load=4 :
; CHECK-NEXT: {{^}} global_load=4 :
define void @ptx.ld(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "ld.global.f32 a, [p];", ""()
  call void asm sideeffect "ld.volatile.shared.v4.u32 {a,b,c,d}, [p+16];", ""()
  call void asm sideeffect "ld.shared::cluster.b64 a, [p];", ""()
  call void asm sideeffect "ld.local.u8 a, [p];", ""()
  call void asm sideeffect "ld.const.v2.f64 {a,b}, [p];", ""()
  call void asm sideeffect "ld.param.u32 a, [p];", ""()
  call void asm sideeffect "ld.global.nc.L1::no_allocate.L2::256B.v8.f32 {a,b,c,d,e,f,g,h}, [p];", ""()
  call void asm sideeffect "ld.relaxed.gpu.global.b128 a, [p];", ""()
  call void asm sideeffect "ld.u32 a, [p];", ""()
  call void asm sideeffect "ld.f32 a, [$0];", "r"(ptr addrspace(3) %s)
  call void asm sideeffect "ld.f32 a, [$0+4];", "l"(ptr addrspace(1) %g)
  ret void
}

; CHECK-NEXT: costs of ptx.ldu:
; CHECK-NEXT: {{^}} global_load=8 :
define void @ptx.ldu(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "ldu.global.v2.f32 {a,b}, [p];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.st:
; CHECK-NEXT: {{^}} global_store=2 :
; CHECK-NEXT: {{^}} shared_store=8 :
; CHECK-NEXT: {{^}} shared_store=4 :
; CHECK-NEXT: {{^}} global_store=8 uncounted: generic address in inline PTX (its bytes are counted as global)
; CHECK-NEXT: {{^}} local_store=8 :
define void @ptx.st(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "st.global.wt.u16 [p], a;", ""()
  call void asm sideeffect "st.shared.v2.b32 [p], {a,b};", ""()
  call void asm sideeffect "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [p], a, [m];", ""()
  call void asm sideeffect "st.release.sys.u64 [p], a;", ""()
  call void asm sideeffect "st.local.f64 [$0], a;", "l"(ptr addrspace(1) %g)
  ret void
}

; CHECK-NEXT: costs of ptx.st.bulk:
; CHECK-NEXT: {{^}} shared_store=128 :
; CHECK-NEXT: {{^}} uncounted: inline asm "st.bulk.shared::cta" (its length is not known at compile time)
define void @ptx.st.bulk(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "st.bulk.weak.shared::cta [p], 128, 0;", ""()
  call void asm sideeffect "st.bulk.shared::cta [p], n, 0;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.atom:
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=1 :
; CHECK-NEXT: {{^}} shared_atomic=8 atomic_op=1 :
; CHECK-NEXT: {{^}} global_atomic=4 fp16_accumulate=2 :
; CHECK-NEXT: {{^}} global_atomic=16 fp32_accumulate=4 :
; CHECK-NEXT: {{^}} global_atomic=8 fp64_accumulate=1 :
; CHECK-NEXT: {{^}} global_atomic=16 atomic_op=1 uncounted: generic address in inline PTX (its bytes are counted as global)
define void @ptx.atom(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "atom.global.add.u32 a, [p], b;", ""()
  call void asm sideeffect "atom.shared.cas.b64 a, [p], b, c;", ""()
  call void asm sideeffect "atom.global.add.noftz.f16x2 a, [p], b;", ""()
  call void asm sideeffect "atom.global.v4.f32.add {a,b,c,d}, [p], {e,f,g,h};", ""()
  call void asm sideeffect "atom.add.f64 a, [$0], b;", "l"(ptr addrspace(1) %g)
  call void asm sideeffect "atom.exch.b128 a, [p], b;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.red:
; CHECK-NEXT: {{^}} global_atomic=4 atomic_op=1 :
; CHECK-NEXT: {{^}} shared_atomic=8 atomic_op=1 :
define void @ptx.red(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "red.release.gpu.global.add.s32 [p], a;", ""()
  call void asm sideeffect "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [p], a, [m];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async:
; CHECK-NEXT: {{^}} global_load=4 shared_store=4 :
; CHECK-NEXT: {{^}} global_load=16 shared_store=16 :
; CHECK-NEXT: {{^}} global_load=16 shared_store=16 :
; CHECK-NEXT: {{^}} shared_store=8 :
; CHECK-NEXT: {{^}} global_load=16 shared_store=16 :
; CHECK-NEXT: {{^}} global_load=16 shared_store=16 uncounted: inline asm "cp.async.ca.shared.global" (counted as if all bytes were read, since its source size is not known at compile time)
; CHECK-NEXT: {{^}} uncounted: inline asm "cp.async.ca.shared.global" (its length is not known at compile time)
define void @ptx.cp.async(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.ca.shared.global [s], [g], 4;", ""()
  call void asm sideeffect "cp.async.cg.shared::cta.global.L2::128B [s], [g], 16;", ""()
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2;", "r,l,n"(i32 %i, ptr addrspace(1) %g, i32 16)
  call void asm sideeffect "cp.async.ca.shared.global [s], [g], 8, 0;", ""()
  call void asm sideeffect "cp.async.cg.shared.global.L2::cache_hint [s], [g], 16, policy;", ""()
  call void asm sideeffect "cp.async.ca.shared.global [s], [g], 16, n;", ""()
  call void asm sideeffect "cp.async.ca.shared.global [s], [g], n;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.commit_group:
define void @ptx.cp.async.commit_group(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.commit_group;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.wait_group:
define void @ptx.cp.async.wait_group(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.wait_group 1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.wait_all:
define void @ptx.cp.async.wait_all(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.wait_all;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.mbarrier:
define void @ptx.cp.async.mbarrier(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.mbarrier.arrive.noinc.shared.b64 [m];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.bulk:
; CHECK-NEXT: {{^}} global_load=1024 shared_store=1024 :
; CHECK-NEXT: {{^}} shared_load=512 global_store=512 :
; CHECK-NEXT: {{^}} shared_load=64 shared_store=64 :
; CHECK-NEXT: {{^}} global_load=64 shared_store=64 uncounted: inline asm "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster" (counted as if one block received its bytes)
; CHECK-NEXT: {{^}} uncounted: inline asm "cp.async.bulk.global.shared::cta.bulk_group" (its length is not known at compile time)
define void @ptx.cp.async.bulk(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 1024, [m];", ""()
  call void asm sideeffect "cp.async.bulk.global.shared::cta.bulk_group [g], [s], $0;", "n"(i32 512)
  call void asm sideeffect "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s], [t], 64, [m];", ""()
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [g], 64, [m], k;", ""()
  call void asm sideeffect "cp.async.bulk.global.shared::cta.bulk_group [g], [s], $0;", "r"(i32 %i)
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.bulk.commit_group:
define void @ptx.cp.async.bulk.commit_group(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.bulk.commit_group;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.bulk.wait_group:
define void @ptx.cp.async.bulk.wait_group(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.bulk.wait_group.read 0;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.bulk.prefetch:
define void @ptx.cp.async.bulk.prefetch(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.bulk.prefetch.L2.global [g], 64;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.async.bulk.prefetch.tensor:
define void @ptx.cp.async.bulk.prefetch.tensor(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [t, {x, y}];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.reduce.async.bulk:
; CHECK-NEXT: {{^}} shared_load=256 global_atomic=256 fp32_accumulate=64 :
define void @ptx.cp.reduce.async.bulk(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [g], [s], 256;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cp.reduce.async.bulk.tensor:
; CHECK-NEXT: {{^}} uncounted: inline asm "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group" (its box is in a descriptor that is not known at compile time)
define void @ptx.cp.reduce.async.bulk.tensor(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [t, {x}], [s];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.multimem.ld_reduce:
; CHECK-NEXT: {{^}} global_load=16 :
define void @ptx.multimem.ld_reduce(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "multimem.ld_reduce.relaxed.gpu.global.add.v4.f16x2 {a,b,c,d}, [p];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.multimem.st:
; CHECK-NEXT: {{^}} global_store=4 :
define void @ptx.multimem.st(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "multimem.st.weak.global.f32 [p], a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.multimem.red:
; CHECK-NEXT: {{^}} global_atomic=8 atomic_op=1 :
define void @ptx.multimem.red(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "multimem.red.relaxed.gpu.global.add.u64 [p], a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.multimem:
; CHECK-NEXT: {{^}} uncounted: inline asm "multimem.cp.async.bulk.bulk_group.global.shared::cta" (bytes of multicast copies are not counted)
define void @ptx.multimem(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "multimem.cp.async.bulk.bulk_group.global.shared::cta [g], [s], 64;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tex:
; CHECK-NEXT: {{^}} uncounted: inline asm "tex.2d.v4.f32.f32" (the bytes of a texture access are not known at compile time)
define void @ptx.tex(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tex.2d.v4.f32.f32 {a,b,c,d}, [t, {x,y}];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tld4:
; CHECK-NEXT: {{^}} uncounted: inline asm "tld4.r.2d.v4.f32.f32" (the bytes of a texture access are not known at compile time)
define void @ptx.tld4(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tld4.r.2d.v4.f32.f32 {a,b,c,d}, [t, {x,y}];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.suld:
; CHECK-NEXT: {{^}} uncounted: inline asm "suld.b.1d.b32.trap" (bytes of surfaces are not counted)
define void @ptx.suld(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "suld.b.1d.b32.trap a, [t, {x}];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.sust:
; CHECK-NEXT: {{^}} uncounted: inline asm "sust.b.1d.b32.trap" (bytes of surfaces are not counted)
define void @ptx.sust(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "sust.b.1d.b32.trap a, [t, {x}];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.sured:
; CHECK-NEXT: {{^}} uncounted: inline asm "sured.b.add.1d.u32.trap" (bytes of surfaces are not counted)
define void @ptx.sured(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "sured.b.add.1d.u32.trap a, [t, {x}];", ""()
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}
