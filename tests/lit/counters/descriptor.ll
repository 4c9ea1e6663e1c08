; The descriptor declared by the front end gets its values and keeps its name and uses; without one it is made.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,verify' -S %s | %FileCheck -DABI=%abi %s
; RUN: sed /_ZL14__gpuprof_unit/d %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,verify' -S | %FileCheck -DABI=%abi %s --check-prefix=MADE
; RUN: sed 's/_ZL14__gpuprof_unit/__gpuprof_unit__static__1234/' %s | %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu>,verify' -S | %FileCheck -DABI=%abi %s --check-prefix=SUFFIX
target triple = "nvptx64-nvidia-cuda"
%struct.unit = type { i32, i32, i64, i64, i64 }

; CHECK: @llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @_ZL14__gpuprof_unit to ptr)]
; CHECK: @_ZL14__gpuprof_unit = internal addrspace(1) externally_initialized global { i32, i32, ptr, i64, ptr } { i32 [[ABI]], i32 1, ptr addrspacecast (ptr addrspace(1) @__gpuprof_sheet to ptr), i64 [[#]], ptr addrspacecast (ptr addrspace(1) @__gpuprof_counters to ptr) }, align 8
; MADE: @__gpuprof_unit = internal addrspace(1) externally_initialized global { i32, i32, ptr, i64, ptr } { i32 [[ABI]], i32 1,
; SUFFIX: @__gpuprof_unit__static__1234 = internal addrspace(1) externally_initialized global { i32, i32, ptr, i64, ptr } { i32 [[ABI]], i32 1,
@_ZL14__gpuprof_unit = internal addrspace(1) externally_initialized global %struct.unit zeroinitializer, align 8
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @_ZL14__gpuprof_unit to ptr)], section "llvm.metadata"

define ptx_kernel void @k(ptr %p) {
  store i32 0, ptr %p
  ret void
}
