// Conditional counts of threads are summed up in 32 bits over a block, in vectors as long as those of
// the deciding values. (64 bits would mean half as many threads a vector, and twice as many registers.)
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 -march=x86-64-v3 -emit-llvm -S %s -o - | %FileCheck %s
// CHECK-LABEL: define internal void @_Z5firesPKfPf.block
// CHECK: fcmp {{.*}}<8 x float>
// CHECK-NOT: zext <{{.*}} x i1> {{.*}} x i64>
// CHECK: add <8 x i32>
// CHECK-NOT: zext <{{.*}} x i1> {{.*}} x i64>
// CHECK: ret void
#pragma gpuprof region("fires")
__global__ void fires(const float *membrane, float *spike) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool fired = membrane[i] >= 1.0f;
  spike[i] = fired ? 1.0f : 0.0f;
#pragma gpuprof spike(fired)
}
