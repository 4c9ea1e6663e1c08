; Machine instructions made by ptxas of operations without one of their own, beside the counted cost.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-expansions>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.div.rn.f(float, float)
declare float @llvm.nvvm.div.approx.f(float, float)
declare float @llvm.nvvm.rcp.rn.ftz.f(float)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.ex2.approx.ftz.f(float)
declare double @llvm.nvvm.rsqrt.approx.d(double)
declare double @llvm.sqrt.f64(double)
declare float @llvm.sqrt.f32(float)
declare double @llvm.fabs.f64(double)

; CHECK-LABEL: expansions of single:
; CHECK-NEXT: expand_fp32_fma=5 expand_fp32_slow_more=25 : %quotient
; CHECK-NEXT: expand_fp32_add=1 expand_fp32_fma=2 expand_fp32_slow_less=5 : %reciprocal
; CHECK-NEXT: expand_fp32_mul=1 : %approximate
; CHECK-NEXT: expand_fp32_fma=5 expand_fp32_slow_more=25 : %called
; CHECK-NEXT: expand_fp32_mul=1 : %calledapprox
; CHECK-NEXT: expand_fp32_add=1 expand_fp32_fma=2 expand_fp32_slow_less=5 : %calledrcp
; CHECK-NEXT: expand_fp32_mul=2 expand_fp32_fma=2 expand_fp32_slow_less=6 expand_fp32_slow_more=4 : %root
; CHECK-NEXT: expand_fp32_more=2 : %rootapprox
; CHECK-NEXT: expand_fp32_mul=2 expand_fp32_fma=2 expand_fp32_slow_less=6 expand_fp32_slow_more=4 : %exactroot
; CHECK-NEXT: expand_fp32_mul=1 : %sine
; CHECK-NEXT: expand_fp32_fma=10 expand_fp32_slow_more=50 : %pair
define float @single(float %a, float %b, <2 x float> %v) {
  %sum = fadd float %a, %b
  %quotient = fdiv float %sum, %b
  %reciprocal = fdiv float 1.0, %b
  %approximate = fdiv afn float %a, %b
  %called = call float @llvm.nvvm.div.rn.f(float %a, float %b)
  %calledapprox = call float @llvm.nvvm.div.approx.f(float %a, float %b)
  %calledrcp = call float @llvm.nvvm.rcp.rn.ftz.f(float %a)
  %rcpapprox = call float @llvm.nvvm.rcp.approx.ftz.f(float %a)
  %root = call float @llvm.nvvm.sqrt.rn.f(float %a)
  %rootapprox = call float @llvm.nvvm.sqrt.approx.f(float %a)
  %exactroot = call float @llvm.sqrt.f32(float %a)
  %fastroot = call afn float @llvm.sqrt.f32(float %a)
  %sine = call float @llvm.nvvm.sin.approx.f(float %a)
  %exponent = call float @llvm.nvvm.ex2.approx.ftz.f(float %a)
  %pair = fdiv <2 x float> %v, %v
  ret float %quotient
}

; CHECK-LABEL: expansions of double_precision:
; CHECK-NEXT: expand_fp32_fma=1 expand_fp64_mul=1 expand_fp64_fma=7 expand_fp64_slow_more=24 : %quotient
; CHECK-NEXT: expand_fp64_fma=5 expand_fp64_slow_more=17 : %reciprocal
; CHECK-NEXT: expand_fp64_mul=3 expand_fp64_fma=5 expand_fp64_slow_more=14 : %root
; CHECK-NEXT: expand_fp64_mul=2 expand_fp64_fma=3 expand_fp64_slow_more=10 : %reciprocalroot
define double @double_precision(double %a, double %b) {
  %product = fmul double %a, %b
  %quotient = fdiv double %product, %b
  %reciprocal = fdiv double 1.0, %b
  %root = call double @llvm.sqrt.f64(double %a)
  %reciprocalroot = call double @llvm.nvvm.rsqrt.approx.d(double %a)
  ret double %quotient
}

; One instruction for one element or two, whatever its kind.
; CHECK-LABEL: expansions of half_precision:
; CHECK-NEXT: expand_half=1 : %one
; CHECK-NEXT: expand_half=1 : %two
; CHECK-NEXT: expand_half=2 : %four
; CHECK-NEXT: expand_half=1 : %widened
; CHECK-NEXT: expand_half=1 : %asmpair
; CHECK-NEXT: expand_half=1 expand_half=1 : %asmtwo
; CHECK-NEXT: expand_half=1 : %asmwidened
define half @half_precision(half %a, <2 x half> %v, <4 x half> %w, i32 %x, i16 %h) {
  %one = fadd half %a, %a
  %two = fmul <2 x half> %v, %v
  %four = fadd <4 x half> %w, %w
  %widened = fpext half %a to float
  %narrowed = fptrunc float %widened to half
  %asmpair = call i32 asm "{fma.rn.f16x2 $0,$1,$1,$1;}", "=r,r"(i32 %x)
  %asmtwo = call i32 asm "{add.bf16x2 $0,$1,$1; mul.bf16x2 $0,$0,$1;}", "=r,r"(i32 %x)
  %asmwidened = call float asm "{cvt.f32.f16 $0, $1;}", "=f,h"(i16 %h)
  ret half %one
}

; Of the sums of two accumulators ptxas makes one instruction; sums of one depend on each other.
; CHECK-LABEL: expansions of two_sums:
; CHECK-NEXT: expand_half=1 expand_half_paired=1 : %first
; CHECK-NEXT: expand_half=1 expand_half_paired=1 : %second
; CHECK-LABEL: expansions of one_sum:
; CHECK-NEXT: expand_half=1 : %first
; CHECK-NEXT: expand_half=1 : %second
define half @two_sums(half %a, half %b, half %c) {
  %first = fadd half %a, %c
  %second = fadd half %b, %c
  %larger = call half @llvm.maxnum.f16(half %first, half %second)
  ret half %larger
}
define half @one_sum(half %a, half %b, half %c) {
  %first = fadd half %a, %b
  %second = fadd half %first, %c
  ret half %second
}
declare half @llvm.maxnum.f16(half, half)

; A sign is a modifier of arithmetic. The bits of a number, a value stored or joined, and a double selected need an addition
; of -0.
; CHECK-LABEL: expansions of signs:
; CHECK-NEXT: expand_fp32_more=1 : %negative.bits
; CHECK-NEXT: expand_fp32_more=1 : %absolute.bits
; CHECK-NEXT: expand_fp64_more=1 : %stored
; CHECK-NEXT: expand_fp64_more=1 : %selected.double
; CHECK-NEXT: expand_fp64_more=1 : %absolute.in.fma
define i32 @signs(float %a, double %b, ptr %p) {
  %negative = fneg float %a
  %sum = fadd float %negative, %a
  %negative.bits = fneg float %sum
  %bits = bitcast float %negative.bits to i32
  %absolute = call float @llvm.fabs.f32(float %a)
  %compared = fcmp ogt float %absolute, %sum
  %absolute.bits = call float @llvm.nvvm.fabs.f32(float %a)
  %more.bits = bitcast float %absolute.bits to i32
  %stored = fneg double %b
  store double %stored, ptr %p
  %selected.single = fneg float %a
  %single = select i1 %compared, float %selected.single, float %a
  %single.sum = fadd float %single, %a
  %selected.double = fneg double %b
  %double = select i1 %compared, double %selected.double, double %b
  %negative.in.fma = fneg double %b
  %absolute.in.fma = call double @llvm.fabs.f64(double %b)
  %fma = call double @llvm.fma.f64(double %negative.in.fma, double %b, double %absolute.in.fma)
  store double %fma, ptr %p
  %both = add i32 %bits, %more.bits
  %chosen = select i1 %compared, i32 %both, i32 %bits
  ret i32 %chosen
}
declare float @llvm.fabs.f32(float)
declare float @llvm.nvvm.fabs.f32(float)

; Hopper's mma.sync multiplies fp8 as fp16; its wgmma does not.
; CHECK-LABEL: expansions of hopper:
; CHECK-NEXT: expand_fp8_as_fp16=256 expand_fp32_add=4 : call
; CHECK-LABEL: expansions of ada:
define void @hopper() #0 {
  call void asm sideeffect "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {a,b,c,d}, {e,f,g,h}, {i,j}, {a,b,c,d};", ""()
  call void asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {a,b,c,d}, e, f, 1, 1, 1;", ""()
  ret void
}
define void @ada() #1 {
  call void asm sideeffect "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {a,b,c,d}, {e,f,g,h}, {i,j}, {a,b,c,d};", ""()
  ret void
}
; A value wanted by some lanes only may be computed for these alone.
; CHECK-LABEL: expansions of freedom:
; CHECK-NEXT: expand_fp32_less=1 : %for.some
; CHECK-NEXT: expand_fp64_less=2 : %fma.for.some
; CHECK-NEXT: expand_fp32_fma=5 expand_fp32_slow_more=25 expand_fp32_less=10 : %quotient.for.some
; CHECK-LABEL: expansions of last:
define void @freedom(float %a, double %b, i1 %c, ptr %p) {
  %for.some = fadd float %a, 1.0
  %chosen = select i1 %c, float %for.some, float %a
  %fma.for.some = call double @llvm.fma.f64(double %b, double %b, double %b)
  %other.chosen = select i1 %c, double %b, double %fma.for.some
  %quotient.for.some = fdiv float %a, %chosen
  %quotient.or.not = select i1 %c, float %quotient.for.some, float %a
  %for.all = fmul float %quotient.or.not, %a
  store float %for.all, ptr %p
  store double %other.chosen, ptr %p
  ret void
}
declare double @llvm.fma.f64(double, double, double)
define void @last() {
  ret void
}
attributes #0 = { "target-cpu"="sm_90a" }
attributes #1 = { "target-cpu"="sm_89" }
