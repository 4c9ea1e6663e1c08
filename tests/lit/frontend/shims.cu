// Declarations of NVIDIA's compiler missing in clang's headers: loads and stores with cache hints in device code,
// unqualified min and max in host code. Functions of the user and the standard library stay the better match.
// RUN: %clangxx -fplugin=%plugin %minicuda -std=c++17 -O1 %s -o %t %link
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %clangxx -fplugin=%plugin %cudaflags -std=c++14 -O1 -Wall -Wextra -Werror -fsyntax-only -Wno-unknown-cuda-version %s
#include <algorithm>
#include <cuda_runtime.h>
#include <stdio.h>
using namespace std;

struct Mine {};
int max(Mine, Mine) { return 42; }

__global__ void store(float *x, double *y) {
  __stcs(x, 1.5f);
  __stcg(x + 1, 2);
  __stwb(y, 3.5f);
}

// Of every type, through pointers to const and not.
template <class T> __device__ void pass(const T *in, T *out) {
  __stwt(out, __ldca(in)), __stwt(out, __ldcg(out)), __stcs(out, __ldcs(out)), __stcg(out, __ldlu(out));
  __stwb(out, __ldcv(out));
}
__global__ void copy(const float4 *a, float4 *b, const unsigned char *c, unsigned char *d) { pass(a, b), pass(c, d); }

int main() {
  float *x, h[2];
  double *y, d;
  if (cudaMalloc(&x, sizeof h) || cudaMalloc(&y, sizeof d))
    return 1;
  store<<<1, 1>>>(x, y);
  if (cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost) || cudaMemcpy(&d, y, sizeof d, cudaMemcpyDeviceToHost))
    return 1;
  float four[8] = {1, 2, 3, 4};
  float4 *fours;
  if (cudaMalloc(&fours, sizeof four) || cudaMemcpy(fours, four, sizeof four, cudaMemcpyHostToDevice))
    return 1;
  unsigned char *bytes = reinterpret_cast<unsigned char *>(fours + 1);
  copy<<<1, 1>>>(fours, fours + 1, bytes, bytes);
  if (cudaMemcpy(four, fours, sizeof four, cudaMemcpyDeviceToHost))
    return 1;
  // CHECK: 1 2 3 4
  printf("%g %g %g %g\n", four[4], four[5], four[6], four[7]);
  unsigned three = 3;
  // CHECK: 1.5 2 3.5 7.5 3 -1 42
  printf("%g %g %g %g %u %d %d\n", h[0], h[1], d, max(7, 7.5f), min(three, 9u), min(-1, 2), max(Mine(), Mine()));
}
