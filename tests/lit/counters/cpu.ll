; On the CPU device the slot is the worker's, with plain additions and no warp operation. A
; thread's counts stay in variables in its memory; the threads of a block can share them.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,verify' -S %s | %FileCheck %s --implicit-check-not=atomicrmw --implicit-check-not=redux --implicit-check-not=asm --implicit-check-not=smid
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NEXT: %gpuprof.count = alloca i64
; CHECK-NEXT: store i64 0, ptr %gpuprof.count,
; CHECK-NEXT: [[BEFORE:%.*]] = load i64, ptr %gpuprof.count,
; CHECK-NEXT: [[AFTER:%.*]] = add i64 [[BEFORE]], 1{{$}}
; CHECK-NEXT: store i64 [[AFTER]], ptr %gpuprof.count,
; CHECK-NEXT: store i32 0, ptr %p
; CHECK-NEXT: [[COUNT:%.*]] = load i64, ptr %gpuprof.count,
; CHECK-NOT: %gpuprof.count
; CHECK: icmp ne i64 {{.*}}, 0
; CHECK: [[SLOT:%.*]] = call i32 @__gpuprof_counter_slot()
; CHECK: [[OLD:%.*]] = load i64, ptr addrspace(1) [[ROW:%.*]],
; CHECK: [[NEW:%.*]] = add i64 [[OLD]], [[COUNT]]{{$}}
; CHECK: store i64 [[NEW]], ptr addrspace(1) [[ROW]]
; CHECK: declare i32 @__gpuprof_counter_slot()
define ptx_kernel void @k(ptr %p) "target-cpu"="sm_90" {
  store i32 0, ptr %p
  ret void
}
