; A loop with a trip count known before it is counted there, once for all enclosing
; loops with known trip counts. An exit decided by data leaves the addition in the loop.
; The counts are in variables, which become values here to show those of each block.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,function(mem2reg,instsimplify),verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: kernel\090\09nest\09groups=16\0A
; CHECK-SAME: cost\090\091\09-\09-\090\09integer=2\09compare=1\0A
; CHECK-SAME: cost\090\092\09-\09-\090\09integer=1\09compare=1\09global_store=4

; CHECK-LABEL: define ptx_kernel void @nest(
; CHECK: head:
; CHECK: [[OUTER:%.*]] = zext i32 %n to i64
; CHECK: [[INNER:%.*]] = shl nuw nsw i64 {{%.*}}, 3
; CHECK: outer:
; CHECK-NOT: add i64
; CHECK: out:
; CHECK-DAG: phi i64 [ [[OUTER]], %outer.end ], [ 0, %entry ]
; CHECK-DAG: phi i64 [ [[INNER]], %outer.end ], [ 0, %entry ]
; CHECK: ret void
define ptx_kernel void @nest(ptr %p, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %head, label %out
head:
  br label %outer
outer:
  %i = phi i32 [ 0, %head ], [ %i.next, %outer.end ]
  %x = mul i32 %i, %n
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store i32 %x, ptr %p
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 8
  br i1 %j.more, label %inner, label %outer.end
outer.end:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp slt i32 %i.next, %n
  br i1 %i.more, label %outer, label %out
out:
  ret void
}

; In a loop tested first the body runs once less than the test.
; CHECK-LABEL: define ptx_kernel void @tested.first(
; CHECK: entry:
; CHECK-NEXT: [[TEST:%.*]] = add i64 %n, 1
; CHECK-NEXT: br label %test
; CHECK: add nuw i64 %i, 1
; CHECK-NOT: phi
; CHECK: [[OLD:%.*]] = load i64, ptr addrspace(1)
; CHECK: add i64 {{%.*}}, [[TEST]]
; CHECK: add i64 {{%.*}}, %n
; CHECK: ret void
define ptx_kernel void @tested.first(ptr %p, i64 %n) {
entry:
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %out
body:
  store i64 %i, ptr %p
  %next = add nuw i64 %i, 1
  br label %test
out:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @breaks(
; CHECK: loop:
; CHECK-COUNT-2: phi i64 [ 0, %entry ], [ %{{.*}}, %latch ]
; CHECK: add i64 %gpuprof.{{.*}}, 1
; CHECK: latch:
; CHECK-NEXT: add i64 %gpuprof.{{.*}}, 1
; CHECK: ret void
define ptx_kernel void @breaks(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load i32, ptr %p
  %found = icmp eq i32 %x, 3
  br i1 %found, label %out, label %latch
latch:
  store i32 %i, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, 100
  br i1 %more, label %loop, label %out
out:
  ret void
}
