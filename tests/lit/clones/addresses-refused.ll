; Addresses depending on computed values: no address clone, and `remarks` gives the reason. A marking kernel marks them.
; RUN: %opt -load-pass-plugin=%optplugin -pass-remarks=gpuprof -passes='gpuprof-count<unique;count=clone;remarks>,verify' -S %s 2>%t.remarks | %FileCheck --implicit-check-not=gpuprof_addresses %s
; RUN: %FileCheck --check-prefix=WHY --input-file=%t.remarks %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: addresses\09
; CHECK: unique\090\091\0A
; CHECK: define ptx_kernel void @"list$gpuprof_unique"(
; WHY: kernel list is counted by {{.*}}; unique bytes by no address clone, since what it touches depends on loads from memory that the kernel may write
define ptx_kernel void @list(ptr %head) {
entry:
  br label %loop
loop:
  %node = phi ptr [ %head, %entry ], [ %next, %loop ]
  %value = getelementptr i8, ptr %node, i64 8
  store i32 1, ptr %value
  %next = load ptr, ptr %node
  %end = icmp eq ptr %next, null
  br i1 %end, label %out, label %loop
out:
  ret void
}
