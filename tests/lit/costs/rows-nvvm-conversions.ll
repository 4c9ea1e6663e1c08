; A row each: conversions of NVVM. Packed ones count each element.
; REQUIRES: llvm-at-least-17
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of nvvm.floor:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.floor() {
  %r75 = call float @llvm.nvvm.floor.f(float poison)
  %r76 = call float @llvm.nvvm.floor.ftz.f(float poison)
  %r77 = call double @llvm.nvvm.floor.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ceil:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.ceil() {
  %r78 = call float @llvm.nvvm.ceil.f(float poison)
  %r79 = call float @llvm.nvvm.ceil.ftz.f(float poison)
  %r80 = call double @llvm.nvvm.ceil.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.trunc:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.trunc() {
  %r81 = call float @llvm.nvvm.trunc.f(float poison)
  %r82 = call float @llvm.nvvm.trunc.ftz.f(float poison)
  %r83 = call double @llvm.nvvm.trunc.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.round:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.round() {
  %r84 = call float @llvm.nvvm.round.f(float poison)
  %r85 = call float @llvm.nvvm.round.ftz.f(float poison)
  %r86 = call double @llvm.nvvm.round.d(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.d2f:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.d2f() {
  %r87 = call float @llvm.nvvm.d2f.rn(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.d2i:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.d2i() {
  %r88 = call i32 @llvm.nvvm.d2i.rz(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.d2i.hi:
define void @nvvm.d2i.hi() {
  %r89 = call i32 @llvm.nvvm.d2i.hi(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.d2i.lo:
define void @nvvm.d2i.lo() {
  %r90 = call i32 @llvm.nvvm.d2i.lo(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.d2ll:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.d2ll() {
  %r91 = call i64 @llvm.nvvm.d2ll.rn(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.d2ui:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.d2ui() {
  %r92 = call i32 @llvm.nvvm.d2ui.rn(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.d2ull:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.d2ull() {
  %r93 = call i64 @llvm.nvvm.d2ull.rn(double poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2i:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2i() {
  %r94 = call i32 @llvm.nvvm.f2i.rn(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2ll:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2ll() {
  %r95 = call i64 @llvm.nvvm.f2ll.rn(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2ui:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2ui() {
  %r96 = call i32 @llvm.nvvm.f2ui.rn(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2ull:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2ull() {
  %r97 = call i64 @llvm.nvvm.f2ull.rn(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2bf16:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2bf16() {
  %r98 = call bfloat @llvm.nvvm.f2bf16.rn(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2f16:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2f16() {
  %r99 = call half @llvm.nvvm.f2f16.rn(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2h:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2h() {
  %r100 = call i16 @llvm.nvvm.f2h.rn(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f2tf32:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.f2tf32() {
  %r101 = call i32 @llvm.nvvm.f2tf32.rna(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ff:
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=2 :
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.ff() {
  %r102 = call i16 @llvm.nvvm.ff.to.e4m3x2.rn(float poison, float poison)
  %r103 = call i16 @llvm.nvvm.ff.to.e5m2x2.rn.relu(float poison, float poison)
  %r104 = call i16 @llvm.nvvm.ff.to.e2m3x2.rn.satfinite(float poison, float poison)
  %r105 = call i16 @llvm.nvvm.ff.to.e3m2x2.rn.satfinite(float poison, float poison)
  %r106 = call i16 @llvm.nvvm.ff.to.e2m1x2.rn.satfinite(float poison, float poison)
  %r107 = call i16 @llvm.nvvm.ff.to.ue8m0x2.rz(float poison, float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ff2bf16x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.ff2bf16x2() {
  %r108 = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float poison, float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ff2f16x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.ff2f16x2() {
  %r109 = call <2 x half> @llvm.nvvm.ff2f16x2.rz.relu(float poison, float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f32x4:
; CHECK-NEXT: {{^}} convert=4 :
; CHECK-NEXT: {{^}} convert=4 :
define void @nvvm.f32x4() {
  %r110 = call <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float> poison, i32 poison)
  %r111 = call i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.satfinite(<4 x float> poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.bf2h:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.bf2h() {
  %r112 = call i16 @llvm.nvvm.bf2h.rn(bfloat poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.bf16x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.bf16x2() {
  %r113 = call i16 @llvm.nvvm.bf16x2.to.ue8m0x2.rz(<2 x bfloat> poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.f16x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.f16x2() {
  %r114 = call i16 @llvm.nvvm.f16x2.to.e4m3x2.rn(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.e4m3x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.e4m3x2() {
  %r115 = call <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.e5m2x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.e5m2x2() {
  %r116 = call <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.e2m3x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.e2m3x2() {
  %r117 = call <2 x half> @llvm.nvvm.e2m3x2.to.f16x2.rn(i16 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.e3m2x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.e3m2x2() {
  %r118 = call <2 x half> @llvm.nvvm.e3m2x2.to.f16x2.rn(i16 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.e2m1x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.e2m1x2() {
  %r119 = call <2 x half> @llvm.nvvm.e2m1x2.to.f16x2.rn(i16 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ue8m0x2:
; CHECK-NEXT: {{^}} convert=2 :
define void @nvvm.ue8m0x2() {
  %r120 = call <2 x bfloat> @llvm.nvvm.ue8m0x2.to.bf16x2(i16 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.i2d:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.i2d() {
  %r121 = call double @llvm.nvvm.i2d.rn(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.i2f:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.i2f() {
  %r122 = call float @llvm.nvvm.i2f.rn(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ll2d:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.ll2d() {
  %r123 = call double @llvm.nvvm.ll2d.rn(i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ll2f:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.ll2f() {
  %r124 = call float @llvm.nvvm.ll2f.rn(i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ui2d:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.ui2d() {
  %r125 = call double @llvm.nvvm.ui2d.rn(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ui2f:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.ui2f() {
  %r126 = call float @llvm.nvvm.ui2f.rn(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ull2d:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.ull2d() {
  %r127 = call double @llvm.nvvm.ull2d.rn(i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ull2f:
; CHECK-NEXT: {{^}} convert=1 :
define void @nvvm.ull2f() {
  %r128 = call float @llvm.nvvm.ull2f.rn(i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.bitcast:
define void @nvvm.bitcast() {
  %r129 = call i32 @llvm.nvvm.bitcast.f2i(float poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.lohi:
define void @nvvm.lohi() {
  %r130 = call double @llvm.nvvm.lohi.i2d(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.move:
define void @nvvm.move() {
  %r131 = call i32 @llvm.nvvm.move.i32(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.swap:
; CHECK-NEXT: {{^}} integer=1 :
define void @nvvm.swap() {
  %r132 = call i64 @llvm.nvvm.swap.lo.hi.b64(i64 poison)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare float @llvm.nvvm.floor.f(float)
declare float @llvm.nvvm.floor.ftz.f(float)
declare double @llvm.nvvm.floor.d(double)
declare float @llvm.nvvm.ceil.f(float)
declare float @llvm.nvvm.ceil.ftz.f(float)
declare double @llvm.nvvm.ceil.d(double)
declare float @llvm.nvvm.trunc.f(float)
declare float @llvm.nvvm.trunc.ftz.f(float)
declare double @llvm.nvvm.trunc.d(double)
declare float @llvm.nvvm.round.f(float)
declare float @llvm.nvvm.round.ftz.f(float)
declare double @llvm.nvvm.round.d(double)
declare float @llvm.nvvm.d2f.rn(double)
declare i32 @llvm.nvvm.d2i.rz(double)
declare i32 @llvm.nvvm.d2i.hi(double)
declare i32 @llvm.nvvm.d2i.lo(double)
declare i64 @llvm.nvvm.d2ll.rn(double)
declare i32 @llvm.nvvm.d2ui.rn(double)
declare i64 @llvm.nvvm.d2ull.rn(double)
declare i32 @llvm.nvvm.f2i.rn(float)
declare i64 @llvm.nvvm.f2ll.rn(float)
declare i32 @llvm.nvvm.f2ui.rn(float)
declare i64 @llvm.nvvm.f2ull.rn(float)
declare bfloat @llvm.nvvm.f2bf16.rn(float)
declare half @llvm.nvvm.f2f16.rn(float)
declare i16 @llvm.nvvm.f2h.rn(float)
declare i32 @llvm.nvvm.f2tf32.rna(float)
declare i16 @llvm.nvvm.ff.to.e4m3x2.rn(float, float)
declare i16 @llvm.nvvm.ff.to.e5m2x2.rn.relu(float, float)
declare i16 @llvm.nvvm.ff.to.e2m3x2.rn.satfinite(float, float)
declare i16 @llvm.nvvm.ff.to.e3m2x2.rn.satfinite(float, float)
declare i16 @llvm.nvvm.ff.to.e2m1x2.rn.satfinite(float, float)
declare i16 @llvm.nvvm.ff.to.ue8m0x2.rz(float, float)
declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float, float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rz.relu(float, float)
declare <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float>, i32)
declare i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.satfinite(<4 x float>, i32)
declare i16 @llvm.nvvm.bf2h.rn(bfloat)
declare i16 @llvm.nvvm.bf16x2.to.ue8m0x2.rz(<2 x bfloat>)
declare i16 @llvm.nvvm.f16x2.to.e4m3x2.rn(<2 x half>)
declare <2 x half> @llvm.nvvm.e4m3x2.to.f16x2.rn(i16)
declare <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16)
declare <2 x half> @llvm.nvvm.e2m3x2.to.f16x2.rn(i16)
declare <2 x half> @llvm.nvvm.e3m2x2.to.f16x2.rn(i16)
declare <2 x half> @llvm.nvvm.e2m1x2.to.f16x2.rn(i16)
declare <2 x bfloat> @llvm.nvvm.ue8m0x2.to.bf16x2(i16)
declare double @llvm.nvvm.i2d.rn(i32)
declare float @llvm.nvvm.i2f.rn(i32)
declare double @llvm.nvvm.ll2d.rn(i64)
declare float @llvm.nvvm.ll2f.rn(i64)
declare double @llvm.nvvm.ui2d.rn(i32)
declare float @llvm.nvvm.ui2f.rn(i32)
declare double @llvm.nvvm.ull2d.rn(i64)
declare float @llvm.nvvm.ull2f.rn(i64)
declare i32 @llvm.nvvm.bitcast.f2i(float)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @llvm.nvvm.move.i32(i32)
declare i64 @llvm.nvvm.swap.lo.hi.b64(i64)
