; A thread stores its place in the source before it may wait.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-breadcrumbs -S %s | %FileCheck %s
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-retarget,gpuprof-cpu-instructions -S %s | %FileCheck --check-prefix=BEFORE %s
; BEFORE-NOT: stage.cu:12\\00
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: c"stage.cu:12\00"
; CHECK: store ptr @gpuprof.text
; CHECK: call {{.*}}@__gpuprof_cpu_barrier(
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !4 {
  call void @llvm.nvvm.barrier0(), !dbg !7
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "clang", emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "stage.cu", directory: "/program")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !5, scopeLine: 3, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 12, column: 3, scope: !4)
