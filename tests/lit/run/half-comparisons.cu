// Comparisons, minimum and maximum of __half, NaN included.
// REQUIRES: cuda-toolkit
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"
#include <cuda_fp16.h>
__global__ void compare(float x, float y, int *out) {
  __half a = __float2half(x), b = __float2half(y), nan = __float2half(NAN);
  out[0] = __hlt(a, b), out[1] = __heq(a, a), out[2] = __hge(a, b), out[3] = __hisnan(nan) != 0,
  out[4] = __hlt(a, nan);
  out[5] = (int)__half2float(__hmax(a, b)), out[6] = (int)__half2float(__hmin(a, b)),
  out[7] = (int)__half2float(__hmax(a, nan));
}

int main() {
  Values<int, 8> out;
  compare<<<1, 1>>>(3, 5, out.device);
  out.read();
  const int e[8] = {1, 1, 0, 1, 0, 5, 3, 3};
  for (int i = 0; i < 8; i++)
    EXPECT(out.host[i] == e[i]);
  return finish();
}
