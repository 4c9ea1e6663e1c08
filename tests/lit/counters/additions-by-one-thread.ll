; The counts of a path through a called function are constants: one thread adds them to the row of counters for all that are there.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %py %S/Inputs/run_additions.py %t called.gpuprof 1=1 2=1 | %FileCheck %s
; CHECK: called.gpuprof: 2 statements
; Before a thread ends there, a whole warp adds sums, and each thread of a part its own. A statement has few variables: all of them would be registers at once.
; RUN: %py %S/Inputs/run_additions.py %t ends.gpuprof 3=any 4=any 5=any 6=any 7=any 8=any 9=any | %FileCheck --check-prefix=ENDS %s
; ENDS: ends.gpuprof: 2 statements
; Shuffles would be many instructions: before sm_80 each thread adds its own.
; RUN: %FileCheck --check-prefix=REDUX %s <%t
; REDUX-LABEL: define internal void @ends.gpuprof(
; REDUX: @all redux.sync.add.u32 here, here, -1;{{.*}}@one red.global.add.u64 [$0+24], sum;
; RUN: sed 's/sm_90/sm_75/' %s >%t.old.ll
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %t.old.ll -o %t.old
; RUN: %py %S/Inputs/run_additions.py %t.old ends.gpuprof 3=any 4=any 5=any 6=any 7=any 8=any 9=any | %FileCheck --check-prefix=ENDS %s
; RUN: sed -n '/^define internal void @ends.gpuprof/,/^}/p' %t.old | %FileCheck --check-prefix=OLD %s
; OLD-NOT: redux
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caller(ptr %p, i32 %n) "target-cpu"="sm_90" {
  call void @called(ptr %p, i32 %n)
  call void @ends(ptr %p, i32 %n)
  ret void
}
define internal void @called(ptr %p, i32 %n) noinline "target-cpu"="sm_90" {
entry:
  %x = load volatile i32, ptr %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %out, label %more
more:
  store volatile i32 %n, ptr %p
  br label %out
out:
  ret void
}
define internal void @ends(ptr %p, i32 %n) noinline "target-cpu"="sm_90" {
entry:
  switch i32 %n, label %out [ i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 ]
c0:
  store volatile i32 0, ptr %p
  br label %out
c1:
  store volatile i32 1, ptr %p
  br label %out
c2:
  store volatile i32 2, ptr %p
  br label %out
c3:
  store volatile i32 3, ptr %p
  br label %out
c4:
  store volatile i32 4, ptr %p
  br label %out
c5:
  store volatile i32 5, ptr %p
  br label %out
out:
  store volatile i32 6, ptr %p
  call void asm sideeffect "exit;", ""()
  ret void
}
