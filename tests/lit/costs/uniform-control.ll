; Divergent branches and loop exits end the sharing of the values they select.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [1024 x float] undef

; Every lane counts from 0: lanes in the loop have the same count, lanes behind it do not.
; CHECK-LABEL: costs of loop:
; CHECK: shared_load=4 shared_uniform=4 : %inside =
; CHECK: shared_load=4 : %after =
define ptx_kernel void @loop() {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %a = getelementptr float, ptr addrspace(3) @shared, i32 %i
  %inside = load float, ptr addrspace(3) %a
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %tid
  br i1 %more, label %body, label %out
out:
  %b = getelementptr float, ptr addrspace(3) @shared, i32 %next
  %after = load float, ptr addrspace(3) %b
  ret void
}

; CHECK-LABEL: costs of branch:
; CHECK: shared_load=4 shared_uniform=4 : %alike =
; CHECK: shared_load=4 : %joined =
define ptx_kernel void @branch(i1 %which) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp slt i32 %tid, 7
  br i1 %which, label %left, label %next
left:
  br label %next
next:
  %i = phi i32 [ 0, %entry ], [ 1, %left ]
  %a = getelementptr float, ptr addrspace(3) @shared, i32 %i
  %alike = load float, ptr addrspace(3) %a
  br i1 %low, label %right, label %join
right:
  br label %join
join:
  %j = phi i32 [ 0, %next ], [ 1, %right ]
  %b = getelementptr float, ptr addrspace(3) @shared, i32 %j
  %joined = load float, ptr addrspace(3) %b
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
