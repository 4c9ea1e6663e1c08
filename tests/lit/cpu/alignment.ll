; Variables stand where kernels can read them as vectors, whatever their own type asks for; those of global memory at a sector.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(4) externally_initialized global [8 x i32] zeroinitializer, align 4
@one = internal addrspace(3) global i32 poison, align 4
@four = internal addrspace(3) global [4 x i32] poison, align 4

; CHECK: @table.cpu = {{.*}}, align 32
; CHECK-LABEL: @kernel
; CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 16
define ptx_kernel void @kernel() {
  store i32 1, ptr addrspace(3) @one
  store <4 x i32> zeroinitializer, ptr addrspace(3) @four
  %v = load <4 x i32>, ptr addrspace(4) @table
  store <4 x i32> %v, ptr addrspace(3) @four
  ret void
}
