; A kernel's array for the counts of called functions is set to zero before the first call of a thread, and left alone by threads
; without calls.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @caller(
; CHECK: [[ARRAY:%.*]] = alloca [2 x i64], align 16
; CHECK-NOT: store
; CHECK: rare:
; CHECK-NEXT: [[IS_FIRST:%.*]] = icmp eq i32
; CHECK-NEXT: br i1 [[IS_FIRST]], label %[[SET:.*]], label %[[CALL:.*]]
; CHECK: [[SET]]:
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr inbounds i64, ptr [[ARRAY]], i64 0
; CHECK-NEXT: store <2 x i64> zeroinitializer, ptr [[PLACE]]
; CHECK: [[CALL]]:
; CHECK: call void @called.gpuprof(
; CHECK: out:
; CHECK: [[USED:%.*]] = phi i32 [ 1, %[[CALL]] ], [ 0, %entry ]
; CHECK: setp.ne.u32 used, $3, 0;
; CHECK-SAME: vote.sync.any.pred is, used, -1;
; CHECK-SAME: "l,r,l,r"({{.*}}, i32 [[USED]])
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
