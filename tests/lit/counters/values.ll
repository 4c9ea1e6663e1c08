; Directives are groups of their own, one set a region and name: a count adds its amount, a spike adds to one of
; three. Code used by a directive alone costs nothing; shared code has its usual cost. No call of a directive stays.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>' -S %s -o %t
; RUN: %FileCheck %s --implicit-check-not="@__gpuprof_count(" --implicit-check-not=gpuprof.value --implicit-check-not="@a =" < %t
target triple = "nvptx64-nvidia-cuda"
@d = private constant [15 x i8] c"kind=directive\00"
@a = private constant [2 x i8] c"a\00"

; CHECK: kernel\090\09k\09groups=16\0Acost\090\090\09-\09-\090\09fp32_mul=1\09global_store=4\09global_uniform=4{{(.09lanes_[a-z_]+=[0-9]+)*}}\0A
; CHECK-SAME: value\090\091\09-\09count\09a\0A
; CHECK-SAME: value\090\092\09-\09spike_positive\09\0A
; CHECK-SAME: value\090\093\09-\09spike_negative\09\0A
; CHECK-SAME: value\090\094\09-\09spike_zero\09\0A
; CHECK-SAME: end
; CHECK: define {{.*}}@k(
; CHECK: %[[N:.*]] = sext i32 %n to i64
; CHECK: [[BEFORE:%.*]] = load i64, ptr %gpuprof.count1,
; CHECK-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], %[[N]]{{$}}
; CHECK-NEXT: store i64 [[AFTER]], ptr %gpuprof.count1,
; CHECK-NEXT: [[BEFORE:%.*]] = load i64, ptr %gpuprof.count1,
; CHECK-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], %[[N]]{{$}}
; CHECK-NEXT: store i64 [[AFTER]], ptr %gpuprof.count1,
; CHECK-DAG: icmp sgt i32 %n, 0
; CHECK-DAG: icmp slt i32 %n, 0
; CHECK-DAG: icmp eq i32 %n, 0
define ptx_kernel void @k(i32 %n, float %v, ptr addrspace(1) %p) {
  %s = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @d)
  store i32 %1, ptr %s
  %amount = sext i32 %n to i64
  %only = fadd float %v, 1.0
  %both = fmul float %v, 3.0
  %unused = fcmp ogt float %only, %both
  call void @__gpuprof_count(ptr @a, i64 %amount)
  call void @__gpuprof_count(ptr @a, i64 %amount)
  call void @__gpuprof_spike(i32 %n)
  call void @__gpuprof_exit(ptr %s)
  store float %both, ptr addrspace(1) %p
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare void @__gpuprof_count(ptr, i64)
declare void @__gpuprof_spike(i32)
