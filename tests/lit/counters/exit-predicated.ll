; At a predicated exit inside a block a thread adds its counts and
; starts again at zero, in case it goes on. The code behind is a group
; of its own. The counts are in variables, which become values here.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,function(mem2reg),verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK: cost\090\090\09-\09-\090\09integer=1\0A
; CHECK-SAME: cost\090\091\09-\09-\090\09integer=2\0A
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: [[ONE:%.*]] = add i64 0, 1{{$}}
; CHECK: call i32 @__gpuprof_counter_slot()
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i64, ptr addrspace(1) {{%.*}}, i64 0
; CHECK-NEXT: [[OLD:%.*]] = load i64, ptr addrspace(1) [[FIRST]]
; CHECK-NEXT: [[NEW:%.*]] = add i64 [[OLD]], [[ONE]]{{$}}
; CHECK-NEXT: store i64 [[NEW]], ptr addrspace(1) [[FIRST]]
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr inbounds i64, ptr addrspace(1) {{%.*}}, i64 1
; CHECK-NEXT: [[OLD:%.*]] = load i64, ptr addrspace(1) [[SECOND]]
; CHECK-NEXT: add i64 [[OLD]], 0{{$}}
; CHECK: call void asm sideeffect "@$0 exit;"
; CHECK: [[ONE:%.*]] = add i64 0, 1{{$}}
; CHECK: call i32 @__gpuprof_counter_slot()
; Only the second group is left to add: of the first there is nothing.
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i64, ptr addrspace(1) {{%.*}}, i64 0
; CHECK-NEXT: [[OLD:%.*]] = load i64, ptr addrspace(1) [[FIRST]]
; CHECK-NEXT: [[NEW:%.*]] = add i64 [[OLD]], 0{{$}}
; CHECK-NEXT: store i64 [[NEW]], ptr addrspace(1) [[FIRST]]
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr inbounds i64, ptr addrspace(1) {{%.*}}, i64 1
; CHECK-NEXT: [[OLD:%.*]] = load i64, ptr addrspace(1) [[SECOND]]
; CHECK-NEXT: [[NEW:%.*]] = add i64 [[OLD]], [[ONE]]{{$}}
; CHECK-NEXT: store i64 [[NEW]], ptr addrspace(1) [[SECOND]]
; CHECK-NOT: getelementptr
; CHECK: ret void
define ptx_kernel void @k(i32 %n, i1 %c) {
  %x = add i32 %n, 1
  call void asm sideeffect "@$0 exit;", "b"(i1 %c)
  %y = add i32 %n, 2
  %z = add i32 %n, 3
  ret void
}
