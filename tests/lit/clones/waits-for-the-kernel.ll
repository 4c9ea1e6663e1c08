; A clone that is launched behind the kernel each time may begin while the kernel ends, where it ends after it.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>,verify' -S %s | %FileCheck %s
; RUN: sed 's/sm_90/sm_80/' %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>,verify' -S | %FileCheck --check-prefix=OLD %s
; A kernel that lets the next one begin early could then be slowed by its clone.
; RUN: sed 's/bar.warp.sync -1/griddepcontrol.launch_dependents/' %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>,verify' -S | %FileCheck --check-prefix=OLD %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: clone\090\09light\092{{.*}}\0Awaits\090\0A
; CHECK-SAME: clone\091\09light\092{{.*}}\0Awaits\091\0A
; CHECK-SAME: clone\092\09free
; CHECK-NOT: waits
; CHECK: define ptx_kernel void @"reads$gpuprof_count"
; CHECK: call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
; CHECK-NEXT: ret void
; CHECK: define ptx_kernel void @"reads_too$gpuprof_count"
; CHECK: call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
; CHECK-NEXT: ret void
; CHECK: define ptx_kernel void @"computes$gpuprof_count"
; CHECK-NOT: griddepcontrol
; CHECK: ret void
; OLD-NOT: waits
; OLD-NOT: griddepcontrol.wait
define ptx_kernel void @reads(ptr noalias %in, ptr %out) "target-cpu"="sm_90" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr float, ptr %in, i64 %w
  %v = load float, ptr %p
  %on = fcmp ogt float %v, 0.0
  br i1 %on, label %then, label %end
then:
  call void asm sideeffect "bar.warp.sync -1;", ""()
  store float %v, ptr %out
  br label %end
end:
  ret void
}

define ptx_kernel void @reads_too(ptr noalias %in, ptr %out) "target-cpu"="sm_90" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr float, ptr %in, i64 %w
  %v = load float, ptr %p
  %on = fcmp ogt float %v, 0.0
  br i1 %on, label %then, label %end
then:
  call void asm sideeffect "bar.warp.sync -1;", ""()
  store float %v, ptr %out
  br label %end
end:
  ret void
}

define ptx_kernel void @computes(ptr %out) "target-cpu"="sm_90" {
  store float 0.0, ptr %out
  ret void
}
