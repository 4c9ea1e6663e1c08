; Variables registered by clang are listed under their names and stay writable.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@counter = addrspace(1) externally_initialized global i32 5, align 4
@table = addrspace(4) externally_initialized constant [4 x float] zeroinitializer, align 4
@private = internal addrspace(1) global i64 0

; CHECK: @counter.cpu = internal addrspace(1) externally_initialized global i32 5
; A constant written by cudaMemcpyToSymbol().
; CHECK: @table.cpu = internal addrspace(4) externally_initialized global [4 x float]
; CHECK: [[FIRST:@gpuprof.text[^ ]*]] = {{.*}} c"counter\00"
; CHECK: [[SECOND:@gpuprof.text[^ ]*]] = {{.*}} c"table\00"
; CHECK: @__gpuprof_cpu_variables = constant [2 x { ptr, ptr, i64, i64 }]
; CHECK-SAME: { ptr [[FIRST]], ptr addrspacecast (ptr addrspace(1) @counter.cpu to ptr), i64 4, i64 0 }
; CHECK-SAME: { ptr [[SECOND]], ptr addrspacecast (ptr addrspace(4) @table.cpu to ptr), i64 16, i64 1 }

; The optimiser of the host sees further than one launch: nothing it loads is invariant.
; CHECK-LABEL: define internal void @kernel.body.cpu
; CHECK: load float, ptr addrspace(4) @table.cpu, align 4, !llvm.access.group {{![0-9]+$}}
; A weak declaration is nothing: clang's header declares threadIdx so.
; CHECK: store ptr addrspacecast (ptr addrspace(1) null to ptr)
define ptx_kernel void @kernel(ptr addrspace(3) %s) {
  %v = load float, ptr addrspace(4) @table, align 4, !invariant.load !0
  store ptr addrspacecast (ptr addrspace(1) @threadIdx to ptr), ptr addrspace(3) %s
  ret void
}
@threadIdx = extern_weak addrspace(1) constant i8
!0 = !{}
