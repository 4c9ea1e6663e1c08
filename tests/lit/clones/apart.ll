; The assumption of a clone reading memory: pairs of pointers in the arguments, as parameter:offset,
; in different allocations. An instrumented kernel serves launches without this knowledge.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
; RUN: ! grep -e 'indirect[$]gpuprof' -e 'same[$]gpuprof' %t
target triple = "nvptx64-nvidia-cuda"

; CHECK: clone\090\09light\092\090:0:8\0Aapart\090\090:0\091:0\0A
; CHECK-SAME: clone\091\09light\092\090:8:8\0Aapart\091\090:8\090:0\0Aapart\091\090:8\091:0\0A
; CHECK-SAME: clone\092\09light\094\09{{.*}}\0Aapart\092\090:0\092:0\0Aapart\092\091:0\092:0\0A
; CHECK-SAME: clone\093\09light\092\090:0:8\0Acounters\093\092\0916\0Akernel

; CHECK: define ptx_kernel void @stores(ptr %in, ptr %out)
; CHECK-NOT: gpuprof
; CHECK: ret void
; CHECK: define ptx_kernel void @"stores$gpuprof_count"(ptr %in, ptr %out, i64
define ptx_kernel void @stores(ptr %in, ptr %out) {
  %v = load i32, ptr %in
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %out
  br label %end
end:
  ret void
}
; CHECK: define ptx_kernel void @"stores$gpuprof_in_kernel"(ptr %in, ptr %out, i64 %0)
; CHECK: store i32 1, ptr %out
; CHECK: load i64, ptr addrspace(1) @__gpuprof_counters
; CHECK: ret void

; Members of a structure; an atomic, and a copy.
%Pair = type { ptr, ptr }
define ptx_kernel void @members(ptr byval(%Pair) align 8 %pair, ptr %third) {
  %out = load ptr, ptr %pair
  %second = getelementptr i8, ptr %pair, i64 8
  %in = load ptr, ptr %second
  %v = load i32, ptr %in
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  %old = atomicrmw add ptr %out, i32 1 monotonic
  call void @llvm.memset.p0.i64(ptr %third, i8 0, i64 16, i1 false)
  br label %end
end:
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; One of two.
define ptx_kernel void @either(ptr %a, ptr %b, ptr %out, i1 %which) {
  %in = select i1 %which, ptr %a, ptr %b
  %v = load i32, ptr %in
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %out
  br label %end
end:
  ret void
}

; No comparison: the program promises it, or the memory is the thread's own.
define ptx_kernel void @promised(ptr noalias %in, ptr %out) {
  %own = alloca i32
  %v = load i32, ptr %in
  store volatile i32 %v, ptr %own
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %out
  br label %end
end:
  ret void
}

; A pointer loaded from memory may point anywhere, and the same pointer may write the memory read.
define ptx_kernel void @indirect(ptr %in, ptr %table) {
  %v = load i32, ptr %in
  %out = load ptr, ptr %table
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %out
  br label %end
end:
  ret void
}
define ptx_kernel void @same(ptr %x, ptr %out, i1 %which) {
  %to = select i1 %which, ptr %x, ptr %out
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %to
  br label %end
end:
  ret void
}
