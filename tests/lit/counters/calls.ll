; A function that is not inlined is counted for its calling kernel and region by an instance adding to
; the kernel's array. Recursion stays in one instance; functions called by instances only are deleted.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@.a = private unnamed_addr constant [19 x i8] c"name=a\09kind=device\00"

; CHECK: kernel\090\09k\09groups=16\0A
; CHECK-SAME: cost\090\090\09-\09-\090\09global_store=4\09global_uniform=4{{(.09lanes_[a-z_]+=[0-9]+)*}}\0A
; CHECK-SAME: cost\090\091\09-\09-\090\09integer=1\09compare=1\0A
; CHECK-SAME: cost\090\092\09-\09-\090\09integer=2\0A
; CHECK-SAME: cost\090\093\090\09-\090\09integer=1\09compare=1\0A
; CHECK-SAME: cost\090\094\090\09-\090\09integer=2\0A
; CHECK-SAME: kernel\091\09other\09groups=16\0A
; CHECK-SAME: cost\091\090\09-\09-\090\09global_store=4\09global_uniform=4{{(.09lanes_[a-z_]+=[0-9]+)*}}\0A

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: [[ARRAY:%.*]] = alloca [5 x i64]
; CHECK: call void @llvm.memset{{.*}}(ptr {{.*}}[[ARRAY]], i8 0, i64 40
; CHECK: call i32 [[PLAIN:@f.gpuprof[0-9]*]](i32 1, ptr [[ARRAY]])
; CHECK: call i32 [[INSIDE:@f.gpuprof[0-9]*]](i32 2, ptr [[ARRAY]])
; CHECK: load i64, ptr addrspace(1) @__gpuprof_counters
; CHECK: gpuprof.flush:
; CHECK: getelementptr inbounds i64, ptr [[ARRAY]], i64
; CHECK-NOT: define internal i32 @f(
; CHECK: define internal i32 [[PLAIN]](i32 %n, ptr [[P:%.*]])
; CHECK: call i32 [[PLAIN]](i32 %less, ptr [[P]])
; CHECK: getelementptr inbounds i64, ptr [[P]], i64 1
; CHECK: store i64
; CHECK: define internal i32 [[INSIDE]](i32 %n, ptr
; CHECK: call i32 [[INSIDE]](i32 %less, ptr
define internal i32 @f(i32 %n) noinline {
entry:
  %small = icmp slt i32 %n, 2
  %less = add i32 %n, -1
  br i1 %small, label %out, label %again
again:
  %deeper = call i32 @f(i32 %less)
  %more = add i32 %deeper, 1
  %most = add i32 %more, 1
  br label %out
out:
  %result = phi i32 [ 1, %entry ], [ %most, %again ]
  ret i32 %result
}
define ptx_kernel void @k(ptr %p) {
  %s = alloca i32
  %x = call i32 @f(i32 1)
  %1 = call i32 @__gpuprof_enter(ptr @.a)
  store i32 %1, ptr %s
  %y = call i32 @f(i32 2)
  call void @__gpuprof_exit(ptr %s)
  store i32 0, ptr %p
  ret void
}
define ptx_kernel void @other(ptr %p) {
  store i32 0, ptr %p
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
