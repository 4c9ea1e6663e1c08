; A row each: free intrinsics of NVVM for control, synchronisation and registers.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of nvvm.activemask:
define void @nvvm.activemask() {
  %r190 = call i32 @llvm.nvvm.activemask()
  ret void
}

; CHECK-NEXT: costs of nvvm.applypriority:
define void @nvvm.applypriority() {
  call void @llvm.nvvm.applypriority.L2.evict.normal(ptr null, i64 128)
  ret void
}

; CHECK-NEXT: costs of nvvm.bar:
define void @nvvm.bar() {
  call void @llvm.nvvm.bar.warp.sync(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.barrier:
define void @nvvm.barrier() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.barrier0:
define void @nvvm.barrier0() {
  call void @llvm.nvvm.barrier0()
  ret void
}

; CHECK-NEXT: costs of nvvm.clusterlaunchcontrol:
define void @nvvm.clusterlaunchcontrol() {
  %r195 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.compiler:
define void @nvvm.compiler() {
  call void @llvm.nvvm.compiler.warn.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.discard:
define void @nvvm.discard() {
  call void @llvm.nvvm.discard.L2(ptr null, i64 128)
  ret void
}

; CHECK-NEXT: costs of nvvm.elect:
define void @nvvm.elect() {
  %r198 = call { i32, i1 } @llvm.nvvm.elect.sync(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.exit:
define void @nvvm.exit() {
  call void @llvm.nvvm.exit()
  ret void
}

; CHECK-NEXT: costs of nvvm.fence:
define void @nvvm.fence() {
  call void @llvm.nvvm.fence.acquire.sync_restrict.space.cluster.scope.cluster()
  ret void
}

; CHECK-NEXT: costs of nvvm.getctarank:
define void @nvvm.getctarank() {
  %r201 = call i32 @llvm.nvvm.getctarank(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.griddepcontrol:
define void @nvvm.griddepcontrol() {
  call void @llvm.nvvm.griddepcontrol.launch.dependents()
  ret void
}

; CHECK-NEXT: costs of nvvm.internal:
define void @nvvm.internal() {
  %r203 = call ptr @llvm.nvvm.internal.addrspace.wrap.p0.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.is_explicit_cluster:
define void @nvvm.is_explicit_cluster() {
  %r204 = call i1 @llvm.nvvm.is_explicit_cluster()
  ret void
}

; CHECK-NEXT: costs of nvvm.isspacep:
define void @nvvm.isspacep() {
  %r205 = call i1 @llvm.nvvm.isspacep.const(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.istypep:
define void @nvvm.istypep() {
  %r206 = call i1 @llvm.nvvm.istypep.sampler(i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.mapa:
define void @nvvm.mapa() {
  %r207 = call ptr @llvm.nvvm.mapa(ptr poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.match:
define void @nvvm.match() {
  %r208 = call i32 @llvm.nvvm.match.any.sync.i32(i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.mbarrier:
define void @nvvm.mbarrier() {
  %r209 = call i64 @llvm.nvvm.mbarrier.arrive(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.membar:
define void @nvvm.membar() {
  call void @llvm.nvvm.membar.gl()
  ret void
}

; CHECK-NEXT: costs of nvvm.nanosleep:
define void @nvvm.nanosleep() {
  call void @llvm.nvvm.nanosleep(i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.pm:
define void @nvvm.pm() {
  call void @llvm.nvvm.pm.event.mask(i16 1)
  ret void
}

; CHECK-NEXT: costs of nvvm.prefetch:
define void @nvvm.prefetch() {
  call void @llvm.nvvm.prefetch.L1(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.prefetchu:
define void @nvvm.prefetchu() {
  call void @llvm.nvvm.prefetchu.L1(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.ptr:
define void @nvvm.ptr() {
  %r215 = call ptr addrspace(3) @llvm.nvvm.ptr.gen.to.shared.p3.p0(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.read:
define void @nvvm.read() {
  %r216 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r217 = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  ret void
}

; CHECK-NEXT: costs of nvvm.reflect:
define void @nvvm.reflect() {
  %r218 = call i32 @llvm.nvvm.reflect(ptr poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.setmaxnreg:
define void @nvvm.setmaxnreg() {
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 40)
  ret void
}

; CHECK-NEXT: costs of nvvm.shfl:
define void @nvvm.shfl() {
  %r220 = call float @llvm.nvvm.shfl.sync.idx.f32(i32 poison, float poison, i32 poison, i32 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.suq:
define void @nvvm.suq() {
  %r221 = call i32 @llvm.nvvm.suq.array.size(i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.tensormap:
define void @nvvm.tensormap() {
  call void @llvm.nvvm.tensormap.replace.rank.p1(ptr addrspace(1) null, i32 0)
  ret void
}

; CHECK-NEXT: costs of nvvm.texsurf:
define void @nvvm.texsurf() {
  %r223 = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.txq:
define void @nvvm.txq() {
  %r224 = call i32 @llvm.nvvm.txq.array.size(i64 poison)
  ret void
}

; CHECK-NEXT: costs of nvvm.vote:
define void @nvvm.vote() {
  %r225 = call i32 @llvm.nvvm.vote.ballot.sync(i32 poison, i1 poison)
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}

declare i32 @llvm.nvvm.activemask()
declare void @llvm.nvvm.applypriority.L2.evict.normal(ptr, i64)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128)
declare void @llvm.nvvm.compiler.warn.p0(ptr)
declare void @llvm.nvvm.discard.L2(ptr, i64)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
declare void @llvm.nvvm.exit()
declare void @llvm.nvvm.fence.acquire.sync_restrict.space.cluster.scope.cluster()
declare i32 @llvm.nvvm.getctarank(ptr)
declare void @llvm.nvvm.griddepcontrol.launch.dependents()
declare ptr @llvm.nvvm.internal.addrspace.wrap.p0.p0(ptr)
declare i1 @llvm.nvvm.is_explicit_cluster()
declare i1 @llvm.nvvm.isspacep.const(ptr)
declare i1 @llvm.nvvm.istypep.sampler(i64)
declare ptr @llvm.nvvm.mapa(ptr, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i64 @llvm.nvvm.mbarrier.arrive(ptr)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.nanosleep(i32)
declare void @llvm.nvvm.pm.event.mask(i16)
declare void @llvm.nvvm.prefetch.L1(ptr)
declare void @llvm.nvvm.prefetchu.L1(ptr)
declare ptr addrspace(3) @llvm.nvvm.ptr.gen.to.shared.p3.p0(ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i32 @llvm.nvvm.reflect(ptr)
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)
declare i32 @llvm.nvvm.suq.array.size(i64)
declare void @llvm.nvvm.tensormap.replace.rank.p1(ptr addrspace(1), i32)
declare i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1))
declare i32 @llvm.nvvm.txq.array.size(i64)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
