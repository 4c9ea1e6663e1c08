; With kernels for the CPU device and no GPU binary, stubs and variables are registered as clang would do it.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-host -S %s | %FileCheck %s
target triple = "x86_64-pc-linux-gnu"

@_ZL14__gpuprof_unit = internal global [32 x i8] zeroinitializer
@_ZL5table = internal global [4 x float] undef
@scale = internal global float undef
@.n1 = private constant [10 x i8] c"_ZL5table\00"
@.n2 = private constant [6 x i8] c"scale\00"
@.n3 = private constant [7 x i8] c"unused\00"
@storage = internal global [5 x float] zeroinitializer
@__gpuprof_cpu_variables = internal constant [3 x { ptr, ptr, i64, i64 }] [
  { ptr, ptr, i64, i64 } { ptr @.n1, ptr @storage, i64 16, i64 1 },
  { ptr, ptr, i64, i64 } { ptr @.n2, ptr @storage, i64 4, i64 0 },
  { ptr, ptr, i64, i64 } { ptr @.n3, ptr @storage, i64 4, i64 0 }]

; CHECK: @__gpuprof_fatbin = internal constant { i32, i16, i16, i64 } { i32 -1168773808, i16 1, i16 16, i64 0 }, align 8
; CHECK: @__gpuprof_fatbin_wrapper = internal constant { i32, i32, ptr, ptr } { i32 1180844977, i32 1, ptr @__gpuprof_fatbin, ptr null }
; CHECK: @__gpuprof_host_unit = {{.*}} ptr @__gpuprof_fatbin_wrapper, ptr @_ZL14__gpuprof_unit, ptr null, i64 0, ptr @__gpuprof_cpu_variables, i64 3, ptr null }
; CHECK-DAG: [[ADD:@[0-9]+]] = private unnamed_addr constant [9 x i8] c"_Z3addPf\00"
; CHECK-DAG: [[MUL:@[0-9]+]] = private unnamed_addr constant [18 x i8] c"_ZN2ns3mulIfEEvT_\00"
; CHECK-DAG: [[ANON:@[0-9]+]] = private unnamed_addr constant [24 x i8] c"_ZN12_GLOBAL__N_12akEPf\00"
; CHECK-DAG: [[INSIDE:@[0-9]+]] = private unnamed_addr constant [28 x i8] c"_ZN1AILi12ELb1EE6insideES0_\00"
; CHECK-DAG: [[PLAIN:@[0-9]+]] = private unnamed_addr constant [6 x i8] c"plain\00"

define void @_Z18__device_stub__addPf(ptr %p) {
  ret void
}
define linkonce_odr void @_ZN2ns18__device_stub__mulIfEEvT_(float %x) {
  ret void
}
define void @__device_stub__plain() {
  ret void
}
define internal void @_ZN12_GLOBAL__N_117__device_stub__akEPf(ptr %p) {
  ret void
}
define internal void @_ZN1AILi12ELb1EE21__device_stub__insideES0_(ptr %p) {
  ret void
}
declare void @_Z23__device_stub__elsewherev()

; CHECK: define internal void @__gpuprof_constructor()
; CHECK-NEXT: call void @__gpuprof_register_unit(
; CHECK-NEXT: [[HANDLE:%.*]] = call ptr @__cudaRegisterFatBinary(ptr @__gpuprof_fatbin_wrapper)
; CHECK-NEXT: store ptr [[HANDLE]], ptr @__gpuprof_fatbin_handle
; CHECK-NEXT: call i32 @__cudaRegisterFunction(ptr [[HANDLE]], ptr @_Z18__device_stub__addPf, ptr [[ADD]], ptr [[ADD]], i32 -1, ptr null, ptr null, ptr null, ptr null, ptr null)
; CHECK-NEXT: call i32 @__cudaRegisterFunction(ptr [[HANDLE]], ptr @_ZN2ns18__device_stub__mulIfEEvT_, ptr [[MUL]], ptr [[MUL]],
; CHECK-NEXT: call i32 @__cudaRegisterFunction(ptr [[HANDLE]], ptr @__device_stub__plain, ptr [[PLAIN]], ptr [[PLAIN]],
; CHECK-NEXT: call i32 @__cudaRegisterFunction(ptr [[HANDLE]], ptr @_ZN12_GLOBAL__N_117__device_stub__akEPf, ptr [[ANON]],
; CHECK-NEXT: call i32 @__cudaRegisterFunction(ptr [[HANDLE]], ptr @_ZN1AILi12ELb1EE21__device_stub__insideES0_, ptr [[INSIDE]],
; CHECK-NEXT: call void @__cudaRegisterVar(ptr [[HANDLE]], ptr @_ZL5table, ptr {{@[0-9]+}}, ptr {{@[0-9]+}}, i32 0, i64 16, i32 1, i32 0)
; CHECK-NEXT: call void @__cudaRegisterVar(ptr [[HANDLE]], ptr @scale, ptr {{@[0-9]+}}, ptr {{@[0-9]+}}, i32 0, i64 4, i32 0, i32 0)
; CHECK-NEXT: call void @__cudaRegisterFatBinaryEnd(ptr [[HANDLE]])
; CHECK-NEXT: ret void

; CHECK: define internal void @__gpuprof_destructor()
; CHECK-NEXT: load ptr, ptr @__gpuprof_fatbin_handle
; CHECK-NEXT: call void @__cudaUnregisterFatBinary(
; CHECK-NEXT: call void @__gpuprof_unregister_unit(
