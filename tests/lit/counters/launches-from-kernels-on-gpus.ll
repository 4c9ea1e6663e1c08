; A launch from a kernel gives one warning for GPUs, at its own line: it is not counted, and its link needs a library.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count' -S %s -o %t.ll 2>%t.err
; RUN: %FileCheck %s < %t.err
; On the CPU device another stage has its own words (cpu/launches-from-kernels.ll).
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>' -S %s -o %t.ll 2>%t.cpu
; RUN: %FileCheck --allow-empty --check-prefix=CPU %s < %t.cpu
target triple = "nvptx64-nvidia-cuda"

; CHECK: warning: {{(<unknown>|app.cu):4:3}}: in function parent {{.*}}: launches from kernels (dynamic parallelism) are not counted; the link needs CUDA's device runtime: -Xoffload-linker CUDA/lib64/libcudadevrt.a, with the toolkit's folder for CUDA
; CHECK-NOT: warning
; CPU-NOT: warning

declare ptr @__cudaCDP2GetParameterBuffer(i64, i64)
declare i32 @__cudaCDP2LaunchDevice(ptr, ptr, i64, i32, i64, i32, i32, ptr)

define ptx_kernel void @child(ptr %p) {
  ret void
}
define ptx_kernel void @parent(ptr %p) !dbg !5 {
  %buffer = call ptr @__cudaCDP2GetParameterBuffer(i64 8, i64 8), !dbg !8
  %one = call i32 @__cudaCDP2LaunchDevice(ptr @child, ptr %buffer, i64 1, i32 1, i64 1, i32 1, i32 0, ptr null), !dbg !8
  %two = call i32 @__cudaCDP2LaunchDevice(ptr @child, ptr %buffer, i64 1, i32 1, i64 1, i32 1, i32 0, ptr null), !dbg !8
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!nvvm.annotations = !{!10, !11}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "app.cu", directory: "/")
!2 = !DIFile(filename: "cuda_device_runtime_api.h", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "parent", file: !1, line: 3, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!6 = distinct !DISubprogram(name: "cudaLaunchDevice", file: !2, line: 700, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocation(line: 4, column: 3, scope: !5)
!8 = !DILocation(line: 717, column: 12, scope: !6, inlinedAt: !7)
!10 = !{ptr @child, !"kernel", i32 1}
!11 = !{ptr @parent, !"kernel", i32 1}
