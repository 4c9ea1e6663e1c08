; Accesses of a loop of one thread are recorded once before it.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows,gpuprof-cpu-sectors-of-loops -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,gpuprof-cpu-sectors-of-rows -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: @__gpuprof_cpu_record_row
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @k.body.cpu(
; CHECK: call {{.*}}@__gpuprof_cpu_record_row(ptr {{.*}}, i64 4, i64 %n, i64 4)
; CHECK: loop:
; CHECK: store i32 1
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop
done:
  ret void
}
