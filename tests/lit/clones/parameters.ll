; The argument bytes read by a clone, as parameter:offset:bytes. Only
; the members of a structure still read after loops have vanished.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone>,verify' -S %s | %FileCheck %s
target triple = "nvptx64-nvidia-cuda"
%Size = type { i32, [12 x i8], i64 }

; CHECK: clone\090\09free\094\091:0:4\091:16:8\093:0:1\0A
; CHECK-SAME: clone\091\09free\092\091:0:24\0A
; CHECK-SAME: clone\092\09free\092\0A
define ptx_kernel void @members(i64 %unread, ptr byval(%Size) align 8 %size, ptr %x, i1 %flag) {
  %rows = load i32, ptr %size
  %second = getelementptr i8, ptr %size, i64 16
  %columns = load i64, ptr %second
  %wide = sext i32 %rows to i64
  %fits = icmp slt i64 %wide, %columns
  %both = and i1 %fits, %flag
  br i1 %both, label %then, label %end
then:
  store float 0.0, ptr %x
  br label %end
end:
  ret void
}

define ptx_kernel void @by_index(ptr %x, ptr byval(%Size) align 8 %size) {
  %first = load i32, ptr %size
  %at = sext i32 %first to i64
  %p = getelementptr i32, ptr %size, i64 %at
  %v = load i32, ptr %p
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store float 0.0, ptr %x
  br label %end
end:
  ret void
}

define ptx_kernel void @nothing(i32 %n, ptr %x) {
  %v = load float, ptr %x
  %s = fadd float %v, 1.0
  store float %s, ptr %x
  ret void
}
