; Each access of global memory marks its sectors first; no other access does.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global i32 undef
@constant = addrspace(4) externally_initialized constant [4 x i32] zeroinitializer
@__gpuprof_counters = internal addrspace(1) global [1 x i64] zeroinitializer

; One sector: an access aligned to its size cannot straddle two.
; CHECK-LABEL: define internal void @aligned.body.cpu
; CHECK: [[BASE:%.*]] = load i64, ptr @__gpuprof_cpu_sectors
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[OFFSET:%.*]] = sub i64 [[ADDRESS]], [[BASE]]
; CHECK: [[INSIDE:%.*]] = icmp ult i64 [[OFFSET]], %{{.*}}
; CHECK: br i1 [[INSIDE]]
; CHECK: [[SECTOR:%.*]] = lshr i64 [[OFFSET]], 5
; CHECK: [[MARK:%.*]] = getelementptr inbounds i8, ptr %{{.*}}, i64 [[SECTOR]]
; CHECK-NEXT: store i8 1, ptr [[MARK]]
; CHECK-NEXT: br
; CHECK: call void @__gpuprof_cpu_record_access(ptr %{{.*}}, i64 4)
; CHECK: load i32, ptr %p, align 4
; The second access of the same address adds nothing.
; CHECK-NOT: store i8 1
; CHECK: ret void
define ptx_kernel void @aligned(ptr %p) {
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %p, align 4
  ret void
}

; Two marks: 8 bytes with an alignment of 4.
; CHECK-LABEL: define internal void @straddling.body.cpu
; CHECK: store i8 1
; CHECK: add i64 %{{.*}}, 7
; CHECK: store i8 1
; CHECK: store double
define ptx_kernel void @straddling(ptr %p) {
  store double 1.0, ptr %p, align 4
  ret void
}

; CHECK-LABEL: define internal void @updates.body.cpu
; CHECK-COUNT-2: store i8 1
; CHECK-NOT: store i8 1
; CHECK: ret void
define ptx_kernel void @updates(ptr %p, ptr %q) {
  %a = atomicrmw add ptr %p, i32 1 syncscope("block") monotonic
  %b = cmpxchg ptr %q, i32 0, i32 1 monotonic monotonic
  ret void
}

; CHECK-LABEL: define internal void @blocks.body.cpu
; CHECK: call void @__gpuprof_cpu_record_access(ptr %{{.*}}, i64 256)
; CHECK: call void @__gpuprof_cpu_record_access(ptr %{{.*}}, i64 256)
; CHECK: call void @llvm.memcpy
define ptx_kernel void @blocks(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 256, i1 false)
  ret void
}

; CHECK-LABEL: define internal void @elsewhere.body.cpu
; CHECK-NOT: @__gpuprof_cpu_sectors
; CHECK-NOT: touch_slow
; CHECK: ret void
define ptx_kernel void @elsewhere(ptr byval(i64) %parameter) {
  %local = alloca i32
  store i32 1, ptr %local
  store i32 1, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  %c = load i32, ptr addrspacecast (ptr addrspace(4) @constant to ptr)
  %x = load i32, ptr %parameter
  %base = load i64, ptr addrspace(1) @__gpuprof_counters
  %slot = call i32 @__gpuprof_counter_slot()
  %wide = zext i32 %slot to i64
  %bytes = mul i64 %wide, 16
  %row = add i64 %base, %bytes
  %counter = inttoptr i64 %row to ptr addrspace(1)
  %next = getelementptr i64, ptr addrspace(1) %counter, i64 1
  %old = atomicrmw add ptr addrspace(1) %next, i64 1 monotonic
  ret void
}
declare i32 @__gpuprof_counter_slot()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
