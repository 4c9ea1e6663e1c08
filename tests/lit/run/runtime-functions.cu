// Streams, events, pinned and managed memory, properties, occupancy: common calls of the runtime.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// The toolkit's headers, where there is one, have other layouts.
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O2 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void fill(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] = value; }

int main() {
  cudaStream_t stream;
  cudaEvent_t start, stop;
  int *pinned, *managed, *device, version = 0, count = 0, grid = 0, block = 0, warp = 0;
  float milliseconds = -1;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaMallocHost(&pinned, 256 * sizeof(int)));
  OK(cudaMallocManaged(&managed, 256 * sizeof(int)));
  OK(cudaMallocAsync(&device, 256 * sizeof(int), stream));
  OK(cudaEventRecord(start, stream));
  fill<<<2, 128, 0, stream>>>(device, 7);
  fill<<<2, 128>>>(managed, 8);
  OK(cudaMemcpyAsync(pinned, device, 256 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  OK(cudaEventRecord(stop, stream));
  OK(cudaDeviceSynchronize());
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds > 0);
  EXPECT(pinned[255] == 7 && managed[255] == 8);

  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, device));
  EXPECT(attributes.type == cudaMemoryTypeDevice);
  OK(cudaPointerGetAttributes(&attributes, &version));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);

  cudaDeviceProp properties;
  OK(cudaGetDeviceCount(&count));
  OK(cudaGetDeviceProperties(&properties, 0));
  OK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
  EXPECT(count == 1 && properties.warpSize == 32 && warp == 32 && properties.maxThreadsPerBlock == 1024);
  EXPECT(properties.multiProcessorCount > 0 && properties.totalGlobalMem > 0 && properties.name[0]);
  EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice);
  OK(cudaRuntimeGetVersion(&version));
  EXPECT(version >= 11000);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill));
  EXPECT(block > 0 && block <= 1024 && grid > 0);

  OK(cudaFreeAsync(device, stream));
  OK(cudaFree(managed));
  OK(cudaFreeHost(pinned));
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(stop));
  OK(cudaStreamDestroy(stream));
  return finish();
}
