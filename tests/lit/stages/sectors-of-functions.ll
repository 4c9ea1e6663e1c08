; Functions record the sectors of their accesses; bodies of kernels are left to later stages.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-sectors-of-functions -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__gpuprof_cpu_sectors
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @helper
; CHECK: @__gpuprof_cpu_sectors
; CHECK-LABEL: define internal void @k.body
; CHECK-NOT: @__gpuprof_cpu_sectors
; CHECK: ret void
define internal void @helper(ptr addrspace(1) %p) noinline {
  store i32 1, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  call void @helper(ptr addrspace(1) %p)
  store i32 2, ptr addrspace(1) %p
  ret void
}
