; A directive is no unreachable access: its kernel has a marking kernel, which counts the spikes, too.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<unique>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %p) {
  %x = load i32, ptr %p
  call void @__gpuprof_spike(i32 %x)
  ret void
}
declare void @__gpuprof_spike(i32)

; CHECK: define ptx_kernel void @"k$gpuprof_unique"(
; CHECK: call void @__gpuprof_record_access(i64 {{%.*}}, ptr %p, i64 4)
; CHECK-NEXT: load i32, ptr %p
; CHECK: red.global.add.u64
