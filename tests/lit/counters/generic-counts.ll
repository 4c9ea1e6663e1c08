; In a kernel with steps the counters of a function that is not inlined lie in the kernel's local memory and are reached by
; generic instructions; the hardware check is told. Other kernels have no such bytes.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@r = private constant [23 x i8] c"name=loop\09kind=device\00\00"
@d = private constant [15 x i8] c"kind=directive\00"

; CHECK: @__gpuprof_sheet
; CHECK-SAME: \09generic_local_load=8\09generic_local_store=8\0A
; CHECK-SAME: kernel\091\09without_steps
; CHECK-NOT: generic_local
; CHECK-SAME: end
define ptx_kernel void @calls(ptr %p) {
  %s = alloca i32
  %s2 = alloca i32
  %1 = call i32 @__gpuprof_enter(ptr @r)
  store i32 %1, ptr %s
  %2 = call i32 @__gpuprof_enter(ptr @d)
  store i32 %2, ptr %s2
  call void @__gpuprof_step(i64 1)
  call void @__gpuprof_exit(ptr %s2)
  %x = load float, ptr %p
  call void @called(ptr %p)
  call void @__gpuprof_exit(ptr %s)
  ret void
}
define internal void @called(ptr %p) noinline {
  store float 1.0, ptr %p
  ret void
}
define ptx_kernel void @without_steps(ptr %p) {
  call void @called(ptr %p)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
declare void @__gpuprof_step(i64)
