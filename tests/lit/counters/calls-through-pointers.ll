; A call through a pointer is a direct call of each of the unit's functions of its type whose address is used, where
; it is counted. The kernel beside its twin calls as before, and so does one that is not counted.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=clone;twins;filter=counted>,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
; RUN: %opt -passes=verify -S %s -o %t.plain
; RUN: for kernel in counted left; do for from in %t %t.plain; do sed -n -e 's/ #[0-9]*//' -e "/^define ptx_kernel void @$kernel(/,/^}/p" $from >$from.$kernel; done; test -s %t.$kernel && cmp %t.$kernel %t.plain.$kernel || exit 1; done
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<count=inkernel>,verify' -S %s | %FileCheck --check-prefix=INKERNEL %s
target triple = "nvptx64-nvidia-cuda"
@table = addrspace(4) externally_initialized constant [3 x ptr] [ptr @one, ptr @two, ptr @other_type]

; The sheet has the sums of both functions, and the call that is none of these.
; CHECK: \09fp32_add=1
; CHECK-SAME: \09fp32_mul=1
; CHECK-SAME: uncounted\090\09{{[0-9]+}}\09-\090\09indirect call
define ptx_kernel void @counted(i32 %n, ptr %to) {
entry:
  %at = getelementptr [3 x ptr], ptr addrspace(4) @table, i32 0, i32 %n
  %f = load ptr, ptr addrspace(4) %at
  %v = call float %f(float 2.0)
  store float %v, ptr %to
  ret void
}

define ptx_kernel void @left(i32 %n, ptr %to) {
entry:
  %at = getelementptr [3 x ptr], ptr addrspace(4) @table, i32 0, i32 %n
  %f = load ptr, ptr addrspace(4) %at
  %v = call float %f(float 2.0)
  store float %v, ptr %to
  ret void
}

define internal float @one(float %x) {
  %y = fadd float %x, 1.0
  ret float %y
}
define internal float @two(float %x) {
  %y = fmul float %x, %x
  ret float %y
}
define internal float @other_type(i32 %x) {
  %y = sitofp i32 %x to float
  ret float %y
}

; CHECK: define ptx_kernel void @"counted$gpuprof_in_kernel"(
; CHECK: %[[IS_ONE:.*]] = icmp eq ptr %[[F:.*]], @one
; CHECK: br i1 %[[IS_ONE]]
; CHECK: call float @one.gpuprof(float 2.000000e+00, i64
; CHECK: %[[IS_TWO:.*]] = icmp eq ptr %[[F]], @two
; CHECK: call float @two.gpuprof(float 2.000000e+00, i64
; CHECK-NOT: @other_type
; CHECK: call float %[[F]](float 2.000000e+00)
; CHECK: ret void

; INKERNEL: define ptx_kernel void @counted(
; INKERNEL: call float @one.gpuprof(
; INKERNEL: call float @two.gpuprof(
; INKERNEL: call float %{{.*}}(float 2.000000e+00)
