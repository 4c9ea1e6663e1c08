; A kernel that no clone counts stays as it was, and its twin has the counters: in the sheet by `twin`.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone;twins;remarks>,verify' -pass-remarks=gpuprof -S %s -o %t 2>%t.remarks
; RUN: %FileCheck %s <%t
; RUN: %FileCheck --check-prefix=REMARK %s <%t.remarks
; The kernels are those of a module without counters; groups of attributes have other numbers.
; RUN: %opt -passes=verify -S %s -o %t.plain
; RUN: for kernel in written calls; do for from in %t %t.plain; do sed -n -e 's/ #[0-9]*//' -e "/^define ptx_kernel void @$kernel(/,/^}/p" $from >$from.$kernel; done; test -s %t.$kernel && cmp %t.$kernel %t.plain.$kernel || exit 1; done
; Without `twins` the counters are in the kernels.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone>,verify' -S %s | %FileCheck --check-prefix=NONE --implicit-check-not='$gpuprof_in_kernel' %s
; Nor are there twins where all counters are to be in kernels, or where kernels are not kept.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=inkernel;twins>,verify' -S %s | %FileCheck --check-prefix=NONE --implicit-check-not='$gpuprof_in_kernel' %s
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<cpu;count=auto;twins>,verify' -S %s | %FileCheck --check-prefix=NONE --implicit-check-not='$gpuprof_in_kernel' %s
target triple = "nvptx64-nvidia-cuda"
@_ZL14__gpuprof_unit__static__17 = external addrspace(1) global [32 x i8]
@address = global ptr @used

; CHECK: twin\090\092\0A
; CHECK-SAME: counters\090\092\0916\0A
; CHECK-SAME: twin\091\091\0A
; CHECK-SAME: counters\091\091\098\0A
; CHECK-NOT: twin\092
; NONE-NOT: twin\09
; NONE: define ptx_kernel void @written(

; REMARK: kernel written is counted by {{.*}}, in an instrumented twin, since its control flow depends on loads from memory
define ptx_kernel void @written(ptr %x, i32 %n) {
  %v = load i32, ptr %x
  %on = icmp eq i32 %v, 0
  br i1 %on, label %then, label %end
then:
  store i32 1, ptr %x
  br label %end
end:
  ret void
}

; Functions of other units: the kernel calls them as they are, the twin with the address of their counters.
define ptx_kernel void @calls(float %v) {
  %x = call float @theirs(float %v)
  ret void
}
declare float @theirs(float)

; Device code may launch the kernel itself.
; REMARK: kernel used is counted by {{.*}}, in the kernel, since device code uses its address
; CHECK: define ptx_kernel void @used(
; CHECK: load i64, ptr addrspace(1) getelementptr inbounds
define ptx_kernel void @used(ptr %x) {
  store i32 1, ptr %x
  ret void
}

; A twin keeps its launch bounds if it calls functions of the driver alone.
; CHECK: define ptx_kernel void @asserts(ptr %x) [[BOUNDED:#[0-9]+]] {
define ptx_kernel void @asserts(ptr %x) #0 {
  %v = load i32, ptr %x
  %bad = icmp eq i32 %v, 0
  br i1 %bad, label %then, label %end
then:
  store i32 1, ptr %x
  call void @__assertfail(ptr %x, ptr %x, i32 1, ptr %x, i64 1)
  br label %end
end:
  ret void
}
define ptx_kernel void @asserts_theirs(ptr %x, float %v) #0 {
  call void @__assertfail(ptr %x, ptr %x, i32 1, ptr %x, i64 1)
  %y = call float @theirs(float %v)
  ret void
}
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
attributes #0 = { "nvvm.maxntid"="128" }

; The address of its counters is the twin's last argument. If that is 0, it reads the address bound for all launches.
; CHECK: define ptx_kernel void @"written$gpuprof_in_kernel"(ptr %x, i32 %n, i64 [[GIVEN:%[0-9]+]])
; CHECK: call void asm sideeffect "{{.*}}mov.b64 base, $0{{.*}}@is bra GIVEN{{.*}}ld.global.b64 base, [$2]{{.*}}"(i64 [[GIVEN]], i32 {{.*}}, ptr addrspace(1) @__gpuprof_counters)
; CHECK: define ptx_kernel void @"calls$gpuprof_in_kernel"(float %v, i64 [[GIVEN:%[0-9]+]])
; CHECK: call float @"theirs$gpuprof"(float %v, i64
; CHECK: call void asm sideeffect {{.*}}(i64 [[GIVEN]], {{.*}}, ptr addrspace(1) getelementptr
; CHECK: define ptx_kernel void @"asserts$gpuprof_in_kernel"(ptr %x, i64 %0) [[BOUNDED]] {
; CHECK: define ptx_kernel void @"asserts_theirs$gpuprof_in_kernel"(ptr %x, float %v, i64 %0) {
; CHECK: attributes [[BOUNDED]] = { {{.*}}"nvvm.maxntid"="128"

; The marking kernel has the counters of the twin, those bound for all launches: its last argument is its table.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<unique;count=clone;twins>,verify' -S %s | %FileCheck --check-prefix=MARKS %s
; MARKS: define ptx_kernel void @"written$gpuprof_unique"(ptr %x, i32 %n, i64 %0)
; MARKS: call void asm sideeffect {{.*}}(i64 0, i32 {{.*}}, ptr addrspace(1) @__gpuprof_counters)
; MARKS: ret void
