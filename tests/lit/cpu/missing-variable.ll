; A variable of another file is an error with its reason.
; RUN: ! %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -disable-output %s 2>%t.err
; RUN: %FileCheck %s < %t.err
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: device variable 'elsewhere' is only declared in this file: the CPU device needs its definition here, or -fgpu-rdc and a file that has it
@elsewhere = external addrspace(1) global i32
define ptx_kernel void @kernel() {
  store i32 1, ptr addrspace(1) @elsewhere
  ret void
}
