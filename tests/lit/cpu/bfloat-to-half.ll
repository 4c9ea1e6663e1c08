; Half and bfloat are of one size, so no cast leads from one to the other: through fp32.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal half @narrow.cpu
; CHECK: [[SINGLE:%.*]] = fpext bfloat %{{.*}} to float
; CHECK: fptrunc float [[SINGLE]] to half
define half @narrow(bfloat %x) {
  %bits = bitcast bfloat %x to i16
  %r = call i16 asm "{ cvt.rn.f16.bf16 $0, $1;}", "=h,h"(i16 %bits)
  %h = bitcast i16 %r to half
  ret half %h
}

; CHECK-LABEL: define internal bfloat @back.cpu
; CHECK: [[SINGLE:%.*]] = fpext half %{{.*}} to float
; CHECK: bitcast float [[SINGLE]] to i32
; CHECK-NOT: half
; CHECK: ret bfloat
define bfloat @back(half %x) {
  %bits = bitcast half %x to i16
  %r = call i16 asm "{ cvt.rn.bf16.f16 $0, $1;}", "=h,h"(i16 %bits)
  %h = bitcast i16 %r to bfloat
  ret bfloat %h
}
define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  %a = call half @narrow(bfloat 1.0)
  %b = call bfloat @back(half %a)
  store bfloat %b, ptr addrspace(1) %p
  ret void
}
