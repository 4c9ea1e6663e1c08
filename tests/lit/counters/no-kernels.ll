; A unit without kernels still has a descriptor for the runtime.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s | %FileCheck -DABI=%abi %s --implicit-check-not=__gpuprof_counters
target triple = "nvptx64-nvidia-cuda"
; CHECK: @__gpuprof_sheet = internal addrspace(1) constant [20 x i8] c"gpuprof-sheet\091\0Aend\0A"
; CHECK: @__gpuprof_unit = internal addrspace(1) externally_initialized global { i32, i32, ptr, i64, ptr } { i32 [[ABI]], i32 0, ptr addrspacecast (ptr addrspace(1) @__gpuprof_sheet to ptr), i64 20, ptr null }
define void @f(ptr %p) {
  store i32 0, ptr %p
  ret void
}
