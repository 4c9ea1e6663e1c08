; Neighbouring accesses, as unrolling leaves them, are marked at once, and so are those of a structure. A gap stays unmarked.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=auto;count=clone>,verify' -S %s | sed -n '/^define.*gpuprof_addresses"/,/^}/p' | %FileCheck --implicit-check-not=touch %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @"four$gpuprof_addresses"
; CHECK: call void @__gpuprof_record_access(i64 {{%.*}}, ptr %x, i64 16)
define ptx_kernel void @four(ptr %x) {
  %x1 = getelementptr i8, ptr %x, i64 4
  %x2 = getelementptr i8, ptr %x, i64 8
  %x3 = getelementptr i8, ptr %x, i64 12
  store i32 1, ptr %x1
  store i32 1, ptr %x3
  store i32 1, ptr %x
  store i32 1, ptr %x2
  ret void
}

; CHECK: define ptx_kernel void @"gap$gpuprof_addresses"
; CHECK: call void @__gpuprof_record_access(i64 {{%.*}}, ptr %x, i64 4)
; CHECK: call void @__gpuprof_record_access(i64 {{%.*}}, ptr %x2, i64 4)
define ptx_kernel void @gap(ptr %x) {
  %x2 = getelementptr i8, ptr %x, i64 8
  store i32 1, ptr %x
  store i32 1, ptr %x2
  ret void
}
