// What the programs of these projects share: arrays of the device, and a check of what a kernel left in one.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define GOOD(call) \
  do { \
    cudaError_t code = (call); \
    if (code != cudaSuccess) { \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code)); \
      std::exit(1); \
    } \
  } while (0)

static inline float *ones(int n) {
  float *x;
  GOOD(cudaMallocManaged((void **)&x, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    x[i] = 1;
  return x;
}

static inline void expect_all(float *x, int n, float value) {
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    if (x[i] != value) {
      std::fprintf(stderr, "x[%d] is %g, not %g\n", i, x[i], value);
      std::exit(1);
    }
  GOOD(cudaFree(x));
}
