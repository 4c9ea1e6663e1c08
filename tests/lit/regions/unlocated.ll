; An instruction without a location from the start, here of a parameter stored before the
; region, is not in the region, whether or not its block has locations: -g changes no count.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,gpuprof-count<cpu>' -S %s -o - | %FileCheck %s
; One whose location was dropped later, by a move ahead of a branch within the region, is in it.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-regions,function(speculative-execution),gpuprof-count<cpu>' -S %s -o - | %FileCheck --check-prefix=MOVED %s
target triple = "nvptx64-nvidia-cuda"
@r = private constant [23 x i8] c"name=loop\09kind=device\00\00"

; CHECK: cost\090\090\09-\09-\090\09local_store=4\0A
; CHECK-SAME: cost\090\09{{.}}\090\090\0915\09fp32_mul=1\0A
; MOVED: cost\090\090\09-\09-\090\09local_store=4\0A
; MOVED-SAME: cost\090\090\090\09{{-\\090|0\\0915}}\09fp32_mul=1\0A
define ptx_kernel void @k(float %v, i1 %c, ptr addrspace(1) %p) !dbg !6 {
entry:
  %parameter = alloca float
  %s = alloca i32
  store float %v, ptr %parameter
  %enter1 = call i32 @__gpuprof_enter(ptr @r), !dbg !8
  store i32 %enter1, ptr %s, !dbg !8
  br label %inside, !dbg !9
inside:
  br i1 %c, label %then, label %end, !dbg !9
then:
  %x = fmul float %v, 1.5, !dbg !10
  br label %end, !dbg !10
end:
  %y = phi float [ %x, %then ], [ %v, %inside ]
  call void @__gpuprof_exit(ptr %s), !dbg !9
  store float %y, ptr addrspace(1) %p, !dbg !11
  ret void, !dbg !11
}
declare i32 @__gpuprof_enter(ptr)
declare void @__gpuprof_exit(ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/src")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = distinct !DISubprogram(name: "k", file: !1, line: 10, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 13, scope: !6)
!9 = !DILocation(line: 14, scope: !6)
!10 = !DILocation(line: 15, scope: !6)
!11 = !DILocation(line: 18, scope: !6)
