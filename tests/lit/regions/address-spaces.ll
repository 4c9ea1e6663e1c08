; Strings and variables in other address spaces, as clang casts them for NVPTX, are found and erased.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,print<gpuprof-regions>' -S %s -o %t | %FileCheck %s
; RUN: %FileCheck %s --check-prefix=CLEAN --implicit-check-not=__gpuprof --implicit-check-not=alloca --implicit-check-not=@.a < %t
target triple = "nvptx64-nvidia-cuda"
@.a = private unnamed_addr addrspace(1) constant [19 x i8] c"name=a\09kind=device\00"

; CHECK-LABEL: regions of k:
; CHECK-NEXT: a:{{.*}}%x ={{.*}}
; CHECK-NOT: {{^  [a-z]}}
; CLEAN: define ptx_kernel void @k(
define ptx_kernel void @k(i32 %n) {
  %s = alloca i32, addrspace(5)
  %generic = addrspacecast ptr addrspace(5) %s to ptr
  %1 = call i32 @__gpuprof_enter(ptr addrspacecast (ptr addrspace(1) @.a to ptr))
  store i32 %1, ptr %generic
  %x = add i32 %n, 1
  %again = addrspacecast ptr addrspace(5) %s to ptr
  call void @__gpuprof_exit(ptr %again)
  ret void
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)
