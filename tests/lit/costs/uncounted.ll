; Uncounted work is named, with the reason.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of k:
; CHECK-NEXT: uncounted: call of elsewhere (its body is not in this translation unit) : call void @elsewhere()
; CHECK-NEXT: uncounted: indirect call (which function it calls is not known at compile time) : call void %p()
; CHECK-NEXT: uncounted: call of llvm.nvvm.tex.unified.1d.v4f32.f32 (the bytes of a texture access are not known at compile time) : %texel =
; CHECK-NEXT: costs of here:
define ptx_kernel void @k(ptr %p, i64 %handle, float %x) {
  call void @elsewhere()
  call void @here()
  call void %p()
  %printed = call i32 @vprintf(ptr %p, ptr null)
  %texel = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64 %handle, float %x)
  ret void
}
define void @here() {
  ret void
}
declare void @elsewhere()
declare i32 @vprintf(ptr, ptr)
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64, float)
