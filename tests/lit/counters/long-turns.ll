; In a kernel of many registers, loops whose turns have hundreds of instructions add their counts to memory at once. Those of the
; loops within have registers. Without the values that take 96 registers, all counts have some.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @large(
; CHECK: {{^}}turn:
; CHECK-COUNT-2: phi i64
; CHECK-NOT: phi
; CHECK: activemask.b32 here;{{.*}}@one red.global.add.u64
; CHECK: {{^}}element:
; CHECK-NEXT: phi i64
; CHECK-NOT: activemask
; CHECK: {{^}}out:
; CHECK-LABEL: define ptx_kernel void @small(
; CHECK-NOT: activemask
; CHECK: {{^}}out:
define ptx_kernel void @large(ptr %p, ptr %q) "target-cpu"="sm_90" {
entry:
  %v0 = load volatile <32 x i32>, ptr %q
  %v1 = load volatile <32 x i32>, ptr %q
  %v2 = load volatile <32 x i32>, ptr %q
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %pass [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8]
c0:
  store volatile i32 0, ptr %p
  br label %pass
c1:
  store volatile i32 1, ptr %p
  br label %pass
c2:
  store volatile i32 2, ptr %p
  br label %pass
c3:
  store volatile i32 3, ptr %p
  br label %pass
c4:
  store volatile i32 4, ptr %p
  br label %pass
c5:
  store volatile i32 5, ptr %p
  br label %pass
c6:
  store volatile i32 6, ptr %p
  br label %pass
c7:
  store volatile i32 7, ptr %p
  br label %pass
c8:
  store volatile i32 8, ptr %p
  br label %pass
pass:
  br label %row
row:
  br label %element
element:
  store volatile i32 20, ptr %p
  store volatile i32 21, ptr %p
  store volatile i32 22, ptr %p
  store volatile i32 23, ptr %p
  store volatile i32 24, ptr %p
  store volatile i32 25, ptr %p
  store volatile i32 26, ptr %p
  store volatile i32 27, ptr %p
  store volatile i32 28, ptr %p
  store volatile i32 29, ptr %p
  %e = load volatile i1, ptr %p
  br i1 %e, label %element, label %next
next:
  %r = load volatile i1, ptr %p
  br i1 %r, label %row, label %last
last:
  %t = load volatile i1, ptr %p
  br i1 %t, label %turn, label %out
out:
  store volatile <32 x i32> %v0, ptr %q
  store volatile <32 x i32> %v1, ptr %q
  store volatile <32 x i32> %v2, ptr %q
  ret void
}
define ptx_kernel void @small(ptr %p, ptr %q) "target-cpu"="sm_90" {
entry:
  br label %turn
turn:
  %x = load volatile i32, ptr %p
  switch i32 %x, label %pass [i32 0, label %c0 i32 1, label %c1 i32 2, label %c2 i32 3, label %c3 i32 4, label %c4 i32 5, label %c5 i32 6, label %c6 i32 7, label %c7 i32 8, label %c8]
c0:
  store volatile i32 0, ptr %p
  br label %pass
c1:
  store volatile i32 1, ptr %p
  br label %pass
c2:
  store volatile i32 2, ptr %p
  br label %pass
c3:
  store volatile i32 3, ptr %p
  br label %pass
c4:
  store volatile i32 4, ptr %p
  br label %pass
c5:
  store volatile i32 5, ptr %p
  br label %pass
c6:
  store volatile i32 6, ptr %p
  br label %pass
c7:
  store volatile i32 7, ptr %p
  br label %pass
c8:
  store volatile i32 8, ptr %p
  br label %pass
pass:
  br label %row
row:
  br label %element
element:
  store volatile i32 20, ptr %p
  store volatile i32 21, ptr %p
  store volatile i32 22, ptr %p
  store volatile i32 23, ptr %p
  store volatile i32 24, ptr %p
  store volatile i32 25, ptr %p
  store volatile i32 26, ptr %p
  store volatile i32 27, ptr %p
  store volatile i32 28, ptr %p
  store volatile i32 29, ptr %p
  %e = load volatile i1, ptr %p
  br i1 %e, label %element, label %next
next:
  %r = load volatile i1, ptr %p
  br i1 %r, label %row, label %last
last:
  %t = load volatile i1, ptr %p
  br i1 %t, label %turn, label %out
out:
  ret void
}
