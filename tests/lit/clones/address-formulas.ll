; unique=host adds no function to the module: a kernel with addresses of ids and arguments only has a formula in the sheet,
; which the host evaluates. The other kernels have none, and no kernel changes.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=host;count=clone>,verify' -S %s -o %t
; RUN: %FileCheck --input-file=%t --implicit-check-not=gpuprof_addresses --implicit-check-not=__gpuprof_record_access %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=off;count=clone>,verify' -S %s -o %t.off
; RUN: sed -n '/^define.* @by_/,/^}/p' %t >%t.kernels
; RUN: sed -n '/^define.* @by_/,/^}/p' %t.off | cmp - %t.kernels
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=auto;count=clone>,verify' -S %s | %FileCheck --check-prefix=BOTH %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: addresses\090\09free\092\090:0:4\09@1:0:8\0A
; CHECK-SAME: address_formula\090\09alone\09{{[^\\]*}};tid_x;slt 32 {{[0-9 ]+}};if {{[0-9 ]+}};{{[^\\]*}};mark {{[0-9]+}} #0 #1 #4;br {{[0-9]+}};end\0A
; CHECK-NOT: addresses\091
; BOTH: address_formula\090\09clone\09{{[^\\]*}}mark {{[0-9]+}} #0 #1 #4;{{[^\\]*}}end\0A
; BOTH: define{{.*}} @"by_id$gpuprof_addresses"
define ptx_kernel void @by_id(i32 %n, ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  br i1 %some, label %store, label %out
store:
  %i = sext i32 %t to i64
  %p = getelementptr float, ptr %x, i64 %i
  store float 1.0, ptr %p
  br label %out
out:
  ret void
}

define ptx_kernel void @by_memory(ptr noalias readonly %list, ptr noalias %x) {
  %i = load i64, ptr %list
  %p = getelementptr float, ptr %x, i64 %i
  store float 1.0, ptr %p
  ret void
}
