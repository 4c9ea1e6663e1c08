; A row each: free inline PTX for control, synchronisation and registers.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of ptx.activemask:
define void @ptx.activemask(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "activemask.b32 a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.alloca:
define void @ptx.alloca(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "alloca.u32 a, 16;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.applypriority:
define void @ptx.applypriority(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "applypriority.global.L2::evict_normal [p], 128;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.bar:
define void @ptx.bar(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "bar.sync 0;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.barrier:
define void @ptx.barrier(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "barrier.cluster.arrive.release.aligned;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.bra:
define void @ptx.bra(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "bra.uni END; END: ", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.brkpt:
define void @ptx.brkpt(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "brkpt;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.clusterlaunchcontrol:
define void @ptx.clusterlaunchcontrol(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [p], [m];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.createpolicy:
define void @ptx.createpolicy(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "createpolicy.fractional.L2::evict_first.b64 a, 1.0;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.cvta:
define void @ptx.cvta(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "cvta.to.shared.u64 a, b;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.discard:
define void @ptx.discard(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "discard.global.L2 [p], 128;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.elect:
define void @ptx.elect(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "elect.sync a|p, -1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.exit:
define void @ptx.exit(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "exit;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.fence:
define void @ptx.fence(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "fence.proxy.async.shared::cta;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.getctarank:
define void @ptx.getctarank(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "getctarank.shared::cluster.u32 a, b;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.griddepcontrol:
define void @ptx.griddepcontrol(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "griddepcontrol.wait;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.isspacep:
define void @ptx.isspacep(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "isspacep.shared p, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.istypep:
define void @ptx.istypep(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "istypep.texref p, a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.mapa:
define void @ptx.mapa(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mapa.shared::cluster.u32 a, b, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.match:
define void @ptx.match(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "match.any.sync.b32 a, b, -1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.mbarrier:
define void @ptx.mbarrier(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mbarrier.try_wait.parity.shared::cta.b64 p, [m], a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.membar:
define void @ptx.membar(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "membar.gl;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.mov:
define void @ptx.mov(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "mov.b64 {a, b}, c;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.nanosleep:
define void @ptx.nanosleep(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "nanosleep.u32 20;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.pmevent:
define void @ptx.pmevent(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "pmevent 1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.prefetch:
define void @ptx.prefetch(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "prefetch.global.L2 [p];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.prefetchu:
define void @ptx.prefetchu(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "prefetchu.L1 [p];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.selp:
define void @ptx.selp(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "selp.f32 a, b, c, p;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.setmaxnreg:
define void @ptx.setmaxnreg(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "setmaxnreg.inc.sync.aligned.u32 240;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.shfl:
define void @ptx.shfl(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "shfl.sync.bfly.b32 a|p, b, 1, 31, -1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.stackrestore:
define void @ptx.stackrestore(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "stackrestore.u32 a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.stacksave:
define void @ptx.stacksave(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "stacksave.u32 a;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.suq:
define void @ptx.suq(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "suq.width.b32 a, [t];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.tensormap:
define void @ptx.tensormap(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "tensormap.replace.tile.rank.global.b1024.b32 [p], 3;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.trap:
define void @ptx.trap(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "trap;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.txq:
define void @ptx.txq(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "txq.width.b32 a, [t];", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.vote:
define void @ptx.vote(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "vote.sync.ballot.b32 a, p, -1;", ""()
  ret void
}

; CHECK-NEXT: costs of ptx.call:
; CHECK-NEXT: {{^}} uncounted: inline asm "call.uni" (what a function called from inline PTX does is not known)
define void @ptx.call(ptr addrspace(1) %g, ptr addrspace(3) %s, i32 %i) {
  call void asm sideeffect "call.uni (r), function, (x);", ""()
  ret void
}

; CHECK-NEXT: costs of end:
; CHECK-NOT: {{.}}
define void @end() {
  ret void
}
