; The unit's record: every field of struct gpuprof_host_unit in its place, a constructor and a destructor.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-host -S %s | %FileCheck -DABI=%abi %s
source_filename = "unit.cu"
target triple = "x86_64-pc-linux-gnu"

@_ZL14__gpuprof_unit = internal global [32 x i8] zeroinitializer
@__cuda_fatbin_wrapper = internal constant { i32, i32, ptr, ptr } zeroinitializer
@__gpuprof_cpu_kernels = internal constant [3 x [64 x i8]] zeroinitializer
@__gpuprof_cpu_variables = internal constant [2 x [32 x i8]] zeroinitializer

; CHECK-DAG: [[SOURCE:@[0-9]+]] = private unnamed_addr constant [8 x i8] c"unit.cu\00"
; CHECK-DAG: [[COMPILER:@[0-9]+]] = private unnamed_addr constant [4 x i8] c"opt\00"
; CHECK-DAG: [[OPTIONS:@[0-9]+]] = private unnamed_addr constant [1 x i8] zeroinitializer
; CHECK: @__gpuprof_host_unit = internal global { i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, i64, ptr }
; CHECK-SAME: { i32 [[ABI]], i32 0, ptr [[SOURCE]], ptr [[COMPILER]], ptr [[OPTIONS]], ptr @__cuda_fatbin_wrapper, ptr @_ZL14__gpuprof_unit, ptr @__gpuprof_cpu_kernels, i64 3, ptr @__gpuprof_cpu_variables, i64 2, ptr null }
; CHECK: @llvm.global_ctors = appending global {{.*}} i32 101, ptr @__gpuprof_constructor
; CHECK: @llvm.global_dtors = appending global {{.*}} i32 101, ptr @__gpuprof_destructor

; Where there is a GPU binary, clang has written the registration.
; CHECK-NOT: @__cudaRegisterFunction
; CHECK: define internal void @__gpuprof_constructor()
; CHECK-NEXT: call void @__gpuprof_register_unit(ptr @__gpuprof_host_unit)
; CHECK-NEXT: ret void
; CHECK: define internal void @__gpuprof_destructor()
; CHECK-NEXT: call void @__gpuprof_unregister_unit(ptr @__gpuprof_host_unit)
; CHECK-NEXT: ret void
