; Functions that are not inlined become part of the clone. It counts their blocks for
; each chain of calls, and calls nothing. The kernel and the functions stay unchanged.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK: clone\090\09free\092\091:0:4\0A
; CHECK: define ptx_kernel void @calls(ptr %x, i32 %n)
; CHECK-NEXT: call void @outer(ptr %x, i32 %n)
; CHECK-NEXT: call void @inner(ptr %x, i32 3)
; CHECK-NEXT: ret void
define ptx_kernel void @calls(ptr %x, i32 %n) {
  call void @outer(ptr %x, i32 %n)
  call void @inner(ptr %x, i32 3)
  ret void
}
; CHECK: define internal void @outer(ptr %x, i32 %n)
; CHECK-NOT: gpuprof
; CHECK: ret void
define internal void @outer(ptr %x, i32 %n) noinline {
  %positive = icmp sgt i32 %n, 0
  br i1 %positive, label %then, label %end
then:
  call void @inner(ptr %x, i32 %n)
  br label %end
end:
  ret void
}
define internal void @inner(ptr %x, i32 %n) noinline {
  %old = load float, ptr %x
  %new = fadd float %old, 1.0
  store float %new, ptr %x
  %large = icmp ugt i32 %n, 100
  br i1 %large, label %then, label %end
then:
  store float 0.0, ptr %x
  br label %end
end:
  ret void
}
; CHECK: define ptx_kernel void @"calls$gpuprof_count"(ptr %x, i32 %n, i64
; CHECK-NOT: float
; CHECK-NOT: call void
; CHECK: icmp sgt i32 %n, 0
; CHECK-NOT: float
; CHECK-NOT: call void @{{outer|inner}}
; CHECK: ret void
