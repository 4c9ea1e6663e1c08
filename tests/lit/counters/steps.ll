; A step begins a block, so that its counts are its own. The counts since the last switch
; go to the step's lines at the next switch, at the region's end and at the kernel's end.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>' -S %s -o %t
; RUN: %FileCheck %s --implicit-check-not=gpuprof.value < %t
target triple = "nvptx64-nvidia-cuda"
@r = private constant [23 x i8] c"name=loop\09kind=device\00\00"
@d = private constant [15 x i8] c"kind=directive\00"

; CHECK: region\090\09-\09name=loop\09kind=device\0A
; CHECK-SAME: cost\090\091\090\09-\090\09fp32_add=1\0A
; CHECK-SAME: cost\090\092\09-\09-\090\09global_store=4\09global_uniform=4{{(.09lanes_[a-z_]+=[0-9]+)*}}\0A
; CHECK-SAME: steps\090\090\0A
; The frame: three groups, the step, and the three groups at the last switch.
; CHECK: define {{.*}}@k(
; CHECK: %gpuprof.counts = alloca [7 x i64]
; CHECK: call void @llvm.memset{{.*}}i64 56
; CHECK-COUNT-3: call void @__gpuprof_step_add(
; CHECK-NOT: call void @__gpuprof_step_add(
; CHECK: define internal void @__gpuprof_step_add(
define ptx_kernel void @k(i64 %t, float %v, ptr addrspace(1) %p) {
  %s = alloca i32
  %s2 = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @r)
  store i32 %1, ptr %s
  %2 = call i32 @__gpuprof_enter(ptr @d)
  store i32 %2, ptr %s2
  call void @__gpuprof_step(i64 %t)
  call void @__gpuprof_exit(ptr %s2)
  %x = fadd float %v, 1.0
  call void @__gpuprof_exit(ptr %s)
  store float %x, ptr addrspace(1) %p
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare void @__gpuprof_step(i64)
