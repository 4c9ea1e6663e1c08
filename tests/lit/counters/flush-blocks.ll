; A whole warp adds up the counts of a kernel with steps in blocks of eight, and leaves out those that are zero in all its threads.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count' -S %s -o %t.90
; RUN: %py %S/Inputs/run_flush.py %t.90 caller array:20
; RUN: %FileCheck %s < %t.90
target triple = "nvptx64-nvidia-cuda"
@r = private constant [23 x i8] c"name=loop\09kind=device\00\00"
@d = private constant [15 x i8] c"kind=directive\00"

; CHECK: define ptx_kernel void @caller(
; CHECK: ld.local.v2.b64 {element6, element7}, [at+48];
; CHECK: vote.sync.any.pred is, is, -1;
; CHECK: @!is bra NONE_OF_FULL;
define ptx_kernel void @caller(ptr %p, i32 %n) "target-cpu"="sm_90" {
  %s = alloca i32
  %s2 = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @r)
  store i32 %1, ptr %s
  %2 = call i32 @__gpuprof_enter(ptr @d)
  store i32 %2, ptr %s2
  call void @__gpuprof_step(i64 1)
  call void @__gpuprof_exit(ptr %s2)
  call void @called(ptr %p, i32 %n)
  call void @__gpuprof_exit(ptr %s)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare void @__gpuprof_step(i64)
define internal void @called(ptr %p, i32 %n) noinline "target-cpu"="sm_90" {
  switch i32 %n, label %out [ i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11 i32 12, label %c12 i32 13, label %c13 i32 14, label %c14 i32 15, label %c15 i32 16, label %c16 i32 17, label %c17 ]
c0:
  store volatile i32 0, ptr %p
  br label %out
c1:
  store volatile i32 1, ptr %p
  br label %out
c2:
  store volatile i32 2, ptr %p
  br label %out
c3:
  store volatile i32 3, ptr %p
  br label %out
c4:
  store volatile i32 4, ptr %p
  br label %out
c5:
  store volatile i32 5, ptr %p
  br label %out
c6:
  store volatile i32 6, ptr %p
  br label %out
c7:
  store volatile i32 7, ptr %p
  br label %out
c8:
  store volatile i32 8, ptr %p
  br label %out
c9:
  store volatile i32 9, ptr %p
  br label %out
c10:
  store volatile i32 10, ptr %p
  br label %out
c11:
  store volatile i32 11, ptr %p
  br label %out
c12:
  store volatile i32 12, ptr %p
  br label %out
c13:
  store volatile i32 13, ptr %p
  br label %out
c14:
  store volatile i32 14, ptr %p
  br label %out
c15:
  store volatile i32 15, ptr %p
  br label %out
c16:
  store volatile i32 16, ptr %p
  br label %out
c17:
  store volatile i32 17, ptr %p
  br label %out
out:
  %less = sub i32 %n, 1
  %more = icmp sgt i32 %less, 0
  br i1 %more, label %again, label %end
again:
  call void @called(ptr %p, i32 %less)
  ret void
end:
  ret void
}
