; A row each: free and uncounted intrinsics of LLVM.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of intrinsic.fabs:
define void @intrinsic.fabs() {
  %r180 = call float @llvm.fabs.f32(float poison)
  %r181 = call double @llvm.fabs.f64(double poison)
  %r182 = call <2 x half> @llvm.fabs.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.copysign:
define void @intrinsic.copysign() {
  %r183 = call float @llvm.copysign.f32(float poison, float poison)
  %r184 = call double @llvm.copysign.f64(double poison, double poison)
  %r185 = call <2 x half> @llvm.copysign.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.annotation:
define void @intrinsic.annotation() {
  %r186 = call i32 @llvm.annotation.i32.p0(i32 poison, ptr poison, ptr poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ptr.annotation:
define void @intrinsic.ptr.annotation() {
  %r187 = call ptr @llvm.ptr.annotation.p0.p0(ptr poison, ptr poison, ptr poison, i32 poison, ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.var.annotation:
define void @intrinsic.var.annotation() {
  call void @llvm.var.annotation.p0.p0(ptr poison, ptr poison, ptr poison, i32 poison, ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.allow:
define void @intrinsic.allow() {
  %r189 = call i1 @llvm.allow.runtime.check(metadata !"x")
  ret void
}

; CHECK-NEXT: costs of intrinsic.arithmetic.fence:
define void @intrinsic.arithmetic.fence() {
  %r190 = call float @llvm.arithmetic.fence.f32(float poison)
  %r191 = call double @llvm.arithmetic.fence.f64(double poison)
  %r192 = call <2 x half> @llvm.arithmetic.fence.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.assume:
define void @intrinsic.assume() {
  call void @llvm.assume(i1 true)
  ret void
}

; CHECK-NEXT: costs of intrinsic.dbg:
define void @intrinsic.dbg() {
  call void @llvm.dbg.value(metadata i32 0, metadata !{}, metadata !{})
  ret void
}

; CHECK-NEXT: costs of intrinsic.debugtrap:
define void @intrinsic.debugtrap() {
  call void @llvm.debugtrap()
  ret void
}

; CHECK-NEXT: costs of intrinsic.donothing:
define void @intrinsic.donothing() {
  call void @llvm.donothing()
  ret void
}

; CHECK-NEXT: costs of intrinsic.sideeffect:
define void @intrinsic.sideeffect() {
  call void @llvm.sideeffect()
  ret void
}

; CHECK-NEXT: costs of intrinsic.trap:
define void @intrinsic.trap() {
  call void @llvm.trap()
  ret void
}

; CHECK-NEXT: costs of intrinsic.expect:
define void @intrinsic.expect() {
  %r199 = call i1 @llvm.expect.i1(i1 poison, i1 true)
  ret void
}

; CHECK-NEXT: costs of intrinsic.experimental.convergence:
define void @intrinsic.experimental.convergence() {
  %r200 = call token @llvm.experimental.convergence.anchor()
  ret void
}

; CHECK-NEXT: costs of intrinsic.experimental.noalias.scope.decl:
define void @intrinsic.experimental.noalias.scope.decl() {
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fake.use:
define void @intrinsic.fake.use(i32 %i) {
  call void (...) @llvm.fake.use(i32 %i)
  ret void
}

; CHECK-NEXT: costs of intrinsic.invariant:
define void @intrinsic.invariant() {
  %r202 = call ptr @llvm.invariant.start.p0(i64 8, ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.is.constant:
define void @intrinsic.is.constant() {
  %r203 = call i1 @llvm.is.constant.i32(i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.launder:
define void @intrinsic.launder() {
  %r204 = call ptr @llvm.launder.invariant.group.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.strip:
define void @intrinsic.strip() {
  %r205 = call ptr @llvm.strip.invariant.group.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.objectsize:
define void @intrinsic.objectsize() {
  %r206 = call i64 @llvm.objectsize.i64.p0(ptr poison, i1 false, i1 false, i1 false)
  ret void
}

; CHECK-NEXT: costs of intrinsic.prefetch:
define void @intrinsic.prefetch() {
  call void @llvm.prefetch.p0(ptr null, i32 0, i32 3, i32 1)
  ret void
}

; CHECK-NEXT: costs of intrinsic.pseudoprobe:
define void @intrinsic.pseudoprobe() {
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ptrmask:
define void @intrinsic.ptrmask() {
  %r209 = call ptr @llvm.ptrmask.p0.i64(ptr poison, i64 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.readcyclecounter:
define void @intrinsic.readcyclecounter() {
  %r210 = call i64 @llvm.readcyclecounter()
  ret void
}

; CHECK-NEXT: costs of intrinsic.readsteadycounter:
define void @intrinsic.readsteadycounter() {
  %r211 = call i64 @llvm.readsteadycounter()
  ret void
}

; CHECK-NEXT: costs of intrinsic.returnaddress:
define void @intrinsic.returnaddress() {
  %r212 = call ptr @llvm.returnaddress(i32 0)
  ret void
}

; CHECK-NEXT: costs of intrinsic.frameaddress:
define void @intrinsic.frameaddress() {
  %r213 = call ptr @llvm.frameaddress.p0(i32 0)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ssa:
define void @intrinsic.ssa() {
  %r214 = call i32 @llvm.ssa.copy.i32(i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.stacksave:
define void @intrinsic.stacksave() {
  %r215 = call ptr @llvm.stacksave.p0()
  ret void
}

; CHECK-NEXT: costs of intrinsic.stackrestore:
define void @intrinsic.stackrestore() {
  call void @llvm.stackrestore.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.threadlocal:
define void @intrinsic.threadlocal() {
  %r217 = call ptr @llvm.threadlocal.address.p0(ptr @variable)
  ret void
}

; CHECK-NEXT: costs of intrinsic.type.test:
define void @intrinsic.type.test() {
  %r218 = call i1 @llvm.type.test(ptr poison, metadata !"x")
  ret void
}

; CHECK-NEXT: costs of intrinsic.ubsantrap:
define void @intrinsic.ubsantrap() {
  call void @llvm.ubsantrap(i8 1)
  ret void
}

; CHECK-NEXT: costs of intrinsic.va_start:
define void @intrinsic.va_start(...) {
  call void @llvm.va_start.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.va_end:
define void @intrinsic.va_end() {
  call void @llvm.va_end.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.va_copy:
define void @intrinsic.va_copy() {
  call void @llvm.va_copy.p0(ptr poison, ptr poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.extract:
define void @intrinsic.vector.extract() {
  %r223 = call <2 x float> @llvm.vector.extract.v2f32.v4f32(<4 x float> poison, i64 0)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.insert:
define void @intrinsic.vector.insert() {
  %r224 = call <4 x float> @llvm.vector.insert.v4f32.v2f32(<4 x float> poison, <2 x float> poison, i64 0)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.interleave2:
define void @intrinsic.vector.interleave2() {
  %r225 = call <4 x float> @llvm.vector.interleave2.v4f32(<2 x float> poison, <2 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.deinterleave2:
define void @intrinsic.vector.deinterleave2() {
  %r226 = call { <2 x float>, <2 x float> } @llvm.vector.deinterleave2.v4f32(<4 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reverse:
define void @intrinsic.vector.reverse() {
  %r227 = call <4 x float> @llvm.vector.reverse.v4f32(<4 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.lifetime:
define void @intrinsic.lifetime() {
  %1 = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %1)
  call void @llvm.lifetime.end.p0(i64 4, ptr %1)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ldexp:
; CHECK-NEXT: {{^}} uncounted: call of llvm.ldexp.f32.i32 (what it is expanded to is not known here)
define void @intrinsic.ldexp() {
  %r228 = call float @llvm.ldexp.f32.i32(float poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.frexp:
; CHECK-NEXT: {{^}} uncounted: call of llvm.frexp.f32.i32 (what it is expanded to is not known here)
define void @intrinsic.frexp() {
  %r229 = call { float, i32 } @llvm.frexp.f32.i32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.modf:
; CHECK-NEXT: {{^}} uncounted: call of llvm.modf.f32 (what it is expanded to is not known here)
define void @intrinsic.modf() {
  %r230 = call { float, float } @llvm.modf.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sincos:
; CHECK-NEXT: {{^}} uncounted: call of llvm.sincos.f32 (what it is expanded to is not known here)
define void @intrinsic.sincos() {
  %r231 = call { float, float } @llvm.sincos.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sincospi:
; CHECK-NEXT: {{^}} uncounted: call of llvm.sincospi.f32 (what it is expanded to is not known here)
define void @intrinsic.sincospi() {
  %r232 = call { float, float } @llvm.sincospi.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.masked.expandload:
; CHECK-NEXT: {{^}} uncounted: call of llvm.masked.expandload.v2f32 (how many lanes take part is not known at compile time)
define void @intrinsic.masked.expandload() {
  %r233 = call <2 x float> @llvm.masked.expandload.v2f32(ptr poison, <2 x i1> poison, <2 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.masked.compressstore:
; CHECK-NEXT: {{^}} uncounted: call of llvm.masked.compressstore.v2f32 (how many lanes take part is not known at compile time)
define void @intrinsic.masked.compressstore() {
  call void @llvm.masked.compressstore.v2f32(<2 x float> poison, ptr poison, <2 x i1> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.matrix:
; CHECK-NEXT: {{^}} uncounted: call of llvm.matrix.transpose.v4f32 (it should have been lowered to loads, products and stores)
define void @intrinsic.matrix() {
  %r235 = call <4 x float> @llvm.matrix.transpose.v4f32(<4 x float> poison, i32 2, i32 2)
  ret void
}

; CHECK-NEXT: costs of intrinsic.load.relative:
; CHECK-NEXT: {{^}} uncounted: call of llvm.load.relative.i32 (it should have been lowered to a load)
define void @intrinsic.load.relative() {
  %r236 = call ptr @llvm.load.relative.i32(ptr poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vp:
; CHECK-NEXT: {{^}} uncounted: call of llvm.vp.fadd.v2f32 (how many lanes take part is not known at compile time)
define void @intrinsic.vp() {
  %r237 = call <2 x float> @llvm.vp.fadd.v2f32(<2 x float> poison, <2 x float> poison, <2 x i1> poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare float @llvm.fabs.f32(float)
declare double @llvm.fabs.f64(double)
declare <2 x half> @llvm.fabs.v2f16(<2 x half>)
declare float @llvm.copysign.f32(float, float)
declare double @llvm.copysign.f64(double, double)
declare <2 x half> @llvm.copysign.v2f16(<2 x half>, <2 x half>)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare i1 @llvm.allow.runtime.check(metadata)
declare float @llvm.arithmetic.fence.f32(float)
declare double @llvm.arithmetic.fence.f64(double)
declare <2 x half> @llvm.arithmetic.fence.v2f16(<2 x half>)
declare void @llvm.assume(i1)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.debugtrap()
declare void @llvm.donothing()
declare void @llvm.sideeffect()
declare void @llvm.trap()
declare i1 @llvm.expect.i1(i1, i1)
declare token @llvm.experimental.convergence.anchor()
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.fake.use(...)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare i1 @llvm.is.constant.i32(i32)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i64 @llvm.readcyclecounter()
declare i64 @llvm.readsteadycounter()
declare ptr @llvm.returnaddress(i32)
declare ptr @llvm.frameaddress.p0(i32)
declare i32 @llvm.ssa.copy.i32(i32)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i1 @llvm.type.test(ptr, metadata)
declare void @llvm.ubsantrap(i8)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare <2 x float> @llvm.vector.extract.v2f32.v4f32(<4 x float>, i64)
declare <4 x float> @llvm.vector.insert.v4f32.v2f32(<4 x float>, <2 x float>, i64)
declare <4 x float> @llvm.vector.interleave2.v4f32(<2 x float>, <2 x float>)
declare { <2 x float>, <2 x float> } @llvm.vector.deinterleave2.v4f32(<4 x float>)
declare <4 x float> @llvm.vector.reverse.v4f32(<4 x float>)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare float @llvm.ldexp.f32.i32(float, i32)
declare { float, i32 } @llvm.frexp.f32.i32(float)
declare { float, float } @llvm.modf.f32(float)
declare { float, float } @llvm.sincos.f32(float)
declare { float, float } @llvm.sincospi.f32(float)
declare <2 x float> @llvm.masked.expandload.v2f32(ptr, <2 x i1>, <2 x float>)
declare void @llvm.masked.compressstore.v2f32(<2 x float>, ptr, <2 x i1>)
declare <4 x float> @llvm.matrix.transpose.v4f32(<4 x float>, i32, i32)
declare ptr @llvm.load.relative.i32(ptr, i32)
declare <2 x float> @llvm.vp.fadd.v2f32(<2 x float>, <2 x float>, <2 x i1>, i32)
@variable = thread_local global i32 0
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
!3 = !{!1}
