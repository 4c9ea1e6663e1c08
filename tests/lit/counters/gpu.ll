; A whole warp ending together adds up by redux.sync on sm_80 and later, else by shuffles; each thread adds
; some of the sums. In a part of a warp each thread adds its own counts. One statement of inline assembly does
; it. Blocks run at most once share a word. Counts are registers; a null base switches counting off.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | sed 's/.0A.09/\n/g' | %FileCheck %s --check-prefixes=CHECK,NEW --implicit-check-not=alloca --implicit-check-not=shfl
; RUN: sed s/sm_90/sm_70/ %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S | sed 's/.0A.09/\n/g' | %FileCheck %s --check-prefixes=CHECK,OLD --implicit-check-not=redux --implicit-check-not=alloca
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__gpuprof_counters = internal addrspace(1) externally_initialized global [2 x i64] zeroinitializer
; CHECK-LABEL: define ptx_kernel void @other(
; CHECK: load i64, ptr addrspace(1) @__gpuprof_counters
; CHECK-LABEL: define ptx_kernel void @loop(
; CHECK: body:
; CHECK: [[COUNT:%.*]] = phi i64 [ 0, %entry ], [ [[NEXT:%.*]], %body ]
; CHECK: [[NEXT]] = add i64 [[COUNT]], 1
; CHECK: out:
; CHECK-DAG: [[TURNS:%.*]] = phi i64 [ [[NEXT]], %after ], [ 0, %entry ]
; The second group run once has six bits, beside the entry's.
; CHECK-DAG: [[WORD:%.*]] = phi i32 [ 65, %after ], [ 1, %entry ]
; CHECK: [[BASE:%.*]] = load i64, ptr addrspace(1) getelementptr inbounds {{.*}}@__gpuprof_counters, i64 {{8|0, i64 1}})
; CHECK-NEXT: call void asm sideeffect "{
; CHECK: setp.eq.b64 is, base, 0;
; CHECK-NEXT: @is bra DONE;
; Blocks take the slots in turn.
; CHECK-NEXT: mov.u32 slot, %ctaid.x;
; CHECK-NEXT: and.b32 slot, slot, 511;
; CHECK-NEXT: mad.wide.u32 row, slot, 128, base;
; CHECK-NEXT: activemask.b32 word;
; CHECK-NEXT: setp.ne.b32 part, word, -1;
; CHECK-NEXT: mov.u32 begin, %laneid;
; CHECK-NEXT: mov.b32 sum0, $1;
; For a count without a limit the sum takes 27 bits, and each thread adds the rest.
; CHECK-NEXT: cvt.u32.u64 sum1, $2;
; CHECK-NEXT: mov.b32 group, 0;
; CHECK-NEXT: or.b32 group, group, sum1;
; CHECK-NEXT: and.b32 group, group, 4160749568;
; CHECK-NEXT: mov.b64 {slot, first}, $2;
; CHECK-NEXT: or.b32 group, group, first;
; CHECK-NEXT: setp.eq.b32 is, group, 0;
; CHECK-NEXT: @is bra LOW;
; CHECK-NEXT: mov.b64 wide, $2;
; CHECK-NEXT: and.b64 wide, wide, 18446744073575333888;
; CHECK-NEXT: setp.ne.u64 is, wide, 0;
; CHECK-NEXT: @is red.global.add.u64 [row+16], wide;
; CHECK-NEXT: and.b32 sum1, sum1, 134217727;
; CHECK-NEXT: LOW:
; CHECK-NEXT: @part bra PART;
; NEW-NEXT: redux.sync.add.u32 sum0, sum0, -1;
; NEW-NEXT: redux.sync.add.u32 sum1, sum1, -1;
; OLD-COUNT-10: shfl.sync.bfly.b32 word, sum
; A lane of a whole warp has one sum.
; CHECK: mov.b32 group, begin;
; CHECK-NEXT: setp.ge.u32 is, group, 3;
; CHECK-NEXT: @is bra ADDED;
; CHECK-NEXT: mov.b32 word, sum0;
; CHECK: shr.u32 word, word, shift;
; CHECK-NEXT: and.b32 word, word, 63;
; CHECK-NEXT: setp.eq.u32 is, group, 2;
; CHECK-NEXT: selp.b32 word, sum1, word, is;
; CHECK-NEXT: cvt.u64.u32 wide, word;
; CHECK-NEXT: setp.eq.u32 is, word, 0;
; CHECK-NEXT: @is bra ADDED;
; CHECK-NEXT: mad.wide.u32 at, group, 8, row;
; CHECK-NEXT: red.global.add.u64 [at], wide;
; CHECK-NEXT: ADDED:
; CHECK-NEXT: bra DONE;
; CHECK-NEXT: PART:
; The last warp of a block adds together if all threads that it has are here.
; NEW-NEXT: setp.eq.b32 all, word, -1;
; NEW-NEXT: mov.b32 lanes, 32;
; NEW-NEXT: @all bra TOGETHER;
; NEW-NEXT: sub.u32 shift, word, 1;
; NEW-NEXT: and.b32 shift, shift, word;
; NEW-NEXT: setp.eq.u32 is, shift, 0;
; NEW-NEXT: @is bra SEPARATE;
; NEW-NEXT: add.u32 shift, word, 1;
; NEW-NEXT: and.b32 shift, shift, word;
; NEW-NEXT: setp.ne.u32 is, shift, 0;
; NEW-NEXT: @is bra SEPARATE;
; NEW-NEXT: mov.u32 first, %tid.z;
; NEW: mad.lo.u32 first, first, shift, group;
; NEW: setp.eq.u32 all, shift, word;
; NEW-NEXT: @all bra TOGETHER;
; NEW-NEXT: bra SEPARATE;
; NEW-NEXT: TOGETHER:
; NEW-NEXT: redux.sync.add.u32 sum0, sum0, -1;
; NEW: COUNT_OF_PART:
; NEW: setp.ne.u64 is, wide, 0;
; NEW-NEXT: @is red.global.add.u64 [at], wide;
; NEW-NEXT: add.u32 group, group, lanes;
; NEW-NEXT: setp.lt.u32 more, group, 3;
; NEW-NEXT: @more bra COUNT_OF_PART;
; NEW-NEXT: ADDED_OF_PART:
; NEW-NEXT: bra DONE;
; Threads that are alone add what they have of a word, and each sum.
; CHECK-NEXT: SEPARATE:
; CHECK-NEXT: mov.b64 wide, 1;
; CHECK-NEXT: and.b32 first, sum0, 1;
; CHECK-NEXT: setp.ne.u32 is, first, 0;
; CHECK-NEXT: @is red.global.add.u64 [row+0], wide;
; CHECK-NEXT: and.b32 first, sum0, 64;
; CHECK: cvt.u64.u32 wide, sum1;
; CHECK-NEXT: setp.ne.u64 is, wide, 0;
; CHECK-NEXT: @is red.global.add.u64 [row+16], wide;
; CHECK-NEXT: DONE:
; CHECK-NEXT: }", "l,r,l"(i64 [[BASE]], i32 [[WORD]], i64 [[TURNS]])
; CHECK: ret void
define ptx_kernel void @other(ptr %p) "target-cpu"="sm_90" {
  store i32 0, ptr %p
  ret void
}
define ptx_kernel void @loop(ptr %p, i32 %n) "target-cpu"="sm_90" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp slt i32 %tid, %n
  br i1 %inside, label %body, label %out
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %x = load i32, ptr %p
  %more = icmp slt i32 %x, %tid
  br i1 %more, label %body, label %after
after:
  store i32 %i, ptr %p
  br label %out
out:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
