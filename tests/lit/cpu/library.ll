; Calls of the device's library go to the emulator or the C library; functions without a body stop the launch.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck --implicit-check-not=unreached %s
; RUN: %FileCheck --check-prefix=WARNING --implicit-check-not=beyond %s < %t.err
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; WARNING: warning: {{.*}}the CPU device cannot run function elsewhere, which has no body in this file
; WARNING: warning: {{.*}}the CPU device cannot run intrinsic llvm.nvvm.suq.width

; A function with its address taken gets a body stopping the launch.
; CHECK: define internal i32 @pointed_to.cpu(i32 %0)
; CHECK: call void @__gpuprof_cpu_unsupported(
; CHECK-NEXT: ret i32 0

; CHECK-LABEL: define internal void @kernel.body.cpu(ptr %thread, ptr %p)
; CHECK: call i32 @__gpuprof_cpu_vprintf(ptr %p, ptr null)
; CHECK: call ptr @__gpuprof_cpu_malloc(i64 8)
; CHECK: call void @__gpuprof_cpu_free(ptr
; CHECK: call float @sinf(float 1.000000e+00)
; CHECK: call void @__gpuprof_cpu_unsupported(
; CHECK: call void @__gpuprof_cpu_unsupported(
; CHECK: call void @__gpuprof_cpu_assert_fail(ptr %p, ptr %p, i32 7, ptr %p)
; CHECK: call void @__gpuprof_cpu_trap(ptr
; CHECK-NEXT: unreachable
define ptx_kernel void @kernel(ptr %p) {
  %n = call i32 @vprintf(ptr %p, ptr null)
  %m = call ptr @malloc(i64 8)
  call void @free(ptr %m)
  %s = call float @__nv_sinf(float 1.0)
  call void @elsewhere(i32 1)
  %width = call i32 @llvm.nvvm.suq.width(i64 0)
  call void @__assertfail(ptr %p, ptr %p, i32 7, ptr %p, i64 1)
  call void @llvm.trap()
  unreachable
}

define ptx_kernel void @pointer(ptr %p) {
  store ptr @pointed_to, ptr %p
  ret void
}
declare i32 @pointed_to(i32)
declare i32 @vprintf(ptr, ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare float @__nv_sinf(float)
declare void @elsewhere(i32)
declare i32 @llvm.nvvm.suq.width(i64)
declare void @llvm.trap()
declare void @__assertfail(ptr, ptr, i32, ptr, i64)

; Unreachable functions are left out, without a warning.
define void @unreached() {
  call void @beyond()
  ret void
}
declare void @beyond()
