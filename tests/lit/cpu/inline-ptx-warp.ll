; Convergent inline PTX, as written by CUB, calls the emulator; a shuffle's predicate guards the following code.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>&1 | %FileCheck --implicit-check-not=warning: %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal i32 @scan_step.cpu
; CHECK: [[WIDE:%.*]] = call i64 @__gpuprof_cpu_shuffle(ptr {{.*}}, i32 0, i32 -1, i32 %x, i32 1, i32 0)
; CHECK: [[BIT:%.*]] = lshr i64 [[WIDE]], 32
; CHECK: [[INSIDE:%.*]] = trunc i64 [[BIT]] to i1
; CHECK: [[FROM:%.*]] = trunc i64 [[WIDE]] to i32
; CHECK: [[SUM:%.*]] = add i32 [[FROM]], %x
; CHECK: select i1 [[INSIDE]], i32 [[SUM]], i32 [[FROM]]
define i32 @scan_step(i32 %x) {
  %r = call i32 asm sideeffect "{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, $1, $2, $3, $5; @p add.s32 r0, r0, $4; mov.s32 $0, r0; }", "=r,r,r,r,r,r"(i32 %x, i32 1, i32 0, i32 %x, i32 -1)
  ret i32 %r
}

; CHECK-LABEL: define internal i32 @others.cpu
; CHECK: call i32 @__gpuprof_cpu_vote(ptr {{.*}}, i32 3, i32 -1,
; CHECK: call i64 @__gpuprof_cpu_match(ptr {{.*}}, i32 0, i32 -1,
; CHECK: call i32 @__gpuprof_cpu_redux(ptr {{.*}}, i32 2, i32 -1,
; CHECK: call void @__gpuprof_cpu_syncwarp(ptr {{.*}}, i32 -1)
define i32 @others(i32 %x) {
  %a = call i32 asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $1, 0; vote.sync.ballot.b32 $0, p, 0xffffffff; }", "=r,r"(i32 %x)
  %b = call i32 asm sideeffect "match.any.sync.b32 $0, $1, 0xffffffff;", "=r,r"(i32 %a)
  %c = call i32 asm sideeffect "redux.sync.max.u32 $0, $1, 0xffffffff;", "=r,r"(i32 %b)
  call void asm sideeffect "bar.warp.sync 0xffffffff;", ""()
  ret i32 %c
}
define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  %a = call i32 @scan_step(i32 1)
  %b = call i32 @others(i32 %a)
  store i32 %b, ptr addrspace(1) %p
  ret void
}
