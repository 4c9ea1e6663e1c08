; A whole warp that ends together adds up, on sm_80 and later by redux.sync, before by shuffles, and each thread adds some
; of the sums. Of a part of a warp each thread adds its own. What blocks that run at most once count shares a word. Counts
; are registers, not memory; a null base switches counting off.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | %FileCheck %s --check-prefixes=CHECK,NEW --implicit-check-not=alloca --implicit-check-not=shfl
; RUN: sed s/sm_90/sm_70/ %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S | %FileCheck %s --check-prefixes=CHECK,OLD --implicit-check-not=redux --implicit-check-not=alloca
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
; The second of the groups that run once has six bits, beside the entry's.
; CHECK-DAG: [[WORD:%.*]] = phi i32 [ 65, %after ], [ 1, %entry ]
; CHECK: [[BASE:%.*]] = load i64, ptr addrspace(1) getelementptr inbounds {{.*}}@__gpuprof_counters, i64 {{8|0, i64 1}})
; CHECK: [[ON:%.*]] = icmp ne i64 [[BASE]], 0
; CHECK: br i1 [[ON]]
; CHECK: [[SM:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.smid()
; The blocks of a multiprocessor take its four slots in turn.
; CHECK: [[FIRST:%.*]] = mul i32 [[SM]], 4
; CHECK: [[BLOCK:%.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: [[OWN:%.*]] = and i32 [[BLOCK]], 3
; CHECK: [[EITHER:%.*]] = or i32 [[FIRST]], [[OWN]]
; CHECK: [[SLOT:%.*]] = and i32 [[EITHER]], 511
; CHECK: mul i32 [[SLOT]], 128
; CHECK: [[MASK:%.*]] = call i32 asm sideeffect "activemask.b32 $0;"
; CHECK: [[WHOLE:%.*]] = icmp eq i32 [[MASK]], -1
; CHECK: [[STRIDE:%.*]] = select i1 [[WHOLE]], i32 32, i32 1
; CHECK: [[BEGIN:%.*]] = select i1 [[WHOLE]], i32 {{.*}}, i32 0
; Of a count that has no limit the sum takes 27 bits, and each thread adds what is above.
; CHECK: [[HIGH:%.*]] = and i64 [[TURNS]], -134217728
; CHECK: [[SHORT:%.*]] = trunc i64 [[TURNS]] to i32
; CHECK: [[LOW:%.*]] = and i32 [[SHORT]], 134217727
; CHECK: br i1 [[WHOLE]]
; NEW: [[WORDSUM:%.*]] = call i32 @llvm.nvvm.redux.sync.add(i32 [[WORD]], i32 -1)
; NEW: [[LOWSUM:%.*]] = call i32 @llvm.nvvm.redux.sync.add(i32 [[LOW]], i32 -1)
; NEW: [[WORDS:%.*]] = phi i32 [ [[WORD]], {{.*}} ], [ [[WORDSUM]], {{.*}} ]
; NEW: [[LOWS:%.*]] = phi i32 [ [[LOW]], {{.*}} ], [ [[LOWSUM]], {{.*}} ]
; OLD-COUNT-10: call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1
; OLD: [[WORDS:%.*]] = phi i32 [ [[WORD]],
; OLD: [[LOWS:%.*]] = phi i32 [ [[LOW]],
; CHECK: icmp ne i64 [[HIGH]], 0
; CHECK: atomicrmw add ptr addrspace(1) {{.*}}, i64 [[HIGH]] monotonic, align 8
; CHECK: [[GROUP:%.*]] = phi i32 [ [[BEGIN]], {{.*}} ], [ [[NEXT:%.*]], {{.*}} ]
; CHECK: [[NEXT]] = call i32 asm "add.u32 $0, $1, $2;", "=r,r,r"(i32 [[GROUP]], i32 [[STRIDE]])
; CHECK: icmp ult i32 [[NEXT]], 3
; CHECK: lshr i32 [[WORDS]],
; CHECK: [[IS:%.*]] = icmp eq i32 [[GROUP]], 2
; CHECK: select i1 [[IS]], i32 [[LOWS]], i32
; CHECK: atomicrmw add ptr addrspace(1) {{.*}} monotonic, align 8
; CHECK-NOT: atomicrmw
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
