; Regions without counts have a record of their remaining code. Those of a called function
; have one for each chain of calls; regions inside `ignore` or a directive have none.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,cgscc(inline),function(instcombine,dce),gpuprof-count<cpu>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@k.r = private constant [19 x i8] c"name=k\09kind=kernel\00"
@f.r = private constant [19 x i8] c"name=f\09kind=device\00"
@g.r = private constant [19 x i8] c"name=g\09kind=device\00"
@ignored = private constant [12 x i8] c"kind=ignore\00"
@directive = private constant [15 x i8] c"kind=directive\00"

; CHECK: region\090\09-\09name=k\09kind=kernel\0A
; CHECK-SAME: region\091\090\09name=f\09kind=device\0A
; CHECK-SAME: region\092\091\09name=g\09kind=device\0A
; CHECK-SAME: region\093\090\09name=g\09kind=device\0A
; CHECK-SAME: kernel\090\09k\09groups=16\0A
; CHECK-NOT: empty
; CHECK-SAME: empty\090\091\09removed\0Aempty\090\092\09removed\0Aempty\090\093\09removed\0Aend
; CHECK-NOT: gpuprof.declared_regions
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %s = alloca i32
  %enter = call i32 @__gpuprof_enter(ptr @k.r)
  store i32 %enter, ptr %s
  %x = load float, ptr addrspace(1) %p
  %y = call float @f(float %x)
  %z = call float @g(float %y)
  %t = alloca i32
  %enter.ignored = call i32 @__gpuprof_enter(ptr @ignored)
  store i32 %enter.ignored, ptr %t
  %u = call float @f(float %x)
  call void @__gpuprof_exit(ptr %t)
  %v = alloca i32
  %enter.directive = call i32 @__gpuprof_enter(ptr @directive)
  store i32 %enter.directive, ptr %v
  %w = call float @f(float %x)
  call void @__gpuprof_exit(ptr %v)
  %sum = fadd float %x, %z
  store float %sum, ptr addrspace(1) %p
  call void @__gpuprof_exit(ptr %s)
  ret void
}
define internal float @f(float %v) {
  %s = alloca i32
  %enter = call i32 @__gpuprof_enter(ptr @f.r)
  store i32 %enter, ptr %s
  %one = fmul float %v, 1.0
  %two = call float @g(float %one)
  call void @__gpuprof_exit(ptr %s)
  ret float %two
}
define internal float @g(float %v) {
  %s = alloca i32
  %enter = call i32 @__gpuprof_enter(ptr @g.r)
  store i32 %enter, ptr %s
  %one = fmul float %v, 1.0
  call void @__gpuprof_exit(ptr %s)
  ret float %one
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
