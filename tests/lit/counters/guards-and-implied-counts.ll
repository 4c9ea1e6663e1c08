; What threads count before a guard of one thread is added there, and has no value at their end: no count of a loop is taken from it.
; Here the loop begins as often as the entry ran less the guard.
; RUN: %opt -load-pass-plugin=%optplugin -passes='gpuprof-count,verify' -S %s -o %t
; RUN: %FileCheck %s <%t
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK: define ptx_kernel void @ways(
; CHECK: {{^}}turn:
; CHECK-COUNT-2: phi i64
; CHECK: {{^}}out:
; CHECK-NOT: sub i64
; CHECK: SEPARATE:
; CHECK: ret void
define ptx_kernel void @ways(ptr %p) "target-cpu"="sm_90" {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  store volatile i32 1, ptr %p
  br i1 %first, label %guard, label %others
guard:
  store volatile i32 2, ptr %p
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = icmp ne i32 %t, 0
  br i1 %other, label %out, label %alone
alone:
  store volatile i32 0, ptr %p
  store volatile i32 1, ptr %p
  store volatile i32 2, ptr %p
  store volatile i32 3, ptr %p
  store volatile i32 4, ptr %p
  store volatile i32 5, ptr %p
  store volatile i32 6, ptr %p
  store volatile i32 7, ptr %p
  store volatile i32 8, ptr %p
  store volatile i32 9, ptr %p
  store volatile i32 10, ptr %p
  store volatile i32 11, ptr %p
  store volatile i32 12, ptr %p
  store volatile i32 13, ptr %p
  store volatile i32 14, ptr %p
  store volatile i32 15, ptr %p
  store volatile i32 16, ptr %p
  store volatile i32 17, ptr %p
  store volatile i32 18, ptr %p
  store volatile i32 19, ptr %p
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
  store volatile i32 30, ptr %p
  store volatile i32 31, ptr %p
  store volatile i32 32, ptr %p
  store volatile i32 33, ptr %p
  store volatile i32 34, ptr %p
  store volatile i32 35, ptr %p
  store volatile i32 36, ptr %p
  store volatile i32 37, ptr %p
  store volatile i32 38, ptr %p
  store volatile i32 39, ptr %p
  store volatile i32 40, ptr %p
  store volatile i32 41, ptr %p
  store volatile i32 42, ptr %p
  store volatile i32 43, ptr %p
  store volatile i32 44, ptr %p
  store volatile i32 45, ptr %p
  store volatile i32 46, ptr %p
  store volatile i32 47, ptr %p
  store volatile i32 48, ptr %p
  store volatile i32 49, ptr %p
  store volatile i32 50, ptr %p
  store volatile i32 51, ptr %p
  store volatile i32 52, ptr %p
  store volatile i32 53, ptr %p
  store volatile i32 54, ptr %p
  store volatile i32 55, ptr %p
  store volatile i32 56, ptr %p
  store volatile i32 57, ptr %p
  store volatile i32 58, ptr %p
  store volatile i32 59, ptr %p
  store volatile i32 60, ptr %p
  store volatile i32 61, ptr %p
  store volatile i32 62, ptr %p
  store volatile i32 63, ptr %p
  store volatile i32 64, ptr %p
  store volatile i32 65, ptr %p
  store volatile i32 66, ptr %p
  store volatile i32 67, ptr %p
  store volatile i32 68, ptr %p
  store volatile i32 69, ptr %p
  store volatile i32 70, ptr %p
  store volatile i32 71, ptr %p
  store volatile i32 72, ptr %p
  store volatile i32 73, ptr %p
  store volatile i32 74, ptr %p
  store volatile i32 75, ptr %p
  store volatile i32 76, ptr %p
  store volatile i32 77, ptr %p
  store volatile i32 78, ptr %p
  store volatile i32 79, ptr %p
  store volatile i32 80, ptr %p
  store volatile i32 81, ptr %p
  store volatile i32 82, ptr %p
  store volatile i32 83, ptr %p
  store volatile i32 84, ptr %p
  store volatile i32 85, ptr %p
  store volatile i32 86, ptr %p
  store volatile i32 87, ptr %p
  store volatile i32 88, ptr %p
  store volatile i32 89, ptr %p
  store volatile i32 90, ptr %p
  store volatile i32 91, ptr %p
  store volatile i32 92, ptr %p
  store volatile i32 93, ptr %p
  store volatile i32 94, ptr %p
  store volatile i32 95, ptr %p
  store volatile i32 96, ptr %p
  store volatile i32 97, ptr %p
  store volatile i32 98, ptr %p
  store volatile i32 99, ptr %p
  store volatile i32 100, ptr %p
  store volatile i32 101, ptr %p
  store volatile i32 102, ptr %p
  store volatile i32 103, ptr %p
  store volatile i32 104, ptr %p
  store volatile i32 105, ptr %p
  store volatile i32 106, ptr %p
  store volatile i32 107, ptr %p
  store volatile i32 108, ptr %p
  store volatile i32 109, ptr %p
  store volatile i32 110, ptr %p
  store volatile i32 111, ptr %p
  store volatile i32 112, ptr %p
  store volatile i32 113, ptr %p
  store volatile i32 114, ptr %p
  store volatile i32 115, ptr %p
  store volatile i32 116, ptr %p
  store volatile i32 117, ptr %p
  store volatile i32 118, ptr %p
  store volatile i32 119, ptr %p
  store volatile i32 120, ptr %p
  store volatile i32 121, ptr %p
  store volatile i32 122, ptr %p
  store volatile i32 123, ptr %p
  store volatile i32 124, ptr %p
  store volatile i32 125, ptr %p
  store volatile i32 126, ptr %p
  store volatile i32 127, ptr %p
  store volatile i32 128, ptr %p
  store volatile i32 129, ptr %p
  store volatile i32 130, ptr %p
  store volatile i32 131, ptr %p
  store volatile i32 132, ptr %p
  store volatile i32 133, ptr %p
  store volatile i32 134, ptr %p
  store volatile i32 135, ptr %p
  store volatile i32 136, ptr %p
  store volatile i32 137, ptr %p
  store volatile i32 138, ptr %p
  store volatile i32 139, ptr %p
  store volatile i32 140, ptr %p
  store volatile i32 141, ptr %p
  store volatile i32 142, ptr %p
  store volatile i32 143, ptr %p
  store volatile i32 144, ptr %p
  store volatile i32 145, ptr %p
  store volatile i32 146, ptr %p
  store volatile i32 147, ptr %p
  store volatile i32 148, ptr %p
  store volatile i32 149, ptr %p
  store volatile i32 150, ptr %p
  store volatile i32 151, ptr %p
  store volatile i32 152, ptr %p
  store volatile i32 153, ptr %p
  store volatile i32 154, ptr %p
  store volatile i32 155, ptr %p
  store volatile i32 156, ptr %p
  store volatile i32 157, ptr %p
  store volatile i32 158, ptr %p
  store volatile i32 159, ptr %p
  store volatile i32 160, ptr %p
  store volatile i32 161, ptr %p
  store volatile i32 162, ptr %p
  store volatile i32 163, ptr %p
  store volatile i32 164, ptr %p
  store volatile i32 165, ptr %p
  store volatile i32 166, ptr %p
  store volatile i32 167, ptr %p
  store volatile i32 168, ptr %p
  store volatile i32 169, ptr %p
  store volatile i32 170, ptr %p
  store volatile i32 171, ptr %p
  store volatile i32 172, ptr %p
  store volatile i32 173, ptr %p
  store volatile i32 174, ptr %p
  store volatile i32 175, ptr %p
  store volatile i32 176, ptr %p
  store volatile i32 177, ptr %p
  store volatile i32 178, ptr %p
  store volatile i32 179, ptr %p
  store volatile i32 180, ptr %p
  store volatile i32 181, ptr %p
  store volatile i32 182, ptr %p
  store volatile i32 183, ptr %p
  store volatile i32 184, ptr %p
  store volatile i32 185, ptr %p
  store volatile i32 186, ptr %p
  store volatile i32 187, ptr %p
  store volatile i32 188, ptr %p
  store volatile i32 189, ptr %p
  store volatile i32 190, ptr %p
  store volatile i32 191, ptr %p
  store volatile i32 192, ptr %p
  store volatile i32 193, ptr %p
  store volatile i32 194, ptr %p
  store volatile i32 195, ptr %p
  store volatile i32 196, ptr %p
  store volatile i32 197, ptr %p
  store volatile i32 198, ptr %p
  store volatile i32 199, ptr %p
  store volatile i32 200, ptr %p
  store volatile i32 201, ptr %p
  store volatile i32 202, ptr %p
  store volatile i32 203, ptr %p
  store volatile i32 204, ptr %p
  store volatile i32 205, ptr %p
  store volatile i32 206, ptr %p
  store volatile i32 207, ptr %p
  store volatile i32 208, ptr %p
  store volatile i32 209, ptr %p
  br label %out
others:
  br label %turn
turn:
  %x = load volatile i1, ptr %p
  br i1 %x, label %more, label %out
more:
  store volatile i32 3, ptr %p
  br label %turn
out:
  ret void
}
