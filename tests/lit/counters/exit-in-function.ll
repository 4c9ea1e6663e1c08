; A thread ending in a function that is not inlined adds its kernel's counts,
; too: they are in the array before the call, and the function adds the array.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: [[ARRAY:%.*]] = alloca [3 x i64]
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i64, ptr [[ARRAY]], i64 0
; CHECK-NEXT: [[OLD:%.*]] = load i64, ptr [[PLACE]]
; CHECK-NEXT: [[NEW:%.*]] = add i64 [[OLD]], 1
; CHECK-NEXT: store i64 [[NEW]], ptr [[PLACE]]
; CHECK: call void @leave.gpuprof(i32 %n, i1 %c, ptr [[ARRAY]])
; CHECK: ret void
; CHECK-LABEL: define internal void @leave.gpuprof(
; CHECK: gone:
; CHECK: load i64, ptr addrspace(1) @__gpuprof_counters
; CHECK: gpuprof.flush:
; CHECK: [[ELEMENT:%.*]] = getelementptr inbounds i64, ptr %0, i64
; CHECK-NEXT: [[COUNT:%.*]] = load i64, ptr [[ELEMENT]]
; CHECK-NEXT: store i64 0, ptr [[ELEMENT]]
; CHECK: add i64 {{%.*}}, [[COUNT]]
; CHECK: call void @llvm.nvvm.exit()
define ptx_kernel void @k(i32 %n, i1 %c) {
  %x = add i32 %n, 1
  call void @leave(i32 %n, i1 %c)
  %y = add i32 %n, 2
  %z = add i32 %n, 3
  ret void
}
define internal void @leave(i32 %n, i1 %c) noinline {
  br i1 %c, label %gone, label %stays
gone:
  %a = mul i32 %n, %n
  call void @llvm.nvvm.exit()
  unreachable
stays:
  ret void
}
declare void @llvm.nvvm.exit()
