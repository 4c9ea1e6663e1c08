; A synapse is counters of its sums, one set a region: operations, possible operations if inputs
; are given, and negative numbers if possible. Their computation costs the kernel nothing.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,function(instcombine),gpuprof-count<cpu>' -S %s -o %t
; RUN: %FileCheck %s --implicit-check-not="@__gpuprof_synapse(" --implicit-check-not=gpuprof.value < %t
target triple = "nvptx64-nvidia-cuda"
@d = private constant [15 x i8] c"kind=directive\00"

; CHECK: kernel\090\09k\09groups=16\0Avalue\090\091\09-\09synapse\09accumulate\0A
; CHECK-SAME: value\090\092\09-\09synapse\09multiply_of\0A
; CHECK-SAME: value\090\093\09-\09synapse\09possible\0A
; CHECK-SAME: value\090\094\09-\09synapse\09negative\0A
; CHECK-SAME: end
; CHECK: define {{.*}}@k(
; CHECK-DAG: mul {{.*}}i64 %events, 3{{$}}
; CHECK-DAG: mul {{.*}}i64 %events, 7{{$}}
define ptx_kernel void @k(i32 %n, i64 %m) {
  %s = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @d)
  store i32 %1, ptr %s
  %events = zext i32 %n to i64
  call void @__gpuprof_synapse(i32 0, i64 %events, i64 3, i64 0)
  call void @__gpuprof_synapse(i32 0, i64 7, i64 %events, i64 0)
  call void @__gpuprof_synapse(i32 3, i64 2, i64 %m, i64 5)
  call void @__gpuprof_exit(ptr %s)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare void @__gpuprof_synapse(i32, i64, i64, i64)
