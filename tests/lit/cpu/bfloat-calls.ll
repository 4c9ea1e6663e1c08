; Calls lowered for bfloat are spelled out in fp32: older compilers' libraries lack a function rounding to bfloat.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s | %FileCheck %s
; LLVM 16 has these intrinsics on integers.
; REQUIRES: llvm-at-least-17
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal bfloat @calls.cpu
; CHECK: call float @llvm.maxnum.f32
; CHECK: call float @llvm.minnum.f32
; CHECK: call float @llvm.fma.f32
; CHECK: call float @llvm.fabs.f32
; CHECK: fneg float
; CHECK-NOT: bf16
; CHECK-NOT: fptrunc
; CHECK: ret bfloat
define bfloat @calls(bfloat %x, bfloat %y) {
  %a = call bfloat @llvm.maxnum.bf16(bfloat %x, bfloat %y)
  %b = call bfloat @llvm.nvvm.fmin.bf16(bfloat %a, bfloat %y)
  %c = call bfloat @llvm.nvvm.fma.rn.bf16(bfloat %a, bfloat %b, bfloat %y)
  %d = call bfloat @llvm.fabs.bf16(bfloat %c)
  %e = fneg bfloat %d
  ret bfloat %e
}
declare bfloat @llvm.maxnum.bf16(bfloat, bfloat)
declare bfloat @llvm.nvvm.fmin.bf16(bfloat, bfloat)
declare bfloat @llvm.nvvm.fma.rn.bf16(bfloat, bfloat, bfloat)
declare bfloat @llvm.fabs.bf16(bfloat)
define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  %r = call bfloat @calls(bfloat 1.0, bfloat 2.0)
  store bfloat %r, ptr addrspace(1) %p
  ret void
}

; The code generator rounds too, where it moves bfloats about.
; CHECK-LABEL: define linkonce_odr hidden bfloat @__truncsfbf2(float %0)
; CHECK: fcmp uno float %0
