; A called function keeps counts as a kernel does: those of blocks that run once share a word. At its end it adds them to its
; kernel's array, two neighbours at a time.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
target triple = "nvptx64-nvidia-cuda"

; CHECK: define internal void @called.gpuprof(
; CHECK: phi i32
; CHECK-NOT: phi i64
; CHECK: lshr i32
; CHECK: call void asm sideeffect "{{.*}}ld.local.v2.b64 {sum0, sum1}, [$0+{{[0-9]+}}];{{.*}}st.local.v2.b64 [$0+{{[0-9]+}}], {sum0, sum1};{{.*}}", "l,l,l"(
; CHECK-NOT: store i64
; CHECK: ret void
define internal void @called(ptr %p, i32 %n) noinline "target-cpu"="sm_90" {
entry:
  switch i32 %n, label %out [ i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 ]
c0:
  store volatile i32 0, ptr %p
  br label %out
c1:
  store volatile i32 1, ptr %p
  br label %out
c2:
  store volatile i32 2, ptr %p
  br label %out
out:
  store volatile i32 3, ptr %p
  ret void
}
define ptx_kernel void @caller(ptr %p, i32 %n) "target-cpu"="sm_90" {
  call void @called(ptr %p, i32 %n)
  ret void
}
