; Counts of a clone stay on the device until they are read, for each launch that differs: they take few slots.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>,verify' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=inkernel>,verify' -S %s | %FileCheck --check-prefix=KERNEL %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @"store$gpuprof_count"
; CHECK: and.b32 slot, slot, 63;
; KERNEL: define ptx_kernel void @store(
; KERNEL: and.b32 slot, slot, 511;
define ptx_kernel void @store(ptr %x) "target-cpu"="sm_90" {
  store float 1.0, ptr %x
  ret void
}
