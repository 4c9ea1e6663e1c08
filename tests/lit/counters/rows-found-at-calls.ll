; A kernel finds its row of counters where it calls a function, if its own counts have registers: mostly there is no call, as in
; the ways of double-precision sines for large arguments.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s --implicit-check-not=alloca <%t
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @caller(
; CHECK-NOT: sreg
; CHECK: rare:
; CHECK: [[BLOCK:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: [[SLOT:%.*]] = and i32 [[BLOCK]], 511
; CHECK: [[ROW:%.*]] = select i1
; CHECK-NEXT: call void @called.gpuprof(ptr %p, i64 [[ROW]])
define ptx_kernel void @caller(ptr %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %c = icmp eq i32 %n, 0
  br i1 %c, label %rare, label %out
rare:
  call void @called(ptr %p)
  br label %out
out:
  ret void
}
define internal void @called(ptr %p) noinline "target-cpu"="sm_90" {
  store volatile i32 0, ptr %p
  ret void
}
