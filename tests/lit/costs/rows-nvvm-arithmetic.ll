; A row each: arithmetic of NVVM. The types of half precision travel as integers up to LLVM 16.
; REQUIRES: llvm-at-least-17
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of nvvm.add:
; CHECK-NEXT: {{^}} fp32_add=1 :
; CHECK-NEXT: {{^}} fp32_add=1 :
; CHECK-NEXT: {{^}} fp64_add=1 :
define void @nvvm.add() {
  %r1 = call float @llvm.nvvm.add.rn.f(float poison, float poison)
  %r2 = call float @llvm.nvvm.add.rz.ftz.f(float poison, float poison)
  %r3 = call double @llvm.nvvm.add.rm.d(double poison, double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.mul:
; CHECK-NEXT: {{^}} fp32_mul=1 :
; CHECK-NEXT: {{^}} fp64_mul=1 :
define void @nvvm.mul() {
  %r4 = call float @llvm.nvvm.mul.rn.f(float poison, float poison)
  %r5 = call double @llvm.nvvm.mul.rp.d(double poison, double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.fma:
; CHECK-NEXT: {{^}} fp32_fma=1 :
; CHECK-NEXT: {{^}} fp64_fma=1 :
; CHECK-NEXT: {{^}} fp16_fma=1 :
; CHECK-NEXT: {{^}} fp16_fma=2 :
; CHECK-NEXT: {{^}} bf16_fma=1 :
; CHECK-NEXT: {{^}} bf16_fma=2 :
; CHECK-NEXT: {{^}} bf16_fma=2 :
define void @nvvm.fma() {
  %r6 = call float @llvm.nvvm.fma.rn.f(float poison, float poison, float poison)
  %r7 = call double @llvm.nvvm.fma.rz.d(double poison, double poison, double poison)
  %r8 = call half @llvm.nvvm.fma.rn.f16(half poison, half poison, half poison)
  %r9 = call <2 x half> @llvm.nvvm.fma.rn.relu.f16x2(<2 x half> poison, <2 x half> poison, <2 x half> poison)
  %r10 = call bfloat @llvm.nvvm.fma.rn.bf16(bfloat poison, bfloat poison, bfloat poison)
  %r11 = call <2 x bfloat> @llvm.nvvm.fma.rn.bf16x2(<2 x bfloat> poison, <2 x bfloat> poison, <2 x bfloat> poison)
  %r12 = call <2 x bfloat> @llvm.nvvm.fma.rn.relu.bf16x2(<2 x bfloat> poison, <2 x bfloat> poison, <2 x bfloat> poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.div:
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp64_div=1 :
define void @nvvm.div() {
  %r13 = call float @llvm.nvvm.div.rn.f(float poison, float poison)
  %r14 = call float @llvm.nvvm.div.approx.ftz.f(float poison, float poison)
  %r15 = call float @llvm.nvvm.div.full(float poison, float poison)
  %r16 = call double @llvm.nvvm.div.rz.d(double poison, double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.sqrt:
; CHECK-NEXT: {{^}} fp32_sqrt=1 :
; CHECK-NEXT: {{^}} fp32_sqrt=1 :
; CHECK-NEXT: {{^}} fp32_sqrt=1 :
; CHECK-NEXT: {{^}} fp64_sqrt=1 :
define void @nvvm.sqrt() {
  %r17 = call float @llvm.nvvm.sqrt.rn.f(float poison)
  %r18 = call float @llvm.nvvm.sqrt.approx.f(float poison)
  %r19 = call float @llvm.nvvm.sqrt.f(float poison)
  %r20 = call double @llvm.nvvm.sqrt.rp.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.rcp:
; CHECK-NEXT: {{^}} fp32_div=1 :
; CHECK-NEXT: {{^}} fp64_div=1 :
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=1 :
define void @nvvm.rcp() {
  %r21 = call float @llvm.nvvm.rcp.rn.f(float poison)
  %r22 = call double @llvm.nvvm.rcp.rz.d(double poison)
  %r23 = call float @llvm.nvvm.rcp.approx.ftz.f(float poison)
  %r24 = call double @llvm.nvvm.rcp.approx.ftz.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ex2:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=1 :
define void @nvvm.ex2() {
  %r25 = call float @llvm.nvvm.ex2.approx.f32(float poison)
  %r26 = call float @llvm.nvvm.ex2.approx.ftz.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.lg2:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=1 :
define void @nvvm.lg2() {
  %r27 = call float @llvm.nvvm.lg2.approx.f(float poison)
  %r28 = call double @llvm.nvvm.lg2.approx.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.sin:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=1 :
define void @nvvm.sin() {
  %r29 = call float @llvm.nvvm.sin.approx.f(float poison)
  %r30 = call float @llvm.nvvm.sin.approx.ftz.f(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.cos:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=1 :
define void @nvvm.cos() {
  %r31 = call float @llvm.nvvm.cos.approx.f(float poison)
  %r32 = call float @llvm.nvvm.cos.approx.ftz.f(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.rsqrt:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=1 :
define void @nvvm.rsqrt() {
  %r33 = call float @llvm.nvvm.rsqrt.approx.f(float poison)
  %r34 = call double @llvm.nvvm.rsqrt.approx.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.fmin:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.fmin() {
  %r35 = call float @llvm.nvvm.fmin.f(float poison, float poison)
  %r36 = call double @llvm.nvvm.fmin.d(double poison, double poison)
  %r37 = call <2 x half> @llvm.nvvm.fmin.ftz.nan.f16x2(<2 x half> poison, <2 x half> poison)
  %r38 = call float @llvm.nvvm.fmin.nan.xorsign.abs.f(float poison, float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.fmax:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.fmax() {
  %r39 = call float @llvm.nvvm.fmax.f(float poison, float poison)
  %r40 = call double @llvm.nvvm.fmax.d(double poison, double poison)
  %r41 = call <2 x half> @llvm.nvvm.fmax.ftz.nan.f16x2(<2 x half> poison, <2 x half> poison)
  %r42 = call float @llvm.nvvm.fmax.nan.xorsign.abs.f(float poison, float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.saturate:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.saturate() {
  %r43 = call float @llvm.nvvm.saturate.f(float poison)
  %r44 = call double @llvm.nvvm.saturate.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.bmsk:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.bmsk() {
  %r45 = call i32 @llvm.nvvm.bmsk.clamp(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.flo:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.flo() {
  %r46 = call i32 @llvm.nvvm.flo.s(i32 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of nvvm.fns:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.fns() {
  %r47 = call i32 @llvm.nvvm.fns(i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.fshl:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.fshl() {
  %r48 = call i32 @llvm.nvvm.fshl.clamp.i32(i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.fshr:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.fshr() {
  %r49 = call i32 @llvm.nvvm.fshr.clamp.i32(i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.idp2a:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.idp2a() {
  %r50 = call i32 @llvm.nvvm.idp2a.s.u(i32 poison, i32 poison, i1 false, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.idp4a:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.idp4a() {
  %r51 = call i32 @llvm.nvvm.idp4a.u.u(i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.mul24:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.mul24() {
  %r52 = call i32 @llvm.nvvm.mul24.i(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.mulhi:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.mulhi() {
  %r53 = call i32 @llvm.nvvm.mulhi.ui(i32 poison, i32 poison)
  %r54 = call i64 @llvm.nvvm.mulhi.ll(i64 poison, i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.prmt:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.prmt() {
  %r55 = call i32 @llvm.nvvm.prmt(i32 poison, i32 poison, i32 poison)
  %r56 = call i32 @llvm.nvvm.prmt.f4e(i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.rotate:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.rotate() {
  %r57 = call i64 @llvm.nvvm.rotate.b64(i64 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.sad:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.sad() {
  %r58 = call i32 @llvm.nvvm.sad.ui(i32 poison, i32 poison, i32 poison)
  %r59 = call i64 @llvm.nvvm.sad.ll(i64 poison, i64 poison, i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.sext:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.sext() {
  %r60 = call i32 @llvm.nvvm.sext.wrap(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.zext:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.zext() {
  %r61 = call i32 @llvm.nvvm.zext.clamp(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.redux.sync:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.redux.sync() {
  %r62 = call i32 @llvm.nvvm.redux.sync.add(i32 poison, i32 poison)
  %r63 = call i32 @llvm.nvvm.redux.sync.xor(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.redux.sync.max:
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.redux.sync.max() {
  %r64 = call i32 @llvm.nvvm.redux.sync.max(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.redux.sync.min:
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.redux.sync.min() {
  %r65 = call i32 @llvm.nvvm.redux.sync.min(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.redux.sync.umax:
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.redux.sync.umax() {
  %r66 = call i32 @llvm.nvvm.redux.sync.umax(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.redux.sync.umin:
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.redux.sync.umin() {
  %r67 = call i32 @llvm.nvvm.redux.sync.umin(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.redux.sync.fmax:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.redux.sync.fmax() {
  %r68 = call float @llvm.nvvm.redux.sync.fmax(float poison, i32 poison)
  %r69 = call float @llvm.nvvm.redux.sync.fmax.abs.NaN(float poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.redux.sync.fmin:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
define void @nvvm.redux.sync.fmin() {
  %r70 = call float @llvm.nvvm.redux.sync.fmin(float poison, i32 poison)
  %r71 = call float @llvm.nvvm.redux.sync.fmin.abs.NaN(float poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.fabs:
define void @nvvm.fabs() {
  %r72 = call float @llvm.nvvm.fabs.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.abs:
define void @nvvm.abs() {
  %r73 = call bfloat @llvm.nvvm.abs.bf16(bfloat poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.neg:
define void @nvvm.neg() {
  %r74 = call bfloat @llvm.nvvm.neg.bf16(bfloat poison)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare float @llvm.nvvm.add.rn.f(float, float)
declare float @llvm.nvvm.add.rz.ftz.f(float, float)
declare double @llvm.nvvm.add.rm.d(double, double)
declare float @llvm.nvvm.mul.rn.f(float, float)
declare double @llvm.nvvm.mul.rp.d(double, double)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare double @llvm.nvvm.fma.rz.d(double, double, double)
declare half @llvm.nvvm.fma.rn.f16(half, half, half)
declare <2 x half> @llvm.nvvm.fma.rn.relu.f16x2(<2 x half>, <2 x half>, <2 x half>)
declare bfloat @llvm.nvvm.fma.rn.bf16(bfloat, bfloat, bfloat)
declare <2 x bfloat> @llvm.nvvm.fma.rn.bf16x2(<2 x bfloat>, <2 x bfloat>, <2 x bfloat>)
declare <2 x bfloat> @llvm.nvvm.fma.rn.relu.bf16x2(<2 x bfloat>, <2 x bfloat>, <2 x bfloat>)
declare float @llvm.nvvm.div.rn.f(float, float)
declare float @llvm.nvvm.div.approx.ftz.f(float, float)
declare float @llvm.nvvm.div.full(float, float)
declare double @llvm.nvvm.div.rz.d(double, double)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.sqrt.f(float)
declare double @llvm.nvvm.sqrt.rp.d(double)
declare float @llvm.nvvm.rcp.rn.f(float)
declare double @llvm.nvvm.rcp.rz.d(double)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare double @llvm.nvvm.rcp.approx.ftz.d(double)
declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare double @llvm.nvvm.lg2.approx.d(double)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.sin.approx.ftz.f(float)
declare float @llvm.nvvm.cos.approx.f(float)
declare float @llvm.nvvm.cos.approx.ftz.f(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare double @llvm.nvvm.rsqrt.approx.d(double)
declare float @llvm.nvvm.fmin.f(float, float)
declare double @llvm.nvvm.fmin.d(double, double)
declare <2 x half> @llvm.nvvm.fmin.ftz.nan.f16x2(<2 x half>, <2 x half>)
declare float @llvm.nvvm.fmin.nan.xorsign.abs.f(float, float)
declare float @llvm.nvvm.fmax.f(float, float)
declare double @llvm.nvvm.fmax.d(double, double)
declare <2 x half> @llvm.nvvm.fmax.ftz.nan.f16x2(<2 x half>, <2 x half>)
declare float @llvm.nvvm.fmax.nan.xorsign.abs.f(float, float)
declare float @llvm.nvvm.saturate.f(float)
declare double @llvm.nvvm.saturate.d(double)
declare i32 @llvm.nvvm.bmsk.clamp(i32, i32)
declare i32 @llvm.nvvm.flo.s(i32, i1)
declare i32 @llvm.nvvm.fns(i32, i32, i32)
declare i32 @llvm.nvvm.fshl.clamp.i32(i32, i32, i32)
declare i32 @llvm.nvvm.fshr.clamp.i32(i32, i32, i32)
declare i32 @llvm.nvvm.idp2a.s.u(i32, i32, i1, i32)
declare i32 @llvm.nvvm.idp4a.u.u(i32, i32, i32)
declare i32 @llvm.nvvm.mul24.i(i32, i32)
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
declare i64 @llvm.nvvm.mulhi.ll(i64, i64)
declare i32 @llvm.nvvm.prmt(i32, i32, i32)
declare i32 @llvm.nvvm.prmt.f4e(i32, i32, i32)
declare i64 @llvm.nvvm.rotate.b64(i64, i32)
declare i32 @llvm.nvvm.sad.ui(i32, i32, i32)
declare i64 @llvm.nvvm.sad.ll(i64, i64, i64)
declare i32 @llvm.nvvm.sext.wrap(i32, i32)
declare i32 @llvm.nvvm.zext.clamp(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.redux.sync.xor(i32, i32)
declare i32 @llvm.nvvm.redux.sync.max(i32, i32)
declare i32 @llvm.nvvm.redux.sync.min(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umin(i32, i32)
declare float @llvm.nvvm.redux.sync.fmax(float, i32)
declare float @llvm.nvvm.redux.sync.fmax.abs.NaN(float, i32)
declare float @llvm.nvvm.redux.sync.fmin(float, i32)
declare float @llvm.nvvm.redux.sync.fmin.abs.NaN(float, i32)
declare float @llvm.nvvm.fabs.f32(float)
declare bfloat @llvm.nvvm.abs.bf16(bfloat)
declare bfloat @llvm.nvvm.neg.bf16(bfloat)
