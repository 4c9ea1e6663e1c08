; The device's names, metadata and attributes must not meet those of the host module.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$inline = comdat any
@hidden = internal addrspace(1) global i32 3
@tables = addrspace(1) constant [2 x i32] [i32 1, i32 2]
@llvm.used = appending global [1 x ptr] [ptr @_Z3sumi], section "llvm.metadata"

; CHECK: target datalayout = "e-m:e-p270
; CHECK: target triple = "x86_64
; CHECK-NOT: comdat
; CHECK: @hidden.cpu = internal addrspace(1) global i32 3
; CHECK: @tables.cpu = internal addrspace(1) constant
; CHECK-NOT: llvm.used
; CHECK: define internal i32 @_Z3sumi.cpu(i32 %x)
define i32 @_Z3sumi(i32 %x) comdat($inline) {
  ret i32 %x
}
; CHECK: define internal void @kernel.body.cpu
; CHECK: call i32 @_Z3sumi.cpu(i32 1)
define ptx_kernel void @kernel() {
  %1 = call i32 @_Z3sumi(i32 1) convergent
  ret void
}
; CHECK-NOT: nvvm.annotations
; CHECK-NOT: nvvm-reflect-ftz
; CHECK: !{i32 2, !"Debug Info Version", i32 3}
!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2}
!0 = !{ptr @kernel, !"kernel", i32 1}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 2, !"Debug Info Version", i32 3}
