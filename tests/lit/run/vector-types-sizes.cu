// Sizes and alignments of the vector types are the same on both sides, and CUDA's.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "lanes.h"

#define TYPES(F)                                                                                             \
  F(char1)                                                                                                   \
  F(char2) F(char3) F(char4) F(short2) F(short3) F(short4) F(int2) F(int3) F(int4) F(longlong2) F(float2)    \
      F(float3) F(float4) F(double2) F(double3)
#define SIZE(type) out[n++] = sizeof(type) * 100 + alignof(type);
__global__ void sizes(int *out) {
  int n = 0;
  TYPES(SIZE)
}

int main() {
  Values<int, 16> result;
  const int cuda[16] = {101,  202,  301,  404, 404,  602,  808,  808,
                        1204, 1616, 1616, 808, 1204, 1616, 1616, 2408};
  int out[16], n = 0;
  TYPES(SIZE)
  sizes<<<1, 1>>>(result.device);
  result.read();
  for (int i = 0; i < 16; i++)
    EXPECT(result.host[i] == out[i] && out[i] == cuda[i]);
  return finish();
}
