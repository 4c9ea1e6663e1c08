; The pointers among the arguments behind which a clone reads memory, and a kernel writes: with both known, a clone runs again only
; after a write. Nothing is said of accesses through other pointers.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>,verify' -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck --check-prefix=CPU %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: clone\090\09light
; CHECK-SAME: loads\090\093\090:0\091:0\0Astores\090\093\092:0\0A
; CHECK-SAME: kernel\091\09members
; CHECK-SAME: loads\091\092\090:8\0Astores\091\092\090:0\091:0\0A
; CHECK-SAME: kernel\092\09writes_anywhere
; CHECK-NOT: {{loads|stores}}\092
; CHECK-SAME: kernel\093\09reads_anywhere
; CHECK-NOT: loads\093
; CHECK-SAME: stores\093\092\091:0\0Akernel\094\09shared_and_own
; CHECK-SAME: stores\094\091\0Akernel\095\09calls
; CHECK-NOT: stores\095
; CHECK-SAME: end
; CPU-NOT: {{loads|stores}}\09

define ptx_kernel void @either(ptr noalias %a, ptr noalias %b, ptr noalias %out) {
  %first = load i32, ptr %a
  %which = icmp eq i32 %first, 0
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

; The address of the store is in memory.
define ptx_kernel void @writes_anywhere(ptr noalias %in, ptr noalias %places) {
  %v = load i32, ptr %in, !invariant.load !0
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  %out = load ptr, ptr %places
  store i32 1, ptr %out
  br label %end
end:
  ret void
}

; The address of the load is.
define ptx_kernel void @reads_anywhere(ptr noalias %places, ptr noalias %out) {
  %in = load ptr, ptr %places, !invariant.load !0
  %g = addrspacecast ptr %in to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %g, !invariant.load !0
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %out
  br label %end
end:
  ret void
}

@tile = internal addrspace(3) global [32 x i32] poison
define ptx_kernel void @shared_and_own(i32 %n) {
  %own = alloca [4 x i32]
  %at = getelementptr [4 x i32], ptr %own, i32 0, i32 %n
  store i32 %n, ptr %at
  store i32 %n, ptr addrspace(3) @tile
  ret void
}

define ptx_kernel void @calls(i32 %n, ptr %out) {
  call void @other(ptr %out)
  ret void
}
declare void @other(ptr)

!0 = !{}
