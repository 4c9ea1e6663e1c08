; NVPTX arithmetic as LLVM's own, with PTX's meaning where the two differ.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal float @floats.cpu
; CHECK: call float @llvm.exp2.f32(float %x)
; CHECK: call float @llvm.sqrt.f32
; CHECK: fdiv float 1.000000e+00
; CHECK: fadd float
; CHECK: call float @llvm.fma.f32
; CHECK: call float @llvm.maxnum.f32(float %{{.*}}, float 0.000000e+00)
; CHECK: call float @llvm.minnum.f32(float %{{.*}}, float 1.000000e+00)
; CHECK-NOT: nvvm
; CHECK: ret float
define float @floats(float %x) {
  %a = call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
  %b = call float @llvm.nvvm.rsqrt.approx.f(float %a)
  %c = call float @llvm.nvvm.add.rn.f(float %b, float %x)
  %d = call float @llvm.nvvm.fma.rn.f(float %c, float %b, float %a)
  %e = call float @llvm.nvvm.saturate.f(float %d)
  ret float %e
}

; Conversions saturate, and round as their name says.
; CHECK-LABEL: define internal i32 @integers.cpu
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK: [[DOWN:%.*]] = call float @llvm.floor.f32(float %x)
; CHECK: call i32 @llvm.fptoui.sat.i32.f32(float [[DOWN]])
; CHECK: [[NEAREST:%.*]] = call float @llvm.rint.f32(float %x)
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float [[NEAREST]])
; CHECK: mul i64
; CHECK: lshr i64 %{{.*}}, 32
define i32 @integers(float %x, i32 %n) {
  %a = fptosi float %x to i32
  %b = call i32 @llvm.nvvm.f2ui.rm(float %x)
  %c = call i32 @llvm.nvvm.f2i.rn(float %x)
  %d = call i32 @llvm.nvvm.mulhi.ui(i32 %n, i32 %b)
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %s = add i32 %ab, %cd
  ret i32 %s
}

; No library function for bfloat: the rounding is spelled out.
; CHECK-LABEL: define internal bfloat @bfloats.cpu
; CHECK: fpext bfloat %x to float
; CHECK: [[SUM:%.*]] = fadd float
; CHECK: bitcast float [[SUM]] to i32
; CHECK: 32767
; CHECK: fcmp uno float [[SUM]]
; CHECK: bitcast i16 %{{.*}} to bfloat
; CHECK-NOT: fptrunc
; CHECK: ret bfloat
define bfloat @bfloats(bfloat %x) {
  %s = fadd bfloat %x, %x
  ret bfloat %s
}
define ptx_kernel void @kernel(ptr addrspace(3) %s) {
  %a = call float @floats(float 1.0)
  %b = call i32 @integers(float 1.0, i32 1)
  %c = call bfloat @bfloats(bfloat 1.0)
  ret void
}
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.add.rn.f(float, float)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @llvm.nvvm.saturate.f(float)
declare i32 @llvm.nvvm.f2ui.rm(float)
declare i32 @llvm.nvvm.f2i.rn(float)
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
