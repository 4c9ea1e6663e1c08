; No name of the device meets one of the host; a function without a body stops the launch.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-close-module -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @elsewhere.cpu
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: define internal void @elsewhere.cpu()
; CHECK: call void @__gpuprof_cpu_unsupported(
; CHECK: define internal void @k.body.cpu(
declare void @elsewhere()
define ptx_kernel void @k(ptr addrspace(1) %p) {
  call void @elsewhere()
  ret void
}
