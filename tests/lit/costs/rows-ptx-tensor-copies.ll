; Boxes of copies by tensor maps are not known at compile time, but a barrier is told their bytes: these count, in a module whose
; barriers expect nothing else. Copies to the tensor stay uncounted.
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %s | %FileCheck %s
; Copies to several blocks, and bulk copies of other kinds: nobody can tell whose the bytes are.
; RUN: sed 's/complete_tx::bytes \[s\]/complete_tx::bytes.multicast::cluster [s]/' %s > %t.several.ll
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %t.several.ll | %FileCheck --check-prefix=OTHER %s
; RUN: sed 's/bulk.tensor.1d.global.shared::cta.bulk_group .t, {x}., .s./bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 64, [m]/' %s > %t.bulk.ll
; RUN: %opt -load-pass-plugin=%optplugin -passes='print<gpuprof-costs>' -disable-output %t.bulk.ll | %FileCheck --check-prefix=OTHER %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: costs of ptx.mbarrier.arrive.expect_tx:
; CHECK-NEXT: {{^}} global_load=4096 shared_store=4096 :
; CHECK-NEXT: {{^}} uncounted: inline asm "mbarrier.arrive.expect_tx.shared::cta.b64" (its length is not known at compile time) :
; CHECK-NEXT: costs of ptx.mbarrier.arrive_drop.expect_tx:
; CHECK-NEXT: {{^}} global_load=64 shared_store=64 :
; CHECK-NEXT: costs of ptx.mbarrier.expect_tx:
; CHECK-NEXT: {{^}} global_load=2048 shared_store=2048 :
; CHECK-NEXT: costs of ptx.cp.async.bulk.tensor:
; CHECK-NEXT: {{^}} uncounted: inline asm "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group" (its box is in a descriptor that is not known at compile time) :

; OTHER: costs of ptx.mbarrier.arrive.expect_tx:
; OTHER-NEXT: costs of ptx.mbarrier.arrive_drop.expect_tx:
; OTHER-NEXT: costs of ptx.mbarrier.expect_tx:
; OTHER-NEXT: costs of ptx.cp.async.bulk.tensor:
; OTHER-NEXT: {{^}} uncounted: inline asm "cp.async.bulk.tensor.{{.*}}" (its box is in a descriptor that is not known at compile time) :
define void @ptx.mbarrier.arrive.expect_tx(i32 %bytes) {
  call void asm sideeffect "mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 4096;", ""()
  call void asm sideeffect "mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], $0;", "r"(i32 %bytes)
  ret void
}
define void @ptx.mbarrier.arrive_drop.expect_tx() {
  call void asm sideeffect "mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [m], 64;", ""()
  ret void
}
define void @ptx.mbarrier.expect_tx() {
  call void asm sideeffect "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], $0;", "n"(i32 2048)
  ret void
}
define void @ptx.cp.async.bulk.tensor() {
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [t, {x}], [m];", ""()
  call void asm sideeffect "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [t, {x}], [s];", ""()
  ret void
}
