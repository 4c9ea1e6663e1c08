; A called function keeps counts and adds them at its end as a kernel does, to its part of the row: those of blocks that run once
; share a word.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
; RUN: %py %S/Inputs/run_flush.py %t called.gpuprof packed:0:4
target triple = "nvptx64-nvidia-cuda"

; CHECK: define internal void @called.gpuprof(
; CHECK: phi i32
; CHECK-NOT: phi i64
; CHECK: [[PLACE:%.*]] = add i64 %0, 8
; CHECK: [[ROW:%.*]] = select i1 {{.*}}, i64 %0, i64 [[PLACE]]
; CHECK: call void asm sideeffect "{{.*}}mov.b64 row, $0;{{.*}}", "l,r"(i64 [[ROW]], i32 {{.*}})
; CHECK-NOT: red.global
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
