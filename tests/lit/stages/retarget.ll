; Kernels become bodies for the host, with the state of the thread as first parameter.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=verify -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @k.body
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: target triple = "x86_64
; CHECK: define internal void @k.body(ptr {{.*}}%thread, ptr addrspace(1) {{.*}}%p)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
