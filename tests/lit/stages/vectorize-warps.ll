; A warp walks along a row of its own, found by the index in the grid: its lanes are those of vectors, and their rows are
; recorded by one call. A strip that two warps share is run lane by lane.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops,gpuprof-cpu-vectorize-lanes -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK: %[[FIRST:[0-9]+]] = lshr i32 %[[INDEX:[0-9]+]], 5
; CHECK: %[[OTHER:.*]] = add i32 %[[INDEX]], 15
; CHECK: %[[LAST:.*]] = lshr i32 %[[OTHER]], 5
; CHECK: %[[ONE:.*]] = icmp eq i32 %[[LAST]], %[[FIRST]]
; CHECK: br i1 %[[ONE]], label %{{.*}}, label %strip.leave
; CHECK: call void @__gpuprof_cpu_record_lanes(ptr %{{.*}}, i64 4, i64 16, i64 4, i64 128, ptr %{{.*}})
; CHECK: load <16 x float>
; CHECK: fadd <16 x float>
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %w, %b
  %i = add i32 %first, %t
  %warp = lshr i32 %i, 5
  %lane = and i32 %t, 31
  %warp64 = zext i32 %warp to i64
  %lane64 = zext i32 %lane to i64
  %row = mul i64 %warp64, %n
  %any = icmp slt i64 %lane64, %n
  br i1 %any, label %loop, label %end
loop:
  %c = phi i64 [ %lane64, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = add i64 %row, %c
  %a = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %a
  %more = fadd float %sum, %x
  %next = add nsw i64 %c, 32
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i64 = zext i32 %i to i64
  %o = getelementptr float, ptr addrspace(1) %out, i64 %i64
  store float %all, ptr addrspace(1) %o
  ret void
}
