; A thread ending by the exit instruction, or by exit in inline
; PTX, adds its counts before. The IR behind is another group.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK: cost\091\090\09-\09-\090\09integer=1\0A
; CHECK-SAME: cost\091\091\09-\09-\090\09integer=2\0A
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: call i32 @__gpuprof_counter_slot()
; CHECK: call void @llvm.nvvm.exit()
; CHECK: call i32 @__gpuprof_counter_slot()
; CHECK: ret void
define ptx_kernel void @k(i32 %n, i1 %c) {
  %x = add i32 %n, 1
  br i1 %c, label %early, label %out
early:
  call void @llvm.nvvm.exit()
  unreachable
out:
  ret void
}
; CHECK-LABEL: define ptx_kernel void @inline(
; CHECK: call i32 @__gpuprof_counter_slot()
; CHECK: call void asm sideeffect "exit;"
; CHECK: call i32 @__gpuprof_counter_slot()
; CHECK: ret void
define ptx_kernel void @inline(i32 %n, i1 %c) {
  %x = add i32 %n, 1
  br i1 %c, label %early, label %out
early:
  call void asm sideeffect "exit;", ""()
  br label %out
out:
  %y = add i32 %n, 2
  %z = add i32 %n, 3
  ret void
}
declare void @llvm.nvvm.exit()
