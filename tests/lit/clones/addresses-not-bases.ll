; The value of a pointer matters to a clone doing more than adding to it: comparing
; it, selecting by it, or touching a device variable possibly at the same address.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique=auto;count=clone>,verify' -S %s | %FileCheck --implicit-check-not=@0:0:8 %s
target triple = "nvptx64-nvidia-cuda"
@variable = addrspace(1) global i32 0

; CHECK: addresses\090\09free\092\090:0:8\091:0:8\0A
; CHECK-SAME: addresses\091\09free\091\090:0:8\0A
; CHECK-SAME: addresses\092\09free\091\090:0:8\0A
define ptx_kernel void @compared(ptr %x, ptr %y) {
  %none = icmp eq ptr %x, null
  br i1 %none, label %out, label %some
some:
  store i32 1, ptr %x
  br label %out
out:
  store i32 1, ptr %y
  ret void
}

define ptx_kernel void @with_variable(ptr %x) {
  store i32 1, ptr %x
  store i32 1, ptr addrspace(1) @variable
  ret void
}

define ptx_kernel void @as_number(ptr %x) {
  %number = ptrtoint ptr %x to i64
  %aligned = and i64 %number, -256
  %p = inttoptr i64 %aligned to ptr
  store i32 1, ptr %p
  ret void
}
