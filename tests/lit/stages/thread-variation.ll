; How values vary between the threads of a block, of a row of it and of a strip of a row.
; RUN: %opt -load-pass-plugin=%optplugin -disable-output -passes='gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,print<gpuprof-cpu-thread-variation>' %s | %FileCheck --check-prefix=BLOCK %s
; A strip does not diverge: its joins are uniform.
; RUN: %opt -load-pass-plugin=%optplugin -disable-output -passes='gpuprof-cpu-retarget,gpuprof-cpu-instructions,gpuprof-cpu-close-module,gpuprof-cpu-work-item-loops,print<gpuprof-cpu-thread-variation>' %s | %FileCheck --check-prefixes=ROW,STRIP %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; BLOCK-LABEL: variation in a block of k.body.cpu:
; BLOCK: {{^}}  uniform:  %bound =
; BLOCK: {{^}}  varying:  %row =
; BLOCK: {{^}}  varying:  %sum =
; BLOCK: {{^}}  uniform:  %same =
; BLOCK: {{^}}  varying:  %inside =
; BLOCK: {{^}}  varying:  %way =
; BLOCK: {{^}}  varying:  %later =
; BLOCK: {{^}}  uniform:  %even =
; BLOCK: {{^}}  uniform:  %together =
; ROW-LABEL: variation in a row of k.body.cpu:
; ROW: affine 1:  %{{[0-9]+}} = phi i32
; ROW: {{^}}  uniform:  %row =
; ROW: {{^}}  affine 1:  %sum =
; ROW: {{^}}  affine -1:  %back =
; ROW: {{^}}  strided:  %byargument =
; ROW: {{^}}  varying:  %square =
; ROW: {{^}}  varying:  %warp =
; ROW: {{^}}  varying:  %lane =
; ROW: {{^}}  varying:  %warpofgrid =
; ROW: {{^}}  affine 1:  %short =
; ROW: {{^}}  affine 4:  %at =
; ROW: {{^}}  varying:  %value =
; ROW: {{^}}  uniform:  %same =
; ROW: {{^}}  varying:  %way =
; ROW: {{^}}  varying:  %later =
; ROW: {{^}}  uniform:  %together =
; STRIP-LABEL: variation in a strip of k.body.cpu:
; STRIP: {{^}}  uniform:  %row =
; STRIP: {{^}}  affine 1:  %sum =
; STRIP: {{^}}  strided:  %byargument =
; STRIP: {{^}}  uniform:  %warp =
; STRIP: {{^}}  affine 1:  %lane =
; STRIP: {{^}}  uniform:  %warpofgrid =
; STRIP: {{^}}  uniform:  %warpofsigned =
; STRIP: {{^}}  affine 1:  %laneofsigned =
; STRIP: {{^}}  uniform:  %start =
; STRIP: {{^}}  varying:  %backwarp =
; STRIP: {{^}}  varying:  %pair =
; STRIP: {{^}}  varying:  %isleast =
; STRIP: {{^}}  varying:  %ofleast =
; STRIP: {{^}}  varying:  %short =
; STRIP: {{^}}  affine 4:  %at =
; STRIP: {{^}}  varying:  %value =
; STRIP: {{^}}  uniform:  %way =
; STRIP: {{^}}  uniform:  %later =
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bound = mul i32 %w, %n
  %row = mul i32 %y, %w
  %sum = add i32 %x, %row
  %back = sub i32 %n, %x
  %byargument = mul i32 %x, %n
  %square = mul i32 %x, %x
  %warp = lshr i32 %x, 5
  %lane = and i32 %x, 63
  %warpofgrid = lshr i32 %sum, 5
  %warpofsigned = sdiv i32 %sum, 32
  %laneofsigned = srem i32 %sum, 64
  %start = and i32 %sum, -32
  %backwarp = lshr i32 %back, 5
  %pair = lshr i32 %sum, 4
  %isleast = sdiv i32 %sum, -2147483648 ; 1 in the lane with that number, 0 in all others
  %ofleast = srem i32 %sum, -2147483648
  %short = trunc i32 %sum to i16
  %long = zext i32 %sum to i64
  %at = getelementptr float, ptr addrspace(1) %p, i64 %long
  %value = load float, ptr addrspace(1) %at
  %same = load float, ptr addrspace(1) %p
  %inside = icmp ult i32 %x, %n
  br i1 %inside, label %then, label %join
then:
  store float %value, ptr addrspace(1) %p
  br label %join
join:
  %way = phi i32 [ 1, %then ], [ 2, %entry ]
  %later = load float, ptr addrspace(1) %p
  %even = icmp eq i32 %n, 0
  br i1 %even, label %one, label %other
one:
  br label %other
other:
  %together = phi i32 [ 3, %one ], [ 4, %join ]
  ret void
}
