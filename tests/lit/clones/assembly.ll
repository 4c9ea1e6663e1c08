; Inline assembly may stay in a clone if it only computes, or reads a register with the same
; value in the clone. clang declares it convergent, and volatile assembly as having effects.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: clone\090\09free\091\0A
; CHECK: define ptx_kernel void @"first_lane$gpuprof_count"
; CHECK: call i32 asm "mov.u32 $0, %laneid;", "=r"()
; CHECK-NOT: sideeffect
; CHECK-NOT: fence
; CHECK: ret void
define ptx_kernel void @first_lane(ptr %x) {
  %lane = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"() #0
  call void asm sideeffect "fence.acq_rel.gpu;", ""() #0
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %then, label %end
then:
  store i32 7, ptr %x
  br label %end
end:
  ret void
}
attributes #0 = { convergent nounwind }
