; The clone computes directives' amounts, too; the kernel keeps nothing of them.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@name = private constant [6 x i8] c"tiles\00"
declare void @__gpuprof_count(ptr, i64)
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
@scope = private constant [15 x i8] c"kind=directive\00"

; CHECK: value\090\091\09-\09count\09tiles\0A
; CHECK-SAME: clone\090\09free\092\091:0:8\0A
; CHECK: define ptx_kernel void @k(ptr %x, i64 %n)
; CHECK-NEXT: store i32 7, ptr %x
; CHECK-NEXT: ret void
define ptx_kernel void @k(ptr %x, i64 %n) {
  store i32 7, ptr %x
  %s = alloca i32
  %e = call i32 @__gpuprof_enter(ptr @scope)
  store i32 %e, ptr %s
  call void @__gpuprof_count(ptr @name, i64 %n)
  call void @__gpuprof_exit(ptr %s)
  ret void
}
; CHECK: define ptx_kernel void @"k$gpuprof_count"(ptr %x, i64 %n, i64
; CHECK: add i64 {{.*}}%n
; CHECK: ret void
