// The state of a device after a stopped kernel. (An address without an
// alignment of four is no fault: the machine reads and writes there.)
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/../Inputs -O1 %s -o %t %link
// RUN: (for fault in address trap assert; do env GPUPROF_OUTPUT=%t.json %t $fault; done) > %t.out 2> %t.err
// RUN: diff %S/../Inputs/h200/faults.txt %t.out
#include "table.h"
#include <cassert>

__global__ void fine(int *p) { *p = 1; }
__global__ void address(int *p) { *p = 1; }
__global__ void trap() { __trap(); }
__global__ void fails(int *p) { assert(*p == 12345); }

int main(int argc, char **argv) {
  const char *fault = argc > 1 ? argv[1] : "address";
  int *p, *q, host = 0;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  TITLE(fault);
  if (!strcmp(fault, "address"))
    address<<<1, 1>>>((int *)8);
  else if (!strcmp(fault, "trap"))
    trap<<<1, 1>>>();
  else
    fails<<<1, 1>>>(p);
  CALL(cudaDeviceSynchronize());
  CALL(cudaGetLastError());
  CALL(cudaPeekAtLastError());
  CALL(cudaMalloc(&q, 4));
  CALL(cudaFree(p));
  CALL(cudaMallocHost((void **)&q, 4));
  CALL(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  CALL(cudaMemset(p, 0, 4));
  LAUNCH((fine<<<1, 1>>>(p)));
  LAUNCH((fine<<<1, 2000>>>(p)));
  CALL(cudaStreamQuery(stream));
  CALL(cudaStreamSynchronize(stream));
  CALL(cudaEventRecord(event, stream));
  CALL(cudaEventQuery(event));
  CALL(cudaStreamCreate(&stream));
  CALL(cudaEventCreate(&event));
  CALL(cudaEventDestroy(event));
  CALL(cudaStreamDestroy(stream));
  size_t n;
  int count;
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  CALL(cudaMemGetInfo(&n, &n));
  CALL(cudaGetDeviceCount(&count));
  CALL(cudaGetDevice(&count));
  CALL(cudaSetDevice(0));
  CALL(cudaGetDeviceProperties(&properties, 0));
  CALL(cudaDeviceGetAttribute(&count, cudaDevAttrWarpSize, 0));
  CALL(cudaDeviceGetLimit(&n, cudaLimitStackSize));
  CALL(cudaFuncGetAttributes(&attributes, fine));
  CALL(cudaFree(nullptr));
  CALL(cudaRuntimeGetVersion(&count));
  TITLE("reset");
  CALL(cudaDeviceReset());
  return 0;
}
