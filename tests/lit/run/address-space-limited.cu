// Under a limit of address space kernels run with as many addresses as they need.
// Beyond it CUDA's error and one sentence name the limit: no silence, no crash.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: for s in fair strict; do for mb in 100 200 300 400 500 700 1000 1500 2000 3000 4000 6000 8000; do (ulimit -v $((mb * 1024)); env GPUPROF_SCHEDULE=$s GPUPROF_OUTPUT=%t.json timeout 60 %t || echo "$s $mb ended with $?") 2>&1; done; done | %FileCheck %s --implicit-check-not="ended with" --implicit-check-not="not so"
// RUN: (ulimit -v 100000; env GPUPROF_SCHEDULE=strict GPUPROF_OUTPUT=%t.json timeout 60 %t) 2>&1 | %FileCheck %s --check-prefix=SMALL
// CHECK-COUNT-26: all right
// SMALL-DAG: gpuprof: error: add{{.*}}: it does not run, since the process has no addresses left for the stacks of 1024 threads (its address space is limited to 97 MB by ulimit -v: raise that)
// SMALL-DAG: gpuprof: warning: device memory: it is exhausted at {{[0-9]+}} MB (its address space is limited to 97 MB by ulimit -v: raise that)
// SMALL: all right
#include "run.h"

__global__ void add(float *p) {
  __shared__ float all[1024];
  all[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x] + 1;
}

static void run(unsigned threads, bool may_fail) {
  static float host[1024];
  for (float &h : host)
    h = 1;
  float *p = to_device(host, 1024);
  add<<<1, threads>>>(p);
  const cudaError_t error = cudaGetLastError();
  to_host(host, p, 1024);
  EXPECT(error == cudaSuccess || (may_fail && error == cudaErrorMemoryAllocation));
  EXPECT(host[0] == (error == cudaSuccess ? 2 : 1));
  OK(cudaFree(p));
}

int main() {
  void *p = nullptr;
  run(64, false);
  run(1024, true);
  const cudaError_t error = cudaMalloc(&p, (size_t)1 << 40);
  EXPECT(error == cudaErrorMemoryAllocation && cudaGetLastError() == error);
  run(64, false);
  return finish();
}
