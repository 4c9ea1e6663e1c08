; A kernel becomes a body, a function for one thread, a function looping over a block, and a row of the table.
; RUN: %opt -load-pass-plugin=%optplugin -passes=gpuprof-cpu-lower -S %s 2>%t.err | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.P = type { i32, [5 x float] }

; CHECK: [[BYTES:@gpuprof.parameters[^ ]*]] = internal constant [4 x i32] [i32 8, i32 1, i32 24, i32 24]
; CHECK: @__gpuprof_cpu_kernels = constant [2 x { ptr, ptr, ptr, ptr, i32, i32, i32, i32, ptr, i64{{[^}]*}} }]
; CHECK-SAME: { ptr @gpuprof.text{{[^ ]*}}, ptr @mixed.thread, ptr @mixed.block, ptr [[BYTES]], i32 4, i32 0, i32 128, i32 0,
; CHECK-SAME: { ptr @gpuprof.text{{[^ ]*}}, ptr @waits.thread, ptr null, ptr null, i32 0, i32 0, i32 0, i32 0,

; The body gets the thread's state first and keeps nothing of the device.
; CHECK: define internal void @mixed.body.cpu(ptr %thread, ptr noundef %out, i1 zeroext %flag, ptr %read, ptr %written) [[BODY:#[0-9]+]]
define ptx_kernel void @mixed(ptr noundef nocapture %out, i1 zeroext %flag, ptr readonly byval(%struct.P) align 4 %read, ptr byval(%struct.P) align 4 %written) #0 {
  store i32 1, ptr %written, align 4
  ret void
}

define ptx_kernel void @waits() {
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: define internal void @mixed.thread(ptr %thread, ptr %arguments)
; bool is a byte. Structures are copied, a small read-only one as well: it is promoted to registers.
; CHECK: [[FLAG:%.*]] = load i8, ptr
; CHECK: trunc i8 [[FLAG]] to i1
; CHECK: [[READ:%.*]] = alloca %struct.P
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align {{[0-9]+}} [[READ]], ptr align 1 {{%.*}}, i64 24, i1 false)
; CHECK: [[COPY:%.*]] = alloca %struct.P
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr [[COPY]], ptr align 1 [[SOURCE:%.*]], i64 24, i1 false)
; CHECK: call void @mixed.body.cpu(ptr %thread, ptr %{{.*}}, i1 %{{.*}}, ptr [[READ]], ptr [[COPY]])

; CHECK-LABEL: define internal void @mixed.block(ptr %thread, ptr %arguments)
; CHECK: [[STATE:%.*]] = alloca %gpuprof_cpu_thread
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[STATE]], ptr align 8 %thread, i64 112, i1 false)
; CHECK: phi i32
; CHECK: phi i32
; CHECK: [[X:%.*]] = phi i32
; CHECK: [[LANE:%.*]] = and i32 {{.*}}, 31
; CHECK: store i32 [[LANE]]
; CHECK: [[WARP:%.*]] = lshr i32 {{.*}}, 5
; CHECK: store i32 [[WARP]]
; CHECK: call void @mixed.body.cpu(ptr [[STATE]]
; CHECK: [[NEXT:%.*]] = add nuw nsw i32 [[X]], 1
; CHECK: icmp ne i32 [[NEXT]]

; CHECK-LABEL: define internal void @waits.thread
; CHECK-NOT: @waits.block
; CHECK: attributes [[BODY]] = { alwaysinline nounwind }
; CHECK-NOT: nvvm
attributes #0 = { convergent memory(none) "nvvm.maxntid"="32,4,1" "target-cpu"="sm_90" "target-features"="+ptx80" }
