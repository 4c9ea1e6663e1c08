; The paths to the return of a called function add their counts apart: what did not run on a path is not added there.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
target triple = "nvptx64-nvidia-cuda"

; One count on the early way, two on the other; both meet again.
; CHECK: define internal i32 @called.gpuprof(
; CHECK: load volatile i32
; CHECK: store volatile i32
; CHECK: out.counts{{[0-9]*}}:
; CHECK-COUNT-2: @one red.global.add.u64
; CHECK-NOT: red.global
; CHECK: br label %out
; CHECK: out.counts{{[0-9]*}}:
; CHECK-COUNT-1: @one red.global.add.u64
; CHECK-NOT: red.global
; CHECK: br label %out
; CHECK: out:
; CHECK-NEXT: phi i32
; CHECK-NEXT: ret i32
define internal i32 @called(ptr %p, i32 %n) noinline "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %out, label %more
more:
  store volatile i32 %n, ptr %p
  br label %out
out:
  %r = phi i32 [ 0, %entry ], [ %n, %more ]
  ret i32 %r
}
define ptx_kernel void @caller(ptr %p, i32 %n) "target-cpu"="sm_90" {
  %r = call i32 @called(ptr %p, i32 %n)
  store volatile i32 %r, ptr %p
  ret void
}
