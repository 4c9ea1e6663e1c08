; The pattern of address sharing between lanes, for each access; none without sharing.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-lanes>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [16 x [16 x float]] undef

; CHECK-LABEL: lanes of thread:
; CHECK-NEXT: lanes_global_load_row=4 : %own =
; CHECK-NEXT: lanes_global_load_any=4 : %overlapping =
; CHECK-NEXT: lanes_global_load_rows=4 : %of.warp =
; CHECK-NEXT: lanes_global_load_apart=4 : %of.lane =
; CHECK-NEXT: lanes_global_load_any=4 : %of.pair =
; CHECK-NEXT: lanes_global_store_same=4 : store float
; CHECK-NEXT: lanes of
define ptx_kernel void @thread(ptr addrspace(1) %p, i64 %stride) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %before = mul i32 %block, %size
  %i = add i32 %before, %x
  %i.64 = sext i32 %i to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %i.64
  %own = load float, ptr addrspace(1) %a
  %b = getelementptr i8, ptr addrspace(1) %p, i64 %i.64
  %overlapping = load float, ptr addrspace(1) %b
  %warp = lshr i32 %i, 5
  %c = getelementptr float, ptr addrspace(1) %p, i32 %warp
  %of.warp = load float, ptr addrspace(1) %c
  %within = and i32 %x, 31
  %d = getelementptr float, ptr addrspace(1) %p, i32 %within
  %of.lane = load float, ptr addrspace(1) %d
  %pair = lshr i32 %i, 1
  %e = getelementptr float, ptr addrspace(1) %p, i32 %pair
  %of.pair = load float, ptr addrspace(1) %e
  %f = getelementptr float, ptr addrspace(1) %p, i32 %lane
  %by.lane = load float, ptr addrspace(1) %f
  %g = getelementptr float, ptr addrspace(1) %p, i32 %block
  store float %by.lane, ptr addrspace(1) %g
  ret void
}

; A block of two dimensions: numbered in order, in an array of 16 columns, by rows of any length, and by row alone.
; CHECK-LABEL: plane:
; CHECK-NEXT: lanes_global_load_plane=4 : %in.order =
; CHECK-NEXT: lanes_shared_load_tile=4 : %in.tile =
; CHECK-NEXT: lanes_global_load_apart=4 : %in.matrix =
; CHECK-NEXT: lanes_global_load_rows=4 : %row =
; CHECK-NEXT: lanes_global_load_rows=4 : %by.z =
; CHECK-NEXT: lanes_global_load_any=4 : %column =
; CHECK-NEXT: lanes of
define ptx_kernel void @plane(ptr addrspace(1) %p, i32 %pitch) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %rows = mul i32 %y, %width
  %number = add i32 %rows, %x
  %a = getelementptr float, ptr addrspace(1) %p, i32 %number
  %in.order = load float, ptr addrspace(1) %a
  %b = getelementptr [16 x [16 x float]], ptr addrspace(3) @tile, i32 0, i32 %y, i32 %x
  %in.tile = load float, ptr addrspace(3) %b
  %start = mul i32 %y, %pitch
  %c.number = add i32 %start, %x
  %c = getelementptr float, ptr addrspace(1) %p, i32 %c.number
  %in.matrix = load float, ptr addrspace(1) %c
  %d = getelementptr float, ptr addrspace(1) %p, i32 %start
  %row = load float, ptr addrspace(1) %d
  %e = getelementptr float, ptr addrspace(1) %p, i32 %z
  %by.z = load float, ptr addrspace(1) %e
  %down = mul i32 %x, %pitch
  %f = getelementptr float, ptr addrspace(1) %p, i32 %down
  %column = load float, ptr addrspace(1) %f
  ret void
}

; In divergent code an address may be shared by few lanes. Lanes converge behind the branch.
; CHECK-LABEL: parted:
; CHECK-NEXT: lanes_global_load_any=4 : %few =
; CHECK-NEXT: lanes_global_load_apart=4 : %own =
; CHECK-NEXT: lanes_global_load_same=4 : %all =
; CHECK-NEXT: lanes of
define ptx_kernel void @parted(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp slt i32 %x, %n
  br i1 %low, label %then, label %out
then:
  %few = load float, ptr addrspace(1) %p
  %a = getelementptr float, ptr addrspace(1) %p, i32 %x
  %own = load float, ptr addrspace(1) %a
  br label %out
out:
  %all = load float, ptr addrspace(1) %p
  ret void
}

; Behind a join the address is known where both ways have computed the same.
; CHECK-LABEL: joined:
; CHECK-NEXT: lanes_global_store_apart=4 : store
; CHECK-NEXT: lanes_global_load_row=4 : %own =
; CHECK-NEXT: lanes_global_load_any=4 : %either =
; CHECK-NEXT: lanes of
define ptx_kernel void @joined(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp slt i32 %x, %n
  br i1 %low, label %then, label %else
then:
  %i = sext i32 %x to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %i
  store float 0.0, ptr addrspace(1) %a
  br label %join
else:
  %j = sext i32 %x to i64
  br label %join
join:
  %k = phi i64 [ %i, %then ], [ %j, %else ]
  %l = phi i64 [ %i, %then ], [ 7, %else ]
  %b = getelementptr float, ptr addrspace(1) %p, i64 %k
  %own = load float, ptr addrspace(1) %b
  %c = getelementptr float, ptr addrspace(1) %p, i64 %l
  %either = load float, ptr addrspace(1) %c
  ret void
}

; A variable of a loop keeps its pattern while each turn adds the same in all lanes. Lanes leave at different turns.
; CHECK-LABEL: loop:
; CHECK-NEXT: lanes_global_load_apart=4 : %strided =
; CHECK-NEXT: lanes_global_load_any=4 : %last =
; CHECK-NEXT: lanes_global_load_any=4 : %last.too =
; CHECK-NEXT: lanes of
define ptx_kernel void @loop(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %body
body:
  %i = phi i32 [ %x, %entry ], [ %next, %body ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %strided = load float, ptr addrspace(1) %a
  %next = add i32 %i, %n
  %more = icmp slt i32 %next, 1000
  br i1 %more, label %body, label %out
out:
  %left = phi i32 [ %next, %body ]
  %b = getelementptr float, ptr addrspace(1) %p, i32 %next
  %last = load float, ptr addrspace(1) %b
  %c = getelementptr float, ptr addrspace(1) %p, i32 %left
  %last.too = load float, ptr addrspace(1) %c
  ret void
}

; Addresses from memory are unknown. Atomics are like other accesses, matrices and bulk copies are not.
; CHECK-LABEL: data:
; CHECK-NEXT: lanes_global_load_row=4 : %index =
; CHECK-NEXT: lanes_global_load_any=4 : %gathered =
; CHECK-NEXT: lanes_global_atomic_same=4 : %old =
; CHECK-NEXT: lanes_global_load_any=4 : %asm =
; CHECK-NEXT: lanes of
define ptx_kernel void @data(ptr addrspace(1) %p, ptr addrspace(3) %s) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %a
  %b = getelementptr i32, ptr addrspace(1) %p, i32 %index
  %gathered = load i32, ptr addrspace(1) %b
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %asm = call i32 asm "ld.global.u32 $0, [$1];", "=r,l"(ptr addrspace(1) %a)
  %m = call i32 asm "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", "=r,l"(ptr addrspace(3) %s)
  ret void
}

; Of a function's callers nothing is known.
; CHECK-LABEL: called:
; CHECK-NEXT: lanes_global_load_any=4 : %x =
; CHECK-NEXT: lanes of
define float @called(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  ret float %x
}

; Generic instructions: through a pointer from memory, not through the kernel's own or a pointer to local memory.
; CHECK-LABEL: generic:
; CHECK-NEXT: lanes_global_load_same=8 : %pointer =
; CHECK-NEXT: lanes_global_load_same=4 generic_global_load=4 : %far =
; CHECK-NOT: generic
; CHECK-LABEL: lanes of taken:
; CHECK-NEXT: generic_local_load=4 : %x =
define ptx_kernel void @generic(ptr %p) {
  %pointer = load ptr, ptr %p
  %far = load float, ptr %pointer
  %slot = alloca float, addrspace(5)
  %local = addrspacecast ptr addrspace(5) %slot to ptr
  store float %far, ptr %local
  %y = call float @taken(ptr %local)
  ret void
}
define internal float @taken(ptr %p) {
  %x = load float, ptr %p
  ret float %x
}

; An atomic with a scope is an intrinsic, whose pointer stays generic: it shows in the counters of every space.
; CHECK-LABEL: lanes of scoped:
; CHECK-NEXT: lanes_global_atomic_same=4 : %plain =
; CHECK-NEXT: lanes_global_atomic_same=4 generic_global_atomic=4 : %in.block =
define ptx_kernel void @scoped(ptr %p) {
  %plain = atomicrmw add ptr %p, i32 1 monotonic
  %in.block = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %p, i32 1)
  ret void
}
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
