; Functions that are not inlined become part of the address clone, with their accesses. Recursion is refused: it has no end.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=auto;count=clone>,verify' -S %s -o %t
; RUN: sed -n '/^define.*gpuprof_addresses"/,/^}/p' %t | %FileCheck --implicit-check-not=called --implicit-check-not=gpuprof_addresses %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @"calls$gpuprof_addresses"
; CHECK: call void @__gpuprof_record_access(i64 {{%.*}}, ptr {{%.*}}, i64 8)
; CHECK: call void @__gpuprof_record_access(i64 {{%.*}}, ptr {{%.*}}, i64 4)
define ptx_kernel void @calls(ptr %x, ptr %y) {
  store i64 1, ptr %x
  call void @called(ptr %y, i64 5)
  ret void
}
define internal void @called(ptr %y, i64 %i) noinline {
  %p = getelementptr i32, ptr %y, i64 %i
  store i32 1, ptr %p
  ret void
}

define ptx_kernel void @endless(ptr %x, i64 %n) {
  call void @again(ptr %x, i64 %n)
  ret void
}
define internal void @again(ptr %x, i64 %n) noinline {
  %more = icmp sgt i64 %n, 0
  br i1 %more, label %go, label %out
go:
  store i32 1, ptr %x
  %less = sub i64 %n, 1
  call void @again(ptr %x, i64 %less)
  br label %out
out:
  ret void
}
