; A twin takes the address of its counters behind its parameters where there is room for it, and where no called function
; needs that address. The sheet says the place of the argument among those in one block of memory.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone;twins>,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
; RUN: %FileCheck --check-prefix=SHEET %s <%t
; On the CPU device it is a plain load.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=clone;twins>,verify' -S %s | %FileCheck --check-prefix=CPU %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@_ZL14__gpuprof_unit__static__17 = external addrspace(1) global [32 x i8]

; SHEET: twin\090\093\0A
; SHEET-SAME: counters\090\093\0932\0A
; SHEET-SAME: twin\091\091\0A
; SHEET-SAME: counters\091\091\094088\0A
; SHEET-SAME: twin\092\091\0A
; SHEET-NOT: counters\092
; SHEET-SAME: twin\093\091\0A
; SHEET-SAME: counters\093\091\0932752\0A
; SHEET-SAME: twin\094\091\0A
; SHEET-NOT: counters\094
; SHEET-SAME: twin\095\091\0A
; SHEET-NOT: counters\095
; SHEET-SAME: twin\096\091\0A
; SHEET-SAME: counters\096\091\098\0A

; A byte at 0, a structure at 8, a short at 24.
%structure = type { ptr, double }
define ptx_kernel void @mixed(i8 %c, ptr byval(%structure) align 8 %s, i16 %n) {
  %x = load ptr, ptr %s
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}

; 4,096 bytes are the limit of old PTX, and 32,764 that of new PTX.
define ptx_kernel void @last_of_old(ptr byval([4088 x i8]) align 8 %s) {
  %x = load ptr, ptr %s
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @too_large_for_old(ptr byval([4090 x i8]) align 8 %s) {
  %x = load ptr, ptr %s
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @last_of_new(ptr byval([32752 x i8]) align 8 %s) {
  %x = load ptr, ptr %s
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @too_large_for_new(ptr byval([32757 x i8]) align 8 %s) {
  %x = load ptr, ptr %s
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}

; A called function adds counts itself before a thread ends in it.
define internal void @ends(ptr %x) noinline {
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  call void asm sideeffect "exit;", ""()
  br label %end
end:
  ret void
}
define ptx_kernel void @calls_end(ptr %x) {
  call void @ends(ptr %x)
  store i32 1, ptr %x
  ret void
}

; The counts of other functions are in the kernel's array.
define internal void @adds(ptr %x) noinline {
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}
define ptx_kernel void @calls_add(ptr %x) {
  call void @adds(ptr %x)
  store i32 1, ptr %x
  ret void
}

; CHECK: define ptx_kernel void @"mixed$gpuprof_in_kernel"(i8 %c, ptr byval(%structure) align 8 %s, i16 %n, i64 %0)
; CHECK: define ptx_kernel void @"last_of_old$gpuprof_in_kernel"(ptr byval([4088 x i8]) align 8 %s, i64 %0)
; CHECK: define ptx_kernel void @"too_large_for_old$gpuprof_in_kernel"(ptr byval([4090 x i8]) align 8 %s)
; CHECK: load i64, ptr addrspace(1) getelementptr
; CHECK: define ptx_kernel void @"last_of_new$gpuprof_in_kernel"(ptr byval([32752 x i8]) align 8 %s, i64 %0)
; CHECK: define ptx_kernel void @"too_large_for_new$gpuprof_in_kernel"(ptr byval([32757 x i8]) align 8 %s)
; CHECK: define ptx_kernel void @"calls_end$gpuprof_in_kernel"(ptr %x)
; CHECK: define ptx_kernel void @"calls_add$gpuprof_in_kernel"(ptr %x, i64 %0)

; CPU: define ptx_kernel void @"mixed$gpuprof_in_kernel"({{.*}}, i64 [[GIVEN:%[0-9]+]])
; CPU: [[BOUND:%[0-9]+]] = load i64, ptr addrspace(1) @__gpuprof_counters
; CPU: select i1 {{.*}}, i64 [[BOUND]], i64 [[GIVEN]]
