; Counters in registers cost a kernel at most one step of occupancy, those of loops half of its warps. Beyond that,
; or beyond the registers of its launch bounds, counts are added to memory at once, of inner loops the last.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<remarks>,verify' -pass-remarks=gpuprof -S %s -o %t 2>%t.remarks
; RUN: %FileCheck %s <%t
; RUN: %FileCheck --check-prefix=SAYS %s <%t.remarks
; RUN: %py %S/Inputs/run_flush.py %t bounded bits:0:1 long:1 long:2 long:3 long:4 long:5 long:6 long:7 long:8 long:9 long:10 long:11 long:12 long:13
target triple = "nvptx64-nvidia-cuda"

; SAYS: kernel few is counted by 12 counters
; SAYS-NOT: memory
; SAYS: kernel many is counted by 16 counters
; SAYS-NOT: memory
; SAYS: kernel bounded is counted by {{.*}}; counts are kept in memory, since registers for them would leave room for fewer warps

; CHECK-LABEL: define ptx_kernel void @few(
; CHECK-NOT: alloca
; CHECK: "l,r,l,l,l,l,l,l,l,l,l,l,l"
define ptx_kernel void @few(ptr %p) "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9]
c0:
  store volatile i32 0, ptr %p
  br label %turn
c1:
  store volatile i32 1, ptr %p
  br label %turn
c2:
  store volatile i32 2, ptr %p
  br label %turn
c3:
  store volatile i32 3, ptr %p
  br label %turn
c4:
  store volatile i32 4, ptr %p
  br label %turn
c5:
  store volatile i32 5, ptr %p
  br label %turn
c6:
  store volatile i32 6, ptr %p
  br label %turn
c7:
  store volatile i32 7, ptr %p
  br label %turn
c8:
  store volatile i32 8, ptr %p
  br label %turn
c9:
  store volatile i32 9, ptr %p
  br label %turn
out:
  ret void
}

; Two steps of occupancy.
; CHECK-LABEL: define ptx_kernel void @many(
; CHECK-NOT: alloca
; CHECK-COUNT-15: phi i64 [ 0, %entry ]
define ptx_kernel void @many(ptr %p) "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11 i32 12, label %c12 i32 13, label %c13]
c0:
  store volatile i32 0, ptr %p
  br label %turn
c1:
  store volatile i32 1, ptr %p
  br label %turn
c2:
  store volatile i32 2, ptr %p
  br label %turn
c3:
  store volatile i32 3, ptr %p
  br label %turn
c4:
  store volatile i32 4, ptr %p
  br label %turn
c5:
  store volatile i32 5, ptr %p
  br label %turn
c6:
  store volatile i32 6, ptr %p
  br label %turn
c7:
  store volatile i32 7, ptr %p
  br label %turn
c8:
  store volatile i32 8, ptr %p
  br label %turn
c9:
  store volatile i32 9, ptr %p
  br label %turn
c10:
  store volatile i32 10, ptr %p
  br label %turn
c11:
  store volatile i32 11, ptr %p
  br label %turn
c12:
  store volatile i32 12, ptr %p
  br label %turn
c13:
  store volatile i32 13, ptr %p
  br label %turn
out:
  ret void
}

; 2,048 threads of a multiprocessor leave each 32 registers.
; CHECK-LABEL: define ptx_kernel void @bounded(
; CHECK-NOT: alloca
; CHECK: [[ROW:%.*]] = select i1
; CHECK-COUNT-13: phi i64 [ 0, %entry ]
; CHECK-NOT: phi i64 [ 0, %entry ]
; CHECK: call void asm sideeffect "{{.*}}@one red.global.add.u64 [$0+{{[0-9]+}}], sum;{{.*}}", "l"(i64 [[ROW]])
; What runs once is a bit of a register, also there.
; CHECK: "l,r,l,l,l,l,l,l,l,l,l,l,l,l,l"(i64 {{.*}}, i32 1,
define ptx_kernel void @bounded(ptr %p) "target-cpu"="sm_90" "nvvm.maxntid"="512,2" "nvvm.minctasm"="2" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11 i32 12, label %c12 i32 13, label %c13]
c0:
  store volatile i32 0, ptr %p
  br label %turn
c1:
  store volatile i32 1, ptr %p
  br label %turn
c2:
  store volatile i32 2, ptr %p
  br label %turn
c3:
  store volatile i32 3, ptr %p
  br label %turn
c4:
  store volatile i32 4, ptr %p
  br label %turn
c5:
  store volatile i32 5, ptr %p
  br label %turn
c6:
  store volatile i32 6, ptr %p
  br label %turn
c7:
  store volatile i32 7, ptr %p
  br label %turn
c8:
  store volatile i32 8, ptr %p
  br label %turn
c9:
  store volatile i32 9, ptr %p
  br label %turn
c10:
  store volatile i32 10, ptr %p
  br label %turn
c11:
  store volatile i32 11, ptr %p
  br label %turn
c12:
  store volatile i32 12, ptr %p
  br label %turn
c13:
  store volatile i32 13, ptr %p
  br label %turn
out:
  ret void
}
