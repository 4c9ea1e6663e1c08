; A row each: masked accesses count the lanes of a constant mask.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
; REQUIRES: llvm-at-least-22
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of intrinsic.masked.load:
; CHECK-NEXT: {{^}} global_load=12 global_uniform=12 :
; CHECK-NEXT: {{^}} global_load=16 global_uniform=16 uncounted: call of llvm.masked.load.v4f32.p1 (counted as if all lanes of its mask were on)
define void @intrinsic.masked.load(<4 x i1> %m) {
  %r177 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) null, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x float> poison)
  %r178 = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) null, <4 x i1> %m, <4 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.masked.store:
; CHECK-NEXT: {{^}} shared_store=8 shared_uniform=8 :
define void @intrinsic.masked.store() {
  call void @llvm.masked.store.v2f64.p3(<2 x double> poison, ptr addrspace(3) null, <2 x i1> <i1 1, i1 0>)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1), <4 x i1>, <4 x float>)
declare void @llvm.masked.store.v2f64.p3(<2 x double>, ptr addrspace(3), <2 x i1>)
