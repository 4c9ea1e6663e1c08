; A row each: uncounted intrinsics in the form of LLVM 22.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
; REQUIRES: llvm-at-least-22
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of intrinsic.masked.gather:
; CHECK-NEXT: {{^}} uncounted: call of llvm.masked.gather.v2f32.v2p0 (which lanes take part is not known at compile time)
define void @intrinsic.masked.gather() {
  %r238 = call <2 x float> @llvm.masked.gather.v2f32.v2p0(<2 x ptr> poison, <2 x i1> poison, <2 x float> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.masked.scatter:
; CHECK-NEXT: {{^}} uncounted: call of llvm.masked.scatter.v2f32.v2p0 (which lanes take part is not known at compile time)
define void @intrinsic.masked.scatter() {
  call void @llvm.masked.scatter.v2f32.v2p0(<2 x float> poison, <2 x ptr> poison, <2 x i1> poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.experimental.vp:
; CHECK-NEXT: {{^}} uncounted: call of llvm.experimental.vp.reverse.v2f32 (how many lanes take part is not known at compile time)
define void @intrinsic.experimental.vp() {
  %r240 = call <2 x float> @llvm.experimental.vp.reverse.v2f32(<2 x float> poison, <2 x i1> poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of intrinsic.experimental.memset.pattern:
; CHECK-NEXT: {{^}} uncounted: call of llvm.experimental.memset.pattern.p0.i32.i64 (it should have been lowered to stores)
define void @intrinsic.experimental.memset.pattern() {
  call void @llvm.experimental.memset.pattern.p0.i32.i64(ptr null, i32 0, i64 4, i1 false)
  ret void
}

; CHECK-NEXT: costs of intrinsic.vector.partial.reduce:
; CHECK-NEXT: {{^}} uncounted: call of llvm.vector.partial.reduce.add.v2i32.v4i32 (it should have been lowered to sums)
define void @intrinsic.vector.partial.reduce() {
  %r242 = call <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v4i32(<2 x i32> poison, <4 x i32> poison)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare <2 x float> @llvm.masked.gather.v2f32.v2p0(<2 x ptr>, <2 x i1>, <2 x float>)
declare void @llvm.masked.scatter.v2f32.v2p0(<2 x float>, <2 x ptr>, <2 x i1>)
declare <2 x float> @llvm.experimental.vp.reverse.v2f32(<2 x float>, <2 x i1>, i32)
declare void @llvm.experimental.memset.pattern.p0.i32.i64(ptr, i32, i64, i1)
declare <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v4i32(<2 x i32>, <4 x i32>)
