; A row each: memory by NVVM. Sizes are known or said to be unknown.
; REQUIRES: llvm-at-least-17
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of nvvm.ldg:
; CHECK-NEXT: {{^}} global_load=4 global_uniform=4 :
define void @nvvm.ldg() {
  %r133 = call float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1) null, i32 4)
  ret void
}

; CHECK-NEXT: costs of nvvm.ldu:
; CHECK-NEXT: {{^}} global_load=8 global_uniform=8 :
define void @nvvm.ldu() {
  %r134 = call i64 @llvm.nvvm.ldu.global.i.i64.p1(ptr addrspace(1) null, i32 8)
  ret void
}

; CHECK-NEXT: costs of nvvm.atomic:
; CHECK-NEXT: {{^}} global_atomic=8 fp64_accumulate=1 :
; CHECK-NEXT: {{^}} shared_atomic=4 atomic_op=1 :
define void @nvvm.atomic() {
  %r135 = call double @llvm.nvvm.atomic.add.gen.f.cta.f64.p1(ptr addrspace(1) null, double poison)
  %r136 = call i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p3(ptr addrspace(3) null, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.st.bulk:
; CHECK-NEXT: {{^}} shared_store=64 :
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.st.bulk (its length is not known at compile time)
define void @nvvm.st.bulk() {
  call void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3) null, i64 64, i64 0)
  call void @llvm.nvvm.st.bulk(ptr null, i64 poison, i64 0)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async:
; CHECK-NEXT: {{^}} global_load=4 shared_store=4 :
; CHECK-NEXT: {{^}} global_load=8 shared_store=8 :
; CHECK-NEXT: {{^}} global_load=16 shared_store=16 :
; CHECK-NEXT: {{^}} global_load=16 shared_store=16 :
; CHECK-NEXT: {{^}} global_load=2 shared_store=8 :
; CHECK-NEXT: {{^}} global_load=16 shared_store=16 uncounted: call of llvm.nvvm.cp.async.cg.shared.global.16.s (counted as if all bytes were read, since its source size is not known at compile time)
define void @nvvm.cp.async() {
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) null, ptr addrspace(1) null)
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) null, ptr addrspace(1) null)
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) null, ptr addrspace(1) null)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) null, ptr addrspace(1) null)
  call void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3) null, ptr addrspace(1) null, i32 2)
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) null, ptr addrspace(1) null, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.commit:
define void @nvvm.cp.async.commit() {
  call void @llvm.nvvm.cp.async.commit.group()
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.wait:
define void @nvvm.cp.async.wait() {
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.nvvm.cp.async.wait.all()
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.mbarrier:
define void @nvvm.cp.async.mbarrier() {
  call void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3) poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.bulk:
; CHECK-NEXT: {{^}} global_load=256 shared_store=256 :
; CHECK-NEXT: {{^}} global_load=256 shared_store=256 :
; CHECK-NEXT: {{^}} shared_load=64 shared_store=64 :
; CHECK-NEXT: {{^}} shared_load=32 global_store=32 :
define void @nvvm.cp.async.bulk() {
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) null, ptr addrspace(3) null, ptr addrspace(1) null, i32 256, i16 0, i64 0, i1 false, i1 false)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) null, ptr addrspace(3) null, ptr addrspace(1) null, i32 256, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7) null, ptr addrspace(3) null, ptr addrspace(3) null, i32 64)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) null, ptr addrspace(3) null, i32 32, i64 0, i1 false)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.bulk.shared.cta.to.global.bytemask:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask (which bytes it copies is not known at compile time)
define void @nvvm.cp.async.bulk.shared.cta.to.global.bytemask() {
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask(ptr addrspace(1) null, ptr addrspace(3) null, i32 32, i64 0, i1 false, i16 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.bulk.commit:
define void @nvvm.cp.async.bulk.commit() {
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.bulk.wait:
define void @nvvm.cp.async.bulk.wait() {
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.bulk.prefetch:
define void @nvvm.cp.async.bulk.prefetch() {
  call void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1) null, i32 32, i64 0, i1 false)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.bulk.tensor:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d (its box is in a descriptor that is not known at compile time)
define void @nvvm.cp.async.bulk.tensor() {
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7) null, ptr addrspace(3) null, ptr null, i32 0, i16 0, i64 0, i1 false, i1 false, i32 0)
  ret void
}

; CHECK-NEXT: costs of nvvm.cp.async.bulk.tensor.prefetch:
define void @nvvm.cp.async.bulk.tensor.prefetch() {
  call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr null, i32 0, i64 0, i1 false)
  ret void
}

; CHECK-NEXT: costs of nvvm.tex:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.tex.unified.1d.v4f32.f32 (the bytes of a texture access are not known at compile time)
define void @nvvm.tex() {
  %r159 = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64 poison, float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.tld4:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.tld4.unified.r.2d.v4f32.f32 (the bytes of a texture access are not known at compile time)
define void @nvvm.tld4() {
  %r160 = call { float, float, float, float } @llvm.nvvm.tld4.unified.r.2d.v4f32.f32(i64 poison, float poison, float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.suld:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.suld.1d.i32.clamp (bytes of surfaces are not counted)
define void @nvvm.suld() {
  %r161 = call i32 @llvm.nvvm.suld.1d.i32.clamp(i64 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.sust:
; CHECK-NEXT: {{^}} uncounted: call of llvm.nvvm.sust.b.1d.i32.clamp (bytes of surfaces are not counted)
define void @nvvm.sust() {
  call void @llvm.nvvm.sust.b.1d.i32.clamp(i64 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare float @llvm.nvvm.ldg.global.f.f32.p1(ptr addrspace(1), i32)
declare i64 @llvm.nvvm.ldu.global.i.i64.p1(ptr addrspace(1), i32)
declare double @llvm.nvvm.atomic.add.gen.f.cta.f64.p1(ptr addrspace(1), double)
declare i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p3(ptr addrspace(3), i32, i32)
declare void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3), i64, i64)
declare void @llvm.nvvm.st.bulk(ptr, i64, i64)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3))
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask(ptr addrspace(1), ptr addrspace(3), i32, i64, i1, i16)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32)
declare void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i16, i64, i1, i1, i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr, i32, i64, i1)
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64, float)
declare { float, float, float, float } @llvm.nvvm.tld4.unified.r.2d.v4f32.f32(i64, float, float)
declare i32 @llvm.nvvm.suld.1d.i32.clamp(i64, i32)
declare void @llvm.nvvm.sust.b.1d.i32.clamp(i64, i32, i32)
