/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What clang makes of a launch in a kernel: the CPU device has none, and says so. */
#ifndef GPUPROF_MINICUDA_DEVICE_LAUNCHES_H
#define GPUPROF_MINICUDA_DEVICE_LAUNCHES_H

extern "C" {
__device__ void *__cudaCDP2GetParameterBuffer(size_t alignment, size_t bytes);
__device__ cudaError_t __cudaCDP2LaunchDevice(void *kernel, void *arguments, dim3 grid, dim3 block,
                                              unsigned shared_bytes, cudaStream_t stream);
}

static __device__ __forceinline__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes) {
  return __cudaCDP2GetParameterBuffer(alignment, bytes);
}
static __device__ __forceinline__ cudaError_t cudaLaunchDevice(void *kernel, void *arguments, dim3 grid,
                                                               dim3 block, unsigned shared_bytes,
                                                               cudaStream_t stream) {
  return __cudaCDP2LaunchDevice(kernel, arguments, grid, block, shared_bytes, stream);
}

#endif
