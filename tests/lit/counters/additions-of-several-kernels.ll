; Threads of several kernels or regions may call a function for other units together: its callees add for each thread.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count,verify' -S %s -o %t
; RUN: %py %S/Inputs/run_additions.py %t inner.gpuprof 1=1
; RUN: sed -n '/^define internal void @inner.gpuprof/,/^}/p' %t | %FileCheck %s --implicit-check-not=activemask
; A function of another unit that it calls gets an address left behind the table, whose begin is found by the row.
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: sub i64 %0,
; CHECK: call void @"theirs$gpuprof"(
; CHECK: mov.b64 wide, 1;
; CHECK-SAME: @one red.global.add.u64 [$0+8], wide;
target triple = "nvptx64-nvidia-cuda"
@_ZL14__gpuprof_unit__static__17 = external addrspace(1) global [32 x i8]

define void @ours(ptr %p) "target-cpu"="sm_90" {
  call void @inner(ptr %p)
  ret void
}
define internal void @inner(ptr %p) noinline "target-cpu"="sm_90" {
  store volatile i32 1, ptr %p
  call void @theirs(ptr %p)
  ret void
}
declare void @theirs(ptr)
