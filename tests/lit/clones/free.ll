; A kernel with control flow of ids and arguments only: it stays unchanged. Its clone has no loop, and no
; load or store but those of counters. It counts at the address in its last parameter, behind the header.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: clone\090\09free\093\090:0:4\0A

; CHECK: define ptx_kernel void @loop(i32 %n, float %a, ptr %x)
; CHECK-NOT: gpuprof
; CHECK: ret void
define ptx_kernel void @loop(i32 %n, float %a, ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %head, label %out
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %w = sext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %w
  %v = load float, ptr %p
  %s = fadd float %v, %a
  store float %s, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %head, label %out
out:
  ret void
}

; CHECK: define ptx_kernel void @"loop$gpuprof_count"(i32 %n, float %a, ptr %x, i64 [[PLACE:%.*]])
; CHECK-NOT: load float
; CHECK-NOT: store float
; CHECK: [[HEADER:%.*]] = inttoptr i64 [[PLACE]] to ptr addrspace(1)
; CHECK: store i64 ptrtoint (ptr addrspacecast (ptr addrspace(1) @__gpuprof_counters to ptr) to i64), ptr addrspace(1) [[HEADER]]
; CHECK: [[BASE:%.*]] = add nuw i64 [[PLACE]], 128
; CHECK-NOT: float
; CHECK-NOT: phi i32
; CHECK: call i32 @__gpuprof_counter_slot()
; CHECK-NOT: float
; CHECK: ret void
