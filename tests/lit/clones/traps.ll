; A thread that traps fails the launch: the clone needs no condition deciding only on a trap.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.trap()
declare void @__assertfail(ptr, ptr, i32, ptr, i64)

; CHECK: clone\090\09free\091\0A
; CHECK: define ptx_kernel void @"asserts$gpuprof_count"
; CHECK-NOT: load i32
; CHECK-NOT: trap
; CHECK-NOT: assertfail
; CHECK: ret void
define ptx_kernel void @asserts(ptr %x) {
  %v = load i32, ptr %x
  %bad = icmp slt i32 %v, 0
  br i1 %bad, label %trap, label %good
trap:
  call void @__assertfail(ptr null, ptr null, i32 1, ptr null, i64 1)
  call void @llvm.trap()
  unreachable
good:
  %s = add i32 %v, 1
  store i32 %s, ptr %x
  ret void
}
