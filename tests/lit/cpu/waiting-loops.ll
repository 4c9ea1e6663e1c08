; Threads of a block take turns: a loop whose end another thread decides gives the turn away, other loops do not.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: ptr @spins.thread, ptr null,
; CHECK-SAME: ptr @polls.thread, ptr null,
; CHECK-SAME: ptr @adds.thread, ptr @adds.block,

; CHECK-LABEL: define internal void @spins.body.cpu
; CHECK: loop:
; CHECK: cmpxchg
; CHECK: call void @__gpuprof_cpu_yield(ptr %thread)
; CHECK-NEXT: br i1
define ptx_kernel void @spins(ptr addrspace(3) %lock) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr addrspace(3) %lock, i32 0, i32 1 monotonic monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %done, label %loop
done:
  ret void
}

; Without optimisation the value travels through a stack slot.
; CHECK-LABEL: define internal void @polls.body.cpu
; CHECK: call void @__gpuprof_cpu_yield(ptr %thread)
define ptx_kernel void @polls(ptr addrspace(3) %flag) {
entry:
  %slot = alloca i32
  br label %loop
loop:
  %v = load volatile i32, ptr addrspace(3) %flag
  store i32 %v, ptr %slot
  %again = load i32, ptr %slot
  %set = icmp ne i32 %again, 0
  br i1 %set, label %done, label %loop
done:
  ret void
}

; CHECK-LABEL: define internal void @adds.body.cpu
; CHECK-NOT: yield
; CHECK: ret void
define ptx_kernel void @adds(ptr addrspace(3) %sum) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr addrspace(3) %sum, i32 %i monotonic
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, 10
  br i1 %end, label %done, label %loop
done:
  ret void
}
