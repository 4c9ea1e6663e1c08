// What clang needs of CUDA's headers to compile kernels and launches: for tests that need no toolkit.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
typedef struct CUstream_st *cudaStream_t;
extern "C" int cudaLaunchKernel(const void *, dim3, dim3, void **, __SIZE_TYPE__, cudaStream_t);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, __SIZE_TYPE__ = 0, void * = nullptr);
extern "C" int cudaConfigureCall(dim3, dim3, __SIZE_TYPE__ = 0, void * = nullptr); // where clang knows no CUDA version
