; Addresses at constant distances, and numbers made wider, take no registers of their own: ptxas makes them part of accesses. Forty
; of them before a loop leave its counts in registers.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count<remarks>' -pass-remarks=gpuprof -S %s -o %t 2>%t.remarks
; RUN: %FileCheck %s <%t.remarks
target triple = "nvptx64-nvidia-cuda"

; CHECK: kernel addresses is counted by
; CHECK-NOT: memory
; CHECK: kernel values is counted by {{.*}}; counts are kept in memory
define ptx_kernel void @addresses(ptr %p) "target-cpu"="sm_90" "nvvm.maxntid"="1024" {
entry:
  %l = alloca [64 x i32]
  %a0 = getelementptr i32, ptr %l, i64 1
  %a1 = getelementptr i32, ptr %l, i64 2
  %a2 = getelementptr i32, ptr %l, i64 3
  %a3 = getelementptr i32, ptr %l, i64 4
  %a4 = getelementptr i32, ptr %l, i64 5
  %a5 = getelementptr i32, ptr %l, i64 6
  %a6 = getelementptr i32, ptr %l, i64 7
  %a7 = getelementptr i32, ptr %l, i64 8
  %a8 = getelementptr i32, ptr %l, i64 9
  %a9 = getelementptr i32, ptr %l, i64 10
  %a10 = getelementptr i32, ptr %l, i64 11
  %a11 = getelementptr i32, ptr %l, i64 12
  %a12 = getelementptr i32, ptr %l, i64 13
  %a13 = getelementptr i32, ptr %l, i64 14
  %a14 = getelementptr i32, ptr %l, i64 15
  %a15 = getelementptr i32, ptr %l, i64 16
  %a16 = getelementptr i32, ptr %l, i64 17
  %a17 = getelementptr i32, ptr %l, i64 18
  %a18 = getelementptr i32, ptr %l, i64 19
  %a19 = getelementptr i32, ptr %l, i64 20
  %a20 = getelementptr i32, ptr %l, i64 21
  %a21 = getelementptr i32, ptr %l, i64 22
  %a22 = getelementptr i32, ptr %l, i64 23
  %a23 = getelementptr i32, ptr %l, i64 24
  %a24 = getelementptr i32, ptr %l, i64 25
  %a25 = getelementptr i32, ptr %l, i64 26
  %a26 = getelementptr i32, ptr %l, i64 27
  %a27 = getelementptr i32, ptr %l, i64 28
  %a28 = getelementptr i32, ptr %l, i64 29
  %a29 = getelementptr i32, ptr %l, i64 30
  %a30 = getelementptr i32, ptr %l, i64 31
  %a31 = getelementptr i32, ptr %l, i64 32
  %a32 = getelementptr i32, ptr %l, i64 33
  %a33 = getelementptr i32, ptr %l, i64 34
  %a34 = getelementptr i32, ptr %l, i64 35
  %a35 = getelementptr i32, ptr %l, i64 36
  %a36 = getelementptr i32, ptr %l, i64 37
  %a37 = getelementptr i32, ptr %l, i64 38
  %a38 = getelementptr i32, ptr %l, i64 39
  %a39 = getelementptr i32, ptr %l, i64 40
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  store volatile i32 %x, ptr %a0
  store volatile i32 %x, ptr %a1
  store volatile i32 %x, ptr %a2
  store volatile i32 %x, ptr %a3
  store volatile i32 %x, ptr %a4
  store volatile i32 %x, ptr %a5
  store volatile i32 %x, ptr %a6
  store volatile i32 %x, ptr %a7
  store volatile i32 %x, ptr %a8
  store volatile i32 %x, ptr %a9
  store volatile i32 %x, ptr %a10
  store volatile i32 %x, ptr %a11
  store volatile i32 %x, ptr %a12
  store volatile i32 %x, ptr %a13
  store volatile i32 %x, ptr %a14
  store volatile i32 %x, ptr %a15
  store volatile i32 %x, ptr %a16
  store volatile i32 %x, ptr %a17
  store volatile i32 %x, ptr %a18
  store volatile i32 %x, ptr %a19
  store volatile i32 %x, ptr %a20
  store volatile i32 %x, ptr %a21
  store volatile i32 %x, ptr %a22
  store volatile i32 %x, ptr %a23
  store volatile i32 %x, ptr %a24
  store volatile i32 %x, ptr %a25
  store volatile i32 %x, ptr %a26
  store volatile i32 %x, ptr %a27
  store volatile i32 %x, ptr %a28
  store volatile i32 %x, ptr %a29
  store volatile i32 %x, ptr %a30
  store volatile i32 %x, ptr %a31
  store volatile i32 %x, ptr %a32
  store volatile i32 %x, ptr %a33
  store volatile i32 %x, ptr %a34
  store volatile i32 %x, ptr %a35
  store volatile i32 %x, ptr %a36
  store volatile i32 %x, ptr %a37
  store volatile i32 %x, ptr %a38
  store volatile i32 %x, ptr %a39
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11]
c0:
  store volatile i32 0, ptr %p
  br label %turn
c1:
  store volatile i32 1, ptr %p
  br label %turn
c2:
  store volatile i32 2, ptr %p
  br label %turn
c3:
  store volatile i32 3, ptr %p
  br label %turn
c4:
  store volatile i32 4, ptr %p
  br label %turn
c5:
  store volatile i32 5, ptr %p
  br label %turn
c6:
  store volatile i32 6, ptr %p
  br label %turn
c7:
  store volatile i32 7, ptr %p
  br label %turn
c8:
  store volatile i32 8, ptr %p
  br label %turn
c9:
  store volatile i32 9, ptr %p
  br label %turn
c10:
  store volatile i32 10, ptr %p
  br label %turn
c11:
  store volatile i32 11, ptr %p
  br label %turn
out:
  ret void
}

; As many values that are loaded.
define ptx_kernel void @values(ptr %p) "target-cpu"="sm_90" "nvvm.maxntid"="1024" {
entry:
  %l = alloca [64 x i32]
  %a0 = load volatile i64, ptr %p
  %a1 = load volatile i64, ptr %p
  %a2 = load volatile i64, ptr %p
  %a3 = load volatile i64, ptr %p
  %a4 = load volatile i64, ptr %p
  %a5 = load volatile i64, ptr %p
  %a6 = load volatile i64, ptr %p
  %a7 = load volatile i64, ptr %p
  %a8 = load volatile i64, ptr %p
  %a9 = load volatile i64, ptr %p
  %a10 = load volatile i64, ptr %p
  %a11 = load volatile i64, ptr %p
  %a12 = load volatile i64, ptr %p
  %a13 = load volatile i64, ptr %p
  %a14 = load volatile i64, ptr %p
  %a15 = load volatile i64, ptr %p
  %a16 = load volatile i64, ptr %p
  %a17 = load volatile i64, ptr %p
  %a18 = load volatile i64, ptr %p
  %a19 = load volatile i64, ptr %p
  %a20 = load volatile i64, ptr %p
  %a21 = load volatile i64, ptr %p
  %a22 = load volatile i64, ptr %p
  %a23 = load volatile i64, ptr %p
  %a24 = load volatile i64, ptr %p
  %a25 = load volatile i64, ptr %p
  %a26 = load volatile i64, ptr %p
  %a27 = load volatile i64, ptr %p
  %a28 = load volatile i64, ptr %p
  %a29 = load volatile i64, ptr %p
  %a30 = load volatile i64, ptr %p
  %a31 = load volatile i64, ptr %p
  %a32 = load volatile i64, ptr %p
  %a33 = load volatile i64, ptr %p
  %a34 = load volatile i64, ptr %p
  %a35 = load volatile i64, ptr %p
  %a36 = load volatile i64, ptr %p
  %a37 = load volatile i64, ptr %p
  %a38 = load volatile i64, ptr %p
  %a39 = load volatile i64, ptr %p
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  store volatile i64 %a0, ptr %p
  store volatile i64 %a1, ptr %p
  store volatile i64 %a2, ptr %p
  store volatile i64 %a3, ptr %p
  store volatile i64 %a4, ptr %p
  store volatile i64 %a5, ptr %p
  store volatile i64 %a6, ptr %p
  store volatile i64 %a7, ptr %p
  store volatile i64 %a8, ptr %p
  store volatile i64 %a9, ptr %p
  store volatile i64 %a10, ptr %p
  store volatile i64 %a11, ptr %p
  store volatile i64 %a12, ptr %p
  store volatile i64 %a13, ptr %p
  store volatile i64 %a14, ptr %p
  store volatile i64 %a15, ptr %p
  store volatile i64 %a16, ptr %p
  store volatile i64 %a17, ptr %p
  store volatile i64 %a18, ptr %p
  store volatile i64 %a19, ptr %p
  store volatile i64 %a20, ptr %p
  store volatile i64 %a21, ptr %p
  store volatile i64 %a22, ptr %p
  store volatile i64 %a23, ptr %p
  store volatile i64 %a24, ptr %p
  store volatile i64 %a25, ptr %p
  store volatile i64 %a26, ptr %p
  store volatile i64 %a27, ptr %p
  store volatile i64 %a28, ptr %p
  store volatile i64 %a29, ptr %p
  store volatile i64 %a30, ptr %p
  store volatile i64 %a31, ptr %p
  store volatile i64 %a32, ptr %p
  store volatile i64 %a33, ptr %p
  store volatile i64 %a34, ptr %p
  store volatile i64 %a35, ptr %p
  store volatile i64 %a36, ptr %p
  store volatile i64 %a37, ptr %p
  store volatile i64 %a38, ptr %p
  store volatile i64 %a39, ptr %p
  switch i32 %x, label %out [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8 i32 9, label %c9 i32 10, label %c10 i32 11, label %c11]
c0:
  store volatile i32 0, ptr %p
  br label %turn
c1:
  store volatile i32 1, ptr %p
  br label %turn
c2:
  store volatile i32 2, ptr %p
  br label %turn
c3:
  store volatile i32 3, ptr %p
  br label %turn
c4:
  store volatile i32 4, ptr %p
  br label %turn
c5:
  store volatile i32 5, ptr %p
  br label %turn
c6:
  store volatile i32 6, ptr %p
  br label %turn
c7:
  store volatile i32 7, ptr %p
  br label %turn
c8:
  store volatile i32 8, ptr %p
  br label %turn
c9:
  store volatile i32 9, ptr %p
  br label %turn
c10:
  store volatile i32 10, ptr %p
  br label %turn
c11:
  store volatile i32 11, ptr %p
  br label %turn
out:
  ret void
}
