; A region with steps entered again by recursion keeps its current step in a variable, and restores it
; at its end. The caller's counts go into the frame before the call, since steps may change in it.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,function(mem2reg),gpuprof-count<cpu>' -S %s -o %t
; RUN: %FileCheck %s --implicit-check-not=gpuprof.value < %t
target triple = "nvptx64-nvidia-cuda"
@r = private constant [23 x i8] c"name=loop\09kind=device\00\00"
@d = private constant [15 x i8] c"kind=directive\00"

; CHECK: steps\090\090\0A
; CHECK: define internal void @f.gpuprof(i64 %t, ptr addrspace(1) %p, ptr %[[FRAME:.*]])
; CHECK: %[[BEFORE:.*]] = load i64, ptr %[[CODE:.*]]
; CHECK: call void @__gpuprof_step_add(
; CHECK: store i64 %{{.*}}, ptr %{{.*}}
; CHECK: deeper:
; CHECK: store i64 %{{.*}}, ptr %{{.*}}
; CHECK: call void @f.gpuprof(
; CHECK: call void @__gpuprof_step_add(
; CHECK: store i64 %[[BEFORE]], ptr %{{.*}}
define ptx_kernel void @k(i64 %t, ptr addrspace(1) %p) {
  call void @f(i64 %t, ptr addrspace(1) %p)
  ret void
}
define void @f(i64 %t, ptr addrspace(1) %p) {
entry:
  %s = alloca i32
  %s2 = alloca i32
  %outer = call i32 @__gpuprof_enter(ptr @r)
  store i32 %outer, ptr %s
  %inner = call i32 @__gpuprof_enter(ptr @d)
  store i32 %inner, ptr %s2
  call void @__gpuprof_step(i64 %t)
  call void @__gpuprof_exit(ptr %s2)
  %v = load float, ptr addrspace(1) %p
  %x = fadd float %v, 1.0
  store float %x, ptr addrspace(1) %p
  %next = sub i64 %t, 1
  %again = icmp sgt i64 %t, 0
  br i1 %again, label %deeper, label %end
deeper:
  call void @f(i64 %next, ptr addrspace(1) %p)
  br label %end
end:
  call void @__gpuprof_exit(ptr %s)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare void @__gpuprof_step(i64)
