; Clang's constructor registers a GPU's kernels. It runs behind gpuprof's own, and
; before the constructors of the program's global objects, which may launch kernels.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-host -S %s | %FileCheck %s
source_filename = "early.cu"
target triple = "x86_64-pc-linux-gnu"

@_ZL14__gpuprof_unit = internal global [32 x i8] zeroinitializer
@__cuda_fatbin_wrapper = internal constant { i32, i32, ptr, ptr } zeroinitializer
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 200, ptr @first, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @_GLOBAL__sub_I_early.cu, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @__cuda_module_ctor, ptr null }]

; CHECK: @llvm.global_ctors = appending global [4 x { i32, ptr, ptr }]
; CHECK-SAME: { i32 200, ptr @first, ptr null }
; CHECK-SAME: { i32 65535, ptr @_GLOBAL__sub_I_early.cu, ptr null }
; CHECK-SAME: { i32 102, ptr @__cuda_module_ctor, ptr null }
; CHECK-SAME: { i32 101, ptr @__gpuprof_constructor, ptr null }

define internal void @first() {
  ret void
}
define internal void @_GLOBAL__sub_I_early.cu() {
  ret void
}
define internal void @__cuda_module_ctor() {
  ret void
}
