; For the CPU device: the slot is the worker's, plain additions, no warp operation.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,verify' -S %s | %FileCheck %s --implicit-check-not=atomicrmw --implicit-check-not=redux --implicit-check-not=asm --implicit-check-not=smid
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: icmp ne i64 {{.*}}, 0
; CHECK: [[SLOT:%.*]] = call i32 @__gpuprof_counter_slot()
; CHECK: [[OLD:%.*]] = load i64, ptr addrspace(1) [[ROW:%.*]],
; CHECK: [[NEW:%.*]] = add i64 [[OLD]], 1
; CHECK: store i64 [[NEW]], ptr addrspace(1) [[ROW]]
; CHECK: declare i32 @__gpuprof_counter_slot()
define ptx_kernel void @k(ptr %p) "target-cpu"="sm_90" {
  store i32 0, ptr %p
  ret void
}
