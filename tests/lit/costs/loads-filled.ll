; LLVM 22's code generator loads a float4 of which three numbers are used as one vector: what its own pass does on a copy.
; RUN: %opt -load-pass-plugin=%optplugin -mcpu=sm_90 -passes='print<gpuprof-loads>' -disable-output %s | %FileCheck %s --implicit-check-not=expand_
; REQUIRES: llvm-at-least-22
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: loads of position:
; CHECK-NEXT: expand_global_load_filled=4 : %x =
define ptx_kernel void @position(ptr %p, ptr %out) {
  %x = load float, ptr %p, align 16
  %y.p = getelementptr i8, ptr %p, i64 4
  %y = load float, ptr %y.p, align 4
  %z.p = getelementptr i8, ptr %p, i64 8
  %z = load float, ptr %z.p, align 8
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  store float %xyz, ptr %out
  ret void
}

; A float3 is not aligned to a vector; of a whole float4 no number is missing.
; CHECK-LABEL: loads of unaligned:
define ptx_kernel void @unaligned(ptr %p, ptr %out) {
  %x = load float, ptr %p, align 4
  %y.p = getelementptr i8, ptr %p, i64 4
  %y = load float, ptr %y.p, align 4
  %z.p = getelementptr i8, ptr %p, i64 8
  %z = load float, ptr %z.p, align 4
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  store float %xyz, ptr %out
  ret void
}

; CHECK-NOT: define
