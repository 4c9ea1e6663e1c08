; Floating-point intrinsics of LLVM and NVVM in all roundings, and the free ones.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of f:
; CHECK-NEXT: fp32_fma=1 : %fma =
; CHECK-NEXT: fp16_fma=2 : %fma16 =
; CHECK-NEXT: fp32_sqrt=1 : %sqrt =
; CHECK-NEXT: special=1 : %exp2 =
; CHECK-NEXT: compare=1 : %min =
; CHECK-NEXT: fp32_fma=1 : %nvvm.fma =
; CHECK-NEXT: fp64_add=1 : %nvvm.add =
; CHECK-NEXT: fp32_mul=1 : %nvvm.mul =
; CHECK-NEXT: fp32_div=1 : %nvvm.div =
; CHECK-NEXT: fp32_sqrt=1 : %nvvm.sqrt =
; CHECK-NEXT: special=1 : %ex2 =
; CHECK-NEXT: special=1 : %lg2 =
; CHECK-NEXT: special=1 : %sin =
; CHECK-NEXT: special=1 : %rsqrt =
; CHECK-NEXT: fp32_div=1 : %rcp =
; CHECK-NEXT: special=1 : %rcp.approx =
; CHECK-NEXT: compare=1 : %fmax ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
define void @f(float %a, double %b, <2 x half> %c) {
  %fma = call float @llvm.fma.f32(float %a, float %a, float %a)
  %fma16 = call <2 x half> @llvm.fma.v2f16(<2 x half> %c, <2 x half> %c, <2 x half> %c)
  %sqrt = call float @llvm.sqrt.f32(float %a)
  %exp2 = call float @llvm.exp2.f32(float %a)
  %min = call float @llvm.minnum.f32(float %a, float %a)
  %abs = call float @llvm.fabs.f32(float %a)
  %nvvm.fma = call float @llvm.nvvm.fma.rn.ftz.f(float %a, float %a, float %a)
  %nvvm.add = call double @llvm.nvvm.add.rz.d(double %b, double %b)
  %nvvm.mul = call float @llvm.nvvm.mul.rn.f(float %a, float %a)
  %nvvm.div = call float @llvm.nvvm.div.approx.f(float %a, float %a)
  %nvvm.sqrt = call float @llvm.nvvm.sqrt.approx.ftz.f(float %a)
  %ex2 = call float @llvm.nvvm.ex2.approx.ftz.f32(float %a)
  %lg2 = call float @llvm.nvvm.lg2.approx.f(float %a)
  %sin = call float @llvm.nvvm.sin.approx.f(float %a)
  %rsqrt = call float @llvm.nvvm.rsqrt.approx.f(float %a)
  %rcp = call float @llvm.nvvm.rcp.rn.f(float %a)
  %rcp.approx = call float @llvm.nvvm.rcp.approx.ftz.f(float %a)
  %fmax = call float @llvm.nvvm.fmax.f(float %a, float %a)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %lane = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %tid, i32 1, i32 31)
  ret void
}
declare float @llvm.fma.f32(float, float, float)
declare <2 x half> @llvm.fma.v2f16(<2 x half>, <2 x half>, <2 x half>)
declare float @llvm.sqrt.f32(float)
declare float @llvm.exp2.f32(float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.fabs.f32(float)
declare float @llvm.nvvm.fma.rn.ftz.f(float, float, float)
declare double @llvm.nvvm.add.rz.d(double, double)
declare float @llvm.nvvm.mul.rn.f(float, float)
declare float @llvm.nvvm.div.approx.f(float, float)
declare float @llvm.nvvm.sqrt.approx.ftz.f(float)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.rcp.rn.f(float)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.fmax.f(float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
