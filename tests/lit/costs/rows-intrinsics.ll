; A row each: intrinsics of LLVM.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of intrinsic.fma:
; CHECK-NEXT: {{^}} fp32_fma=1 :
; CHECK-NEXT: {{^}} fp64_fma=1 :
; CHECK-NEXT: {{^}} fp16_fma=2 :
define void @intrinsic.fma() {
  %r1 = call float @llvm.fma.f32(float poison, float poison, float poison)
  %r2 = call double @llvm.fma.f64(double poison, double poison, double poison)
  %r3 = call <2 x half> @llvm.fma.v2f16(<2 x half> poison, <2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fmuladd:
; CHECK-NEXT: {{^}} fp32_fma=1 :
; CHECK-NEXT: {{^}} fp64_fma=1 :
; CHECK-NEXT: {{^}} fp16_fma=2 :
define void @intrinsic.fmuladd() {
  %r4 = call float @llvm.fmuladd.f32(float poison, float poison, float poison)
  %r5 = call double @llvm.fmuladd.f64(double poison, double poison, double poison)
  %r6 = call <2 x half> @llvm.fmuladd.v2f16(<2 x half> poison, <2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sqrt:
; CHECK-NEXT: {{^}} fp32_sqrt=1 :
; CHECK-NEXT: {{^}} fp64_sqrt=1 :
; CHECK-NEXT: {{^}} fp16_sqrt=2 :
define void @intrinsic.sqrt() {
  %r7 = call float @llvm.sqrt.f32(float poison)
  %r8 = call double @llvm.sqrt.f64(double poison)
  %r9 = call <2 x half> @llvm.sqrt.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.canonicalize:
; CHECK-NEXT: {{^}} fp32_mul=1 :
; CHECK-NEXT: {{^}} fp64_mul=1 :
; CHECK-NEXT: {{^}} fp16_mul=2 :
define void @intrinsic.canonicalize() {
  %r10 = call float @llvm.canonicalize.f32(float poison)
  %r11 = call double @llvm.canonicalize.f64(double poison)
  %r12 = call <2 x half> @llvm.canonicalize.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.exp:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.exp.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.exp.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.exp.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.exp() {
  %r13 = call float @llvm.exp.f32(float poison)
  %r14 = call double @llvm.exp.f64(double poison)
  %r15 = call <2 x half> @llvm.exp.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.exp2:
; CHECK-NEXT: {{^}} special=1 :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.exp2.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 :
define void @intrinsic.exp2() {
  %r16 = call float @llvm.exp2.f32(float poison)
  %r17 = call double @llvm.exp2.f64(double poison)
  %r18 = call <2 x half> @llvm.exp2.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.exp10:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.exp10.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.exp10.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.exp10.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.exp10() {
  %r19 = call float @llvm.exp10.f32(float poison)
  %r20 = call double @llvm.exp10.f64(double poison)
  %r21 = call <2 x half> @llvm.exp10.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.log:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.log.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.log.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.log.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.log() {
  %r22 = call float @llvm.log.f32(float poison)
  %r23 = call double @llvm.log.f64(double poison)
  %r24 = call <2 x half> @llvm.log.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.log2:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.log2.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.log2.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.log2.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.log2() {
  %r25 = call float @llvm.log2.f32(float poison)
  %r26 = call double @llvm.log2.f64(double poison)
  %r27 = call <2 x half> @llvm.log2.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.log10:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.log10.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.log10.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.log10.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.log10() {
  %r28 = call float @llvm.log10.f32(float poison)
  %r29 = call double @llvm.log10.f64(double poison)
  %r30 = call <2 x half> @llvm.log10.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sin:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.sin.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.sin.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.sin.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.sin() {
  %r31 = call float @llvm.sin.f32(float poison)
  %r32 = call double @llvm.sin.f64(double poison)
  %r33 = call <2 x half> @llvm.sin.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.cos:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.cos.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.cos.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.cos.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.cos() {
  %r34 = call float @llvm.cos.f32(float poison)
  %r35 = call double @llvm.cos.f64(double poison)
  %r36 = call <2 x half> @llvm.cos.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.tan:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.tan.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.tan.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.tan.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.tan() {
  %r37 = call float @llvm.tan.f32(float poison)
  %r38 = call double @llvm.tan.f64(double poison)
  %r39 = call <2 x half> @llvm.tan.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.asin:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.asin.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.asin.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.asin.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.asin() {
  %r40 = call float @llvm.asin.f32(float poison)
  %r41 = call double @llvm.asin.f64(double poison)
  %r42 = call <2 x half> @llvm.asin.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.acos:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.acos.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.acos.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.acos.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.acos() {
  %r43 = call float @llvm.acos.f32(float poison)
  %r44 = call double @llvm.acos.f64(double poison)
  %r45 = call <2 x half> @llvm.acos.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.atan:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.atan.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.atan.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.atan.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.atan() {
  %r46 = call float @llvm.atan.f32(float poison)
  %r47 = call double @llvm.atan.f64(double poison)
  %r48 = call <2 x half> @llvm.atan.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sinh:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.sinh.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.sinh.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.sinh.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.sinh() {
  %r49 = call float @llvm.sinh.f32(float poison)
  %r50 = call double @llvm.sinh.f64(double poison)
  %r51 = call <2 x half> @llvm.sinh.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.cosh:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.cosh.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.cosh.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.cosh.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.cosh() {
  %r52 = call float @llvm.cosh.f32(float poison)
  %r53 = call double @llvm.cosh.f64(double poison)
  %r54 = call <2 x half> @llvm.cosh.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.tanh:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.tanh.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.tanh.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 :
define void @intrinsic.tanh() {
  %r55 = call float @llvm.tanh.f32(float poison)
  %r56 = call double @llvm.tanh.f64(double poison)
  %r57 = call <2 x half> @llvm.tanh.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.atan2:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.atan2.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.atan2.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.atan2.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.atan2() {
  %r58 = call float @llvm.atan2.f32(float poison, float poison)
  %r59 = call double @llvm.atan2.f64(double poison, double poison)
  %r60 = call <2 x half> @llvm.atan2.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.pow:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.pow.f32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.pow.f64 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
; CHECK-NEXT: {{^}} special=2 uncounted: call of llvm.pow.v2f16 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.pow() {
  %r61 = call float @llvm.pow.f32(float poison, float poison)
  %r62 = call double @llvm.pow.f64(double poison, double poison)
  %r63 = call <2 x half> @llvm.pow.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.powi:
; CHECK-NEXT: {{^}} special=1 uncounted: call of llvm.powi.f32.i32 (counted as one special function; a CUDA toolkit's library computes it by FLOPs) :
define void @intrinsic.powi() {
  %r64 = call float @llvm.powi.f32.i32(float poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.minnum:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @intrinsic.minnum() {
  %r65 = call float @llvm.minnum.f32(float poison, float poison)
  %r66 = call double @llvm.minnum.f64(double poison, double poison)
  %r67 = call <2 x half> @llvm.minnum.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.maxnum:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @intrinsic.maxnum() {
  %r68 = call float @llvm.maxnum.f32(float poison, float poison)
  %r69 = call double @llvm.maxnum.f64(double poison, double poison)
  %r70 = call <2 x half> @llvm.maxnum.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.minimum:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @intrinsic.minimum() {
  %r71 = call float @llvm.minimum.f32(float poison, float poison)
  %r72 = call double @llvm.minimum.f64(double poison, double poison)
  %r73 = call <2 x half> @llvm.minimum.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.maximum:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @intrinsic.maximum() {
  %r74 = call float @llvm.maximum.f32(float poison, float poison)
  %r75 = call double @llvm.maximum.f64(double poison, double poison)
  %r76 = call <2 x half> @llvm.maximum.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.minimumnum:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @intrinsic.minimumnum() {
  %r77 = call float @llvm.minimumnum.f32(float poison, float poison)
  %r78 = call double @llvm.minimumnum.f64(double poison, double poison)
  %r79 = call <2 x half> @llvm.minimumnum.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.maximumnum:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=2 :
define void @intrinsic.maximumnum() {
  %r80 = call float @llvm.maximumnum.f32(float poison, float poison)
  %r81 = call double @llvm.maximumnum.f64(double poison, double poison)
  %r82 = call <2 x half> @llvm.maximumnum.v2f16(<2 x half> poison, <2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.smin:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=4 :
define void @intrinsic.smin() {
  %r83 = call i32 @llvm.smin.i32(i32 poison, i32 poison)
  %r84 = call <4 x i8> @llvm.smin.v4i8(<4 x i8> poison, <4 x i8> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.smax:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=4 :
define void @intrinsic.smax() {
  %r85 = call i32 @llvm.smax.i32(i32 poison, i32 poison)
  %r86 = call <4 x i8> @llvm.smax.v4i8(<4 x i8> poison, <4 x i8> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.umin:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=4 :
define void @intrinsic.umin() {
  %r87 = call i32 @llvm.umin.i32(i32 poison, i32 poison)
  %r88 = call <4 x i8> @llvm.umin.v4i8(<4 x i8> poison, <4 x i8> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.umax:
; CHECK-NEXT: {{^}} compare=1 :
; CHECK-NEXT: {{^}} compare=4 :
define void @intrinsic.umax() {
  %r89 = call i32 @llvm.umax.i32(i32 poison, i32 poison)
  %r90 = call <4 x i8> @llvm.umax.v4i8(<4 x i8> poison, <4 x i8> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.scmp:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.scmp() {
  %r91 = call i8 @llvm.scmp.i8.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ucmp:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.ucmp() {
  %r92 = call i8 @llvm.ucmp.i8.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.is.fpclass:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.is.fpclass() {
  %r93 = call i1 @llvm.is.fpclass.f32(float poison, i32 3)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fcmps:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.fcmps() {
  %r94 = call i1 @llvm.experimental.constrained.fcmps.f32(float poison, float poison, metadata !"oeq", metadata !"fpexcept.strict")
  ret void
}

; CHECK-NEXT: costs of intrinsic.floor:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.floor() {
  %r95 = call float @llvm.floor.f32(float poison)
  %r96 = call double @llvm.floor.f64(double poison)
  %r97 = call <2 x half> @llvm.floor.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ceil:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.ceil() {
  %r98 = call float @llvm.ceil.f32(float poison)
  %r99 = call double @llvm.ceil.f64(double poison)
  %r100 = call <2 x half> @llvm.ceil.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.trunc:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.trunc() {
  %r101 = call float @llvm.trunc.f32(float poison)
  %r102 = call double @llvm.trunc.f64(double poison)
  %r103 = call <2 x half> @llvm.trunc.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.rint:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.rint() {
  %r104 = call float @llvm.rint.f32(float poison)
  %r105 = call double @llvm.rint.f64(double poison)
  %r106 = call <2 x half> @llvm.rint.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.nearbyint:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.nearbyint() {
  %r107 = call float @llvm.nearbyint.f32(float poison)
  %r108 = call double @llvm.nearbyint.f64(double poison)
  %r109 = call <2 x half> @llvm.nearbyint.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.round:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.round() {
  %r110 = call float @llvm.round.f32(float poison)
  %r111 = call double @llvm.round.f64(double poison)
  %r112 = call <2 x half> @llvm.round.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.roundeven:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.roundeven() {
  %r113 = call float @llvm.roundeven.f32(float poison)
  %r114 = call double @llvm.roundeven.f64(double poison)
  %r115 = call <2 x half> @llvm.roundeven.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.lrint:
; CHECK-NEXT: {{^}} convert=1 :
define void @intrinsic.lrint() {
  %r116 = call i64 @llvm.lrint.i64.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.llrint:
; CHECK-NEXT: {{^}} convert=1 :
define void @intrinsic.llrint() {
  %r117 = call i64 @llvm.llrint.i64.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.lround:
; CHECK-NEXT: {{^}} convert=1 :
define void @intrinsic.lround() {
  %r118 = call i64 @llvm.lround.i64.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.llround:
; CHECK-NEXT: {{^}} convert=1 :
define void @intrinsic.llround() {
  %r119 = call i64 @llvm.llround.i64.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fptosi:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.fptosi() {
  %r120 = call i32 @llvm.fptosi.sat.i32.f32(float poison)
  %r121 = call <2 x i16> @llvm.fptosi.sat.v2i16.v2f32(<2 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fptoui:
; CHECK-NEXT: {{^}} convert=1 :
; CHECK-NEXT: {{^}} convert=2 :
define void @intrinsic.fptoui() {
  %r122 = call i32 @llvm.fptoui.sat.i32.f32(float poison)
  %r123 = call <2 x i16> @llvm.fptoui.sat.v2i16.v2f32(<2 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fptrunc:
; CHECK-NEXT: {{^}} convert=1 :
define void @intrinsic.fptrunc() {
  %r124 = call half @llvm.fptrunc.round.f16.f32(float poison, metadata !"round.tonearest")
  ret void
}

; CHECK-NEXT: costs of intrinsic.convert.to.fp16:
; CHECK-NEXT: {{^}} convert=1 :
define void @intrinsic.convert.to.fp16() {
  %r125 = call i16 @llvm.convert.to.fp16.f32(float poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.convert.from.fp16:
; CHECK-NEXT: {{^}} convert=1 :
define void @intrinsic.convert.from.fp16() {
  %r126 = call float @llvm.convert.from.fp16.f32(i16 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ctpop:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=2 :
define void @intrinsic.ctpop() {
  %r127 = call i32 @llvm.ctpop.i32(i32 poison)
  %r128 = call <2 x i32> @llvm.ctpop.v2i32(<2 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ctlz:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.ctlz() {
  %r129 = call i64 @llvm.ctlz.i64(i64 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of intrinsic.cttz:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.cttz() {
  %r130 = call i64 @llvm.cttz.i64(i64 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of intrinsic.abs:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.abs() {
  %r131 = call i64 @llvm.abs.i64(i64 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of intrinsic.bitreverse:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.bitreverse() {
  %r132 = call i32 @llvm.bitreverse.i32(i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.bswap:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.bswap() {
  %r133 = call i32 @llvm.bswap.i32(i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fshl:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.fshl() {
  %r134 = call i32 @llvm.fshl.i32(i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.fshr:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.fshr() {
  %r135 = call i32 @llvm.fshr.i32(i32 poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.clmul:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.clmul() {
  %r136 = call i32 @llvm.clmul.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sadd:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=2 :
define void @intrinsic.sadd() {
  %r137 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 poison, i32 poison)
  %r138 = call <2 x i16> @llvm.sadd.sat.v2i16(<2 x i16> poison, <2 x i16> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.uadd:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=2 :
define void @intrinsic.uadd() {
  %r139 = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 poison, i32 poison)
  %r140 = call <2 x i16> @llvm.uadd.sat.v2i16(<2 x i16> poison, <2 x i16> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ssub:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=2 :
define void @intrinsic.ssub() {
  %r141 = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 poison, i32 poison)
  %r142 = call <2 x i16> @llvm.ssub.sat.v2i16(<2 x i16> poison, <2 x i16> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.usub:
; CHECK-NEXT: {{^}} integer=1 :
; CHECK-NEXT: {{^}} integer=2 :
define void @intrinsic.usub() {
  %r143 = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 poison, i32 poison)
  %r144 = call <2 x i16> @llvm.usub.sat.v2i16(<2 x i16> poison, <2 x i16> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.smul:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.smul() {
  %r145 = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.umul:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.umul() {
  %r146 = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sshl:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.sshl() {
  %r147 = call i32 @llvm.sshl.sat.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.ushl:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.ushl() {
  %r148 = call i32 @llvm.ushl.sat.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.sdiv:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.sdiv() {
  %r149 = call i32 @llvm.sdiv.fix.i32(i32 poison, i32 poison, i32 2)
  ret void
}

; CHECK-NEXT: costs of intrinsic.udiv:
; CHECK-NEXT: {{^}} integer=1 :
define void @intrinsic.udiv() {
  %r150 = call i32 @llvm.udiv.fix.i32(i32 poison, i32 poison, i32 2)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.fadd:
; CHECK-NEXT: {{^}} fp32_add=4 :
; CHECK-NEXT: {{^}} fp32_add=3 :
define void @intrinsic.vector.reduce.fadd() {
  %r151 = call float @llvm.vector.reduce.fadd.v4f32(float poison, <4 x float> poison)
  %r152 = call float @llvm.vector.reduce.fadd.v4f32(float -0.0, <4 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.fmul:
; CHECK-NEXT: {{^}} fp32_mul=4 :
; CHECK-NEXT: {{^}} fp32_mul=3 :
define void @intrinsic.vector.reduce.fmul() {
  %r153 = call float @llvm.vector.reduce.fmul.v4f32(float poison, <4 x float> poison)
  %r154 = call float @llvm.vector.reduce.fmul.v4f32(float 1.0, <4 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.fmax:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.vector.reduce.fmax() {
  %r155 = call half @llvm.vector.reduce.fmax.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.fmin:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.vector.reduce.fmin() {
  %r156 = call half @llvm.vector.reduce.fmin.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.fmaximum:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.vector.reduce.fmaximum() {
  %r157 = call half @llvm.vector.reduce.fmaximum.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.fminimum:
; CHECK-NEXT: {{^}} compare=1 :
define void @intrinsic.vector.reduce.fminimum() {
  %r158 = call half @llvm.vector.reduce.fminimum.v2f16(<2 x half> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.smax:
; CHECK-NEXT: {{^}} compare=3 :
define void @intrinsic.vector.reduce.smax() {
  %r159 = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.smin:
; CHECK-NEXT: {{^}} compare=3 :
define void @intrinsic.vector.reduce.smin() {
  %r160 = call i32 @llvm.vector.reduce.smin.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.umax:
; CHECK-NEXT: {{^}} compare=3 :
define void @intrinsic.vector.reduce.umax() {
  %r161 = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.umin:
; CHECK-NEXT: {{^}} compare=3 :
define void @intrinsic.vector.reduce.umin() {
  %r162 = call i32 @llvm.vector.reduce.umin.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.add:
; CHECK-NEXT: {{^}} integer=3 :
define void @intrinsic.vector.reduce.add() {
  %r163 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.mul:
; CHECK-NEXT: {{^}} integer=3 :
define void @intrinsic.vector.reduce.mul() {
  %r164 = call i32 @llvm.vector.reduce.mul.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.and:
; CHECK-NEXT: {{^}} integer=3 :
define void @intrinsic.vector.reduce.and() {
  %r165 = call i32 @llvm.vector.reduce.and.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.or:
; CHECK-NEXT: {{^}} integer=3 :
define void @intrinsic.vector.reduce.or() {
  %r166 = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.reduce.xor:
; CHECK-NEXT: {{^}} integer=3 :
define void @intrinsic.vector.reduce.xor() {
  %r167 = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.memcpy:
; CHECK-NEXT: {{^}} global_load=24 global_uniform=24 shared_store=24 shared_uniform=24 :
; CHECK-NEXT: {{^}} global_load=8 global_uniform=8 global_store=8 global_uniform=8 :
; CHECK-NEXT: {{^}} global_load=16 global_uniform=16 global_store=16 global_uniform=16 :
; CHECK-NEXT: {{^}} uncounted: call of llvm.memcpy.p1.p1.i64 (its length is not known at compile time)
define void @intrinsic.memcpy() {
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) null, ptr addrspace(1) null, i64 24, i1 false)
  call void @llvm.memcpy.inline.p1.p1.i64(ptr addrspace(1) null, ptr addrspace(1) null, i64 8, i1 false)
  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 4 null, ptr addrspace(1) align 4 null, i64 16, i32 4)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) null, ptr addrspace(1) null, i64 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of intrinsic.memmove:
; CHECK-NEXT: {{^}} global_load=24 global_uniform=24 shared_store=24 shared_uniform=24 :
; CHECK-NEXT: {{^}} global_load=16 global_uniform=16 global_store=16 global_uniform=16 :
; CHECK-NEXT: {{^}} uncounted: call of llvm.memmove.p1.p1.i64 (its length is not known at compile time)
define void @intrinsic.memmove() {
  call void @llvm.memmove.p3.p1.i64(ptr addrspace(3) null, ptr addrspace(1) null, i64 24, i1 false)
  call void @llvm.memmove.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 4 null, ptr addrspace(1) align 4 null, i64 16, i32 4)
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) null, ptr addrspace(1) null, i64 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of intrinsic.memset:
; CHECK-NEXT: {{^}} global_store=100 global_uniform=100 :
; CHECK-NEXT: {{^}} uncounted: call of llvm.memset.p3.i64 (its length is not known at compile time)
define void @intrinsic.memset() {
  call void @llvm.memset.p1.i64(ptr addrspace(1) null, i8 0, i64 100, i1 false)
  call void @llvm.memset.p3.i64(ptr addrspace(3) null, i8 0, i64 poison, i1 false)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
declare <2 x half> @llvm.fma.v2f16(<2 x half>, <2 x half>, <2 x half>)
declare float @llvm.fmuladd.f32(float, float, float)
declare double @llvm.fmuladd.f64(double, double, double)
declare <2 x half> @llvm.fmuladd.v2f16(<2 x half>, <2 x half>, <2 x half>)
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
declare <2 x half> @llvm.sqrt.v2f16(<2 x half>)
declare float @llvm.canonicalize.f32(float)
declare double @llvm.canonicalize.f64(double)
declare <2 x half> @llvm.canonicalize.v2f16(<2 x half>)
declare float @llvm.exp.f32(float)
declare double @llvm.exp.f64(double)
declare <2 x half> @llvm.exp.v2f16(<2 x half>)
declare float @llvm.exp2.f32(float)
declare double @llvm.exp2.f64(double)
declare <2 x half> @llvm.exp2.v2f16(<2 x half>)
declare float @llvm.exp10.f32(float)
declare double @llvm.exp10.f64(double)
declare <2 x half> @llvm.exp10.v2f16(<2 x half>)
declare float @llvm.log.f32(float)
declare double @llvm.log.f64(double)
declare <2 x half> @llvm.log.v2f16(<2 x half>)
declare float @llvm.log2.f32(float)
declare double @llvm.log2.f64(double)
declare <2 x half> @llvm.log2.v2f16(<2 x half>)
declare float @llvm.log10.f32(float)
declare double @llvm.log10.f64(double)
declare <2 x half> @llvm.log10.v2f16(<2 x half>)
declare float @llvm.sin.f32(float)
declare double @llvm.sin.f64(double)
declare <2 x half> @llvm.sin.v2f16(<2 x half>)
declare float @llvm.cos.f32(float)
declare double @llvm.cos.f64(double)
declare <2 x half> @llvm.cos.v2f16(<2 x half>)
declare float @llvm.tan.f32(float)
declare double @llvm.tan.f64(double)
declare <2 x half> @llvm.tan.v2f16(<2 x half>)
declare float @llvm.asin.f32(float)
declare double @llvm.asin.f64(double)
declare <2 x half> @llvm.asin.v2f16(<2 x half>)
declare float @llvm.acos.f32(float)
declare double @llvm.acos.f64(double)
declare <2 x half> @llvm.acos.v2f16(<2 x half>)
declare float @llvm.atan.f32(float)
declare double @llvm.atan.f64(double)
declare <2 x half> @llvm.atan.v2f16(<2 x half>)
declare float @llvm.sinh.f32(float)
declare double @llvm.sinh.f64(double)
declare <2 x half> @llvm.sinh.v2f16(<2 x half>)
declare float @llvm.cosh.f32(float)
declare double @llvm.cosh.f64(double)
declare <2 x half> @llvm.cosh.v2f16(<2 x half>)
declare float @llvm.tanh.f32(float)
declare double @llvm.tanh.f64(double)
declare <2 x half> @llvm.tanh.v2f16(<2 x half>)
declare float @llvm.atan2.f32(float, float)
declare double @llvm.atan2.f64(double, double)
declare <2 x half> @llvm.atan2.v2f16(<2 x half>, <2 x half>)
declare float @llvm.pow.f32(float, float)
declare double @llvm.pow.f64(double, double)
declare <2 x half> @llvm.pow.v2f16(<2 x half>, <2 x half>)
declare float @llvm.powi.f32.i32(float, i32)
declare float @llvm.minnum.f32(float, float)
declare double @llvm.minnum.f64(double, double)
declare <2 x half> @llvm.minnum.v2f16(<2 x half>, <2 x half>)
declare float @llvm.maxnum.f32(float, float)
declare double @llvm.maxnum.f64(double, double)
declare <2 x half> @llvm.maxnum.v2f16(<2 x half>, <2 x half>)
declare float @llvm.minimum.f32(float, float)
declare double @llvm.minimum.f64(double, double)
declare <2 x half> @llvm.minimum.v2f16(<2 x half>, <2 x half>)
declare float @llvm.maximum.f32(float, float)
declare double @llvm.maximum.f64(double, double)
declare <2 x half> @llvm.maximum.v2f16(<2 x half>, <2 x half>)
declare float @llvm.minimumnum.f32(float, float)
declare double @llvm.minimumnum.f64(double, double)
declare <2 x half> @llvm.minimumnum.v2f16(<2 x half>, <2 x half>)
declare float @llvm.maximumnum.f32(float, float)
declare double @llvm.maximumnum.f64(double, double)
declare <2 x half> @llvm.maximumnum.v2f16(<2 x half>, <2 x half>)
declare i32 @llvm.smin.i32(i32, i32)
declare <4 x i8> @llvm.smin.v4i8(<4 x i8>, <4 x i8>)
declare i32 @llvm.smax.i32(i32, i32)
declare <4 x i8> @llvm.smax.v4i8(<4 x i8>, <4 x i8>)
declare i32 @llvm.umin.i32(i32, i32)
declare <4 x i8> @llvm.umin.v4i8(<4 x i8>, <4 x i8>)
declare i32 @llvm.umax.i32(i32, i32)
declare <4 x i8> @llvm.umax.v4i8(<4 x i8>, <4 x i8>)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare i8 @llvm.ucmp.i8.i32(i32, i32)
declare i1 @llvm.is.fpclass.f32(float, i32)
declare i1 @llvm.experimental.constrained.fcmps.f32(float, float, metadata, metadata)
declare float @llvm.floor.f32(float)
declare double @llvm.floor.f64(double)
declare <2 x half> @llvm.floor.v2f16(<2 x half>)
declare float @llvm.ceil.f32(float)
declare double @llvm.ceil.f64(double)
declare <2 x half> @llvm.ceil.v2f16(<2 x half>)
declare float @llvm.trunc.f32(float)
declare double @llvm.trunc.f64(double)
declare <2 x half> @llvm.trunc.v2f16(<2 x half>)
declare float @llvm.rint.f32(float)
declare double @llvm.rint.f64(double)
declare <2 x half> @llvm.rint.v2f16(<2 x half>)
declare float @llvm.nearbyint.f32(float)
declare double @llvm.nearbyint.f64(double)
declare <2 x half> @llvm.nearbyint.v2f16(<2 x half>)
declare float @llvm.round.f32(float)
declare double @llvm.round.f64(double)
declare <2 x half> @llvm.round.v2f16(<2 x half>)
declare float @llvm.roundeven.f32(float)
declare double @llvm.roundeven.f64(double)
declare <2 x half> @llvm.roundeven.v2f16(<2 x half>)
declare i64 @llvm.lrint.i64.f32(float)
declare i64 @llvm.llrint.i64.f32(float)
declare i64 @llvm.lround.i64.f32(float)
declare i64 @llvm.llround.i64.f32(float)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare <2 x i16> @llvm.fptosi.sat.v2i16.v2f32(<2 x float>)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare <2 x i16> @llvm.fptoui.sat.v2i16.v2f32(<2 x float>)
declare half @llvm.fptrunc.round.f16.f32(float, metadata)
declare i16 @llvm.convert.to.fp16.f32(float)
declare float @llvm.convert.from.fp16.f32(i16)
declare i32 @llvm.ctpop.i32(i32)
declare <2 x i32> @llvm.ctpop.v2i32(<2 x i32>)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.abs.i64(i64, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.clmul.i32(i32, i32)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare <2 x i16> @llvm.sadd.sat.v2i16(<2 x i16>, <2 x i16>)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare <2 x i16> @llvm.uadd.sat.v2i16(<2 x i16>, <2 x i16>)
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)
declare <2 x i16> @llvm.ssub.sat.v2i16(<2 x i16>, <2 x i16>)
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)
declare <2 x i16> @llvm.usub.sat.v2i16(<2 x i16>, <2 x i16>)
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i32 @llvm.ushl.sat.i32(i32, i32)
declare i32 @llvm.sdiv.fix.i32(i32, i32, i32)
declare i32 @llvm.udiv.fix.i32(i32, i32, i32)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
declare float @llvm.vector.reduce.fmul.v4f32(float, <4 x float>)
declare half @llvm.vector.reduce.fmax.v2f16(<2 x half>)
declare half @llvm.vector.reduce.fmin.v2f16(<2 x half>)
declare half @llvm.vector.reduce.fmaximum.v2f16(<2 x half>)
declare half @llvm.vector.reduce.fminimum.v2f16(<2 x half>)
declare i32 @llvm.vector.reduce.smax.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smin.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umin.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.mul.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.and.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.xor.v4i32(<4 x i32>)
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.inline.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 4, ptr addrspace(1) align 4, i64, i32)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memmove.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 4, ptr addrspace(1) align 4, i64, i32)
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memset.p3.i64(ptr addrspace(3), i8, i64, i1)
