; On a GPU the frame of a kernel with steps is set and copied by the element. memset and memcpy would become loops over
; single bytes, and those most of the time of ptxas.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count' -S %s -o %t
; RUN: %FileCheck %s --implicit-check-not=llvm.mem < %t
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@r = private constant [23 x i8] c"name=loop\09kind=device\00\00"
@d = private constant [15 x i8] c"kind=directive\00"

; Three groups, the step, and the three groups at the last switch.
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: [[FRAME:%.*]] = alloca [7 x i64]
; CHECK-COUNT-3: store <2 x i64> zeroinitializer, ptr {{.*}}, align 16
; CHECK: store i64 0, ptr {{.*}}, align 8
; The switch of a step: the present counts become those at the last switch.
; CHECK: call void @__gpuprof_step_add(
; CHECK: [[C0:%.*]] = load i64, ptr
; CHECK: store i64 [[C0]], ptr
; CHECK: [[C1:%.*]] = load i64, ptr
; CHECK: store i64 [[C1]], ptr
; CHECK: [[C2:%.*]] = load i64, ptr
; CHECK: store i64 [[C2]], ptr
; CHECK: call void @__gpuprof_step_add(
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
