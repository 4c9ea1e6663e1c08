// mma.sync with numbers and sinks among its registers: sums of rows by a product with ones, as attention has them.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json row_sums counts launches=1 threads=32 flops.total=4096 flops.tensor.fp16=4096 bytes.global.store=256
// CHECK: all right
#include "lanes.h"

// 16 rows of 16 ones; a quarter is added to what row `lane / 4` has, and 1.5 to row `lane / 4 + 8`.
__global__ void row_sums(float *out) {
  float low, high;
  const unsigned ones = 0x3c003c00u; // two halves of 1
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, _, %1, _}, {%2, %2, %2, %2}, {%2, %2}, "
               "{0.25, 0., 1.5, 0.};"
               : "=f"(low), "=f"(high)
               : "r"(ones));
  out[threadIdx.x] = low;
  out[32 + threadIdx.x] = high;
}

int main() {
  Values<float, 64> out;
  row_sums<<<1, 32>>>(out.device);
  out.read();
  for (int i = 0; i < 64; i++)
    EXPECT(out.host[i] == (i < 32 ? 16.25f : 17.5f));
  return finish();
}
