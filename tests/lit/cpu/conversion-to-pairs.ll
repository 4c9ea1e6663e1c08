; A conversion to a pair missing in PTX is unsupported; the module stays valid.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal i32 @bits.cpu
; CHECK-NOT: fpext
; CHECK: call void @__gpuprof_cpu_unsupported
define i32 @bits(float %x) {
  %r = call i32 asm sideeffect "cvt.rn.b128x2.f32 $0, $1, $1;", "=r,f"(float %x)
  ret i32 %r
}

; CHECK-LABEL: define internal i32 @halves.cpu
; CHECK: fptrunc float
; CHECK-NOT: call void @__gpuprof_cpu_unsupported
; CHECK: ret i32
define i32 @halves(float %x) {
  %r = call i32 asm "cvt.rn.f16x2.f32 $0, $1, $1;", "=r,f"(float %x)
  ret i32 %r
}
define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  %a = call i32 @bits(float 1.0)
  %b = call i32 @halves(float 1.0)
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(1) %p
  ret void
}
