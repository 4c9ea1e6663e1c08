; Addresses depending on an array: the clone reads it. `auto` makes no such clone, since it would run
; at each launch. The sheet names two pointers whose overlap would let the kernel write the array.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique;count=clone>,verify' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=auto;count=clone>,verify' -S %s | %FileCheck --check-prefix=AUTO --implicit-check-not=gpuprof_addresses --implicit-check-not=addresses\\09 %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: addresses\090\09light\093\090:0:8\091:0:8\09
; CHECK-SAME: unique\090\093\0A
; CHECK-SAME: addresses\091\09light\093\090:0:8\091:0:8\09
; CHECK-SAME: addresses_apart\091\090:0\092:0\0A
; AUTO: define ptx_kernel void @unaliased
; CHECK: define ptx_kernel void @"unaliased$gpuprof_addresses"(
; CHECK: load i32, ptr
; CHECK: call void @__gpuprof_record_access(i64 {{%.*}}, ptr {{%.*}}, i64 4)
define ptx_kernel void @unaliased(ptr noalias readonly %index, ptr noalias %x, ptr noalias %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %index, i64 %w
  %i = load i32, ptr %p
  %k = sext i32 %i to i64
  %q = getelementptr float, ptr %x, i64 %k
  %v = load float, ptr %q
  %r = getelementptr float, ptr %y, i64 %w
  store float %v, ptr %r
  ret void
}

define ptx_kernel void @perhaps(ptr %index, ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %index, i64 %w
  %i = load i32, ptr %p
  %k = sext i32 %i to i64
  %q = getelementptr float, ptr %x, i64 %k
  %v = load float, ptr %q
  %r = getelementptr float, ptr %y, i64 %w
  store float %v, ptr %r
  ret void
}
