; With -g regions nest inside the user's scopes, and the last step puts the user's locations back as they were,
; also below inlined calls and in loop metadata.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,print<gpuprof-regions>,gpuprof-count<cpu>,verify' -S %s -o %t | %FileCheck %s
; RUN: %FileCheck %s --check-prefix=AFTER --implicit-check-not=gpuprof-region --implicit-check-not=gpuprof.scopes < %t
target triple = "nvptx64-nvidia-cuda"
@.a = private unnamed_addr constant [19 x i8] c"name=a\09kind=device\00"

; CHECK-LABEL: regions of k:
; CHECK-NEXT: a:{{.*}}%x = add {{.*}}!dbg
; CHECK-NEXT: a:{{.*}}%none = add
; CHECK-NEXT: a:{{.*}}store i32 %x
; CHECK-NEXT: a:{{.*}}br i1 %c{{.*}}
; CHECK-NOT: {{^  [a-z]}}

; AFTER: %x = add i32 %n, 1, !dbg [[X:![0-9]+]]
; AFTER-NEXT: %none = add i32 %n, 2{{$}}
; AFTER-NEXT: store i32 %x, ptr %p, align 4, !dbg [[S:![0-9]+]]
; AFTER: br i1 %c, {{.*}}, !dbg [[S]], !llvm.loop [[LOOP:![0-9]+]]
; AFTER: !llvm.dbg.cu = !{![[#CU:]]}
; AFTER-DAG: [[X]] = !DILocation(line: 3, column: 5, scope: [[BLOCK:![0-9]+]])
; AFTER-DAG: [[BLOCK]] = distinct !DILexicalBlock(scope: [[SP:![0-9]+]], file: {{.*}}, line: 2, column: 3)
; AFTER-DAG: [[SP]] = distinct !DISubprogram(name: "k"
; AFTER-DAG: [[S]] = !DILocation(line: 4, column: 5, scope: [[SP]])
; AFTER-DAG: [[LOOP]] = distinct !{[[LOOP]], [[S]]}
define ptx_kernel void @k(i32 %n, ptr %p, i1 %c) !dbg !5 {
  %s = alloca i32
  br label %loop, !dbg !9
loop:
  %1 = call i32 @__gpuprof_enter(ptr @.a), !dbg !9
  store i32 %1, ptr %s, !dbg !9
  %x = add i32 %n, 1, !dbg !8
  %none = add i32 %n, 2
  store i32 %x, ptr %p, !dbg !9
  br i1 %c, label %loop, label %out, !dbg !9, !llvm.loop !10
out:
  call void @__gpuprof_exit(ptr %s), !dbg !9
  ret void, !dbg !9
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "clang", isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DILexicalBlock(scope: !5, file: !1, line: 2, column: 3)
!8 = !DILocation(line: 3, column: 5, scope: !6)
!9 = !DILocation(line: 4, column: 5, scope: !5)
!10 = distinct !{!10, !9}
