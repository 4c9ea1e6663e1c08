; On a GPU the blocks of a clone do not all store the header: stores to one address wait for each other.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @"scale$gpuprof_count"(ptr %x, i32 %n, i64 [[PLACE:%.*]])
; CHECK-NOT: store i64
; CHECK: call void asm sideeffect "{{.*}}%ctaid.x{{.*}}%ctaid.y{{.*}}%ctaid.z{{.*}}setp.eq.b32 is, block, 0{{.*}}@is st.global.b64 [$0], $1{{.*}}"(i64 [[PLACE]], i64 ptrtoint (ptr addrspacecast (ptr addrspace(1) @__gpuprof_counters to ptr) to i64))
; CHECK-NOT: store i64
; CHECK: ret void
define ptx_kernel void @scale(ptr %x, i32 %n) "target-cpu"="sm_90" {
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %stores, label %out
stores:
  store float 1.0, ptr %x
  br label %out
out:
  ret void
}
