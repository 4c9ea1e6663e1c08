; Where a thread may end in the middle of a block, under a predicate, it adds what it has counted, and begins at zero again
; in case it goes on; what follows is a group of its own.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK: cost\090\090\09-\09-\090\09integer=1\0A
; CHECK-SAME: cost\090\091\09-\09-\090\09integer=2\0A
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: call i32 @__gpuprof_counter_slot()
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i64, ptr addrspace(1) {{%.*}}, i64 0
; CHECK: load i64, ptr addrspace(1) [[FIRST]]
; CHECK-NEXT: add i64 {{%.*}}, 1
; CHECK: call void asm sideeffect "@$0 exit;"
; CHECK: call i32 @__gpuprof_counter_slot()
; Only the second group is left to add.
; CHECK: getelementptr inbounds i64, ptr addrspace(1) {{%.*}}, i64 1
; CHECK-NOT: getelementptr
; CHECK: ret void
define ptx_kernel void @k(i32 %n, i1 %c) {
  %x = add i32 %n, 1
  call void asm sideeffect "@$0 exit;", "b"(i1 %c)
  %y = add i32 %n, 2
  %z = add i32 %n, 3
  ret void
}
