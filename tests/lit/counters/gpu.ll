; On sm_80 and later the threads that end together add up by redux.sync and one of them adds for all; counts are
; registers, not memory; a null base switches counting off. Before sm_80 each thread adds.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | %FileCheck %s --check-prefixes=CHECK,NEW --implicit-check-not=alloca
; RUN: sed s/sm_90/sm_70/ %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S | %FileCheck %s --check-prefixes=CHECK,OLD --implicit-check-not=redux --implicit-check-not=alloca
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__gpuprof_counters = internal addrspace(1) externally_initialized global [2 x i64] zeroinitializer
; CHECK-LABEL: define ptx_kernel void @other(
; CHECK: load i64, ptr addrspace(1) @__gpuprof_counters
; What runs at most once is counted by a vote.
; NEW: call i32 @llvm.nvvm.vote.ballot.sync(i32 {{.*}}, i1
; NEW-NOT: redux
; CHECK-LABEL: define ptx_kernel void @loop(
; CHECK: body:
; CHECK: [[COUNT:%.*]] = phi i64 [ 0, %entry ], [ [[NEXT:%.*]], %body ]
; CHECK: [[NEXT]] = add i64 [[COUNT]], 1
; CHECK: out:
; CHECK: [[BASE:%.*]] = load i64, ptr addrspace(1) getelementptr inbounds {{.*}}@__gpuprof_counters, i64 {{8|0, i64 1}})
; CHECK: [[ON:%.*]] = icmp ne i64 [[BASE]], 0
; CHECK: br i1 [[ON]]
; CHECK: [[SM:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.smid()
; CHECK: [[SLOT:%.*]] = and i32 [[SM]], 127
; CHECK: mul i32 [[SLOT]], 128
; NEW: [[MASK:%.*]] = call i32 asm sideeffect "activemask.b32 $0;"
; NEW: call i32 @llvm.nvvm.redux.sync.or(i32 {{.*}}, i32 [[MASK]])
; NEW: call i32 @llvm.nvvm.redux.sync.add(i32 {{.*}}, i32 [[MASK]])
; NEW: atomicrmw add ptr addrspace(1) {{.*}} monotonic, align 8
; OLD: atomicrmw add ptr addrspace(1) {{.*}} monotonic, align 8
; OLD: atomicrmw add ptr addrspace(1) {{.*}} monotonic, align 8
; CHECK: ret void
define ptx_kernel void @other(ptr %p) "target-cpu"="sm_90" {
  store i32 0, ptr %p
  ret void
}
define ptx_kernel void @loop(ptr %p, i32 %n) "target-cpu"="sm_90" {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %out
out:
  ret void
}
