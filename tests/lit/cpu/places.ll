; A thread writes its source line before it may wait, with the line of the call for an inlined
; function. In a compiler's header it writes the call alone; an unknown place is null.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: [[PLAIN:@gpuprof.text[.0-9]*]] = private unnamed_addr constant {{.*}} c"app.cu:3\00"
; CHECK-DAG: [[INLINED:@gpuprof.text[.0-9]*]] = private unnamed_addr constant {{.*}} c"/other/meet.h:9 (called at app.cu:4)\00"
; CHECK-DAG: [[LIBRARY:@gpuprof.text[.0-9]*]] = private unnamed_addr constant {{.*}} c"app.cu:5\00"

; CHECK-LABEL: define internal void @waits.body.cpu
; CHECK: [[FIELD:%.*]] = getelementptr {{.*}}%gpuprof_cpu_thread, ptr %thread, i32 0, i32 22
; CHECK-NEXT: store ptr [[PLAIN]], ptr [[FIELD]]
; CHECK-NEXT: call void @__gpuprof_cpu_barrier
; CHECK: store ptr [[INLINED]], ptr
; CHECK-NEXT: call void @__gpuprof_cpu_barrier
; CHECK: store ptr [[LIBRARY]], ptr
; CHECK-NEXT: call void @__gpuprof_cpu_barrier
; CHECK: ret void
define ptx_kernel void @waits() !dbg !4 {
  call void @llvm.nvvm.barrier0(), !dbg !7
  call void @llvm.nvvm.barrier0(), !dbg !8
  call void @llvm.nvvm.barrier0(), !dbg !11
  ret void, !dbg !7
}

; CHECK-LABEL: define internal void @unknown.body.cpu
; CHECK: store ptr null, ptr
; CHECK-NEXT: call void @__gpuprof_cpu_barrier
define ptx_kernel void @unknown() {
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.nvvm.barrier0()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: true, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "app.cu", directory: "/work")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "waits", file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "meet", file: !6, line: 8, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "meet.h", directory: "/other")
!7 = !DILocation(line: 3, scope: !4)
!8 = !DILocation(line: 9, scope: !5, inlinedAt: !9)
!9 = distinct !DILocation(line: 4, scope: !4)
!10 = distinct !DISubprogram(name: "__syncthreads", file: !12, line: 20, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 21, scope: !10, inlinedAt: !13)
!12 = !DIFile(filename: "/usr/lib/clang/include/cuda.h", directory: "/work")
!13 = distinct !DILocation(line: 5, scope: !4)
