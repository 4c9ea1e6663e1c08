// Four host threads, each with a device stream, events and a region of its own, launch at the same time. Every
// thread's work is in its order, times of its events never run backwards, and its region counts its own launches.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -pthread %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json timeout 60 %t | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json step launches=160 flops.fp32.fma=40960
// RUN: %py %S/Inputs/kernel_has.py %t.json region:left launches=80 flops.fp32.fma=20480
// RUN: %py %S/Inputs/kernel_has.py %t.json region:right launches=80 flops.fp32.fma=20480
// CHECK: all right
#include "host_threads.h"
#include "run.h"

__global__ void step(float *p) { p[threadIdx.x] = p[threadIdx.x] * 0.5f + 1; }

static void launch(float *p, cudaStream_t stream, int count) {
  for (int i = 0; i < count; i++)
    step<<<1, 128, 0, stream>>>(p);
}

static void work(int number) {
  float zero[128] = {}, *p, wanted = 0, results[128];
  cudaStream_t stream;
  cudaEvent_t begin, end;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  OK(cudaMallocAsync((void **)&p, sizeof zero, stream));
  OK(cudaMemcpyAsync(p, zero, sizeof zero, cudaMemcpyHostToDevice, stream));
  OK(cudaEventRecord(begin, stream));
  if (number % 2) {
#pragma gpuprof region("left")
    launch(p, stream, 40);
  } else {
#pragma gpuprof region("right")
    launch(p, stream, 40);
  }
  OK(cudaEventRecord(end, stream));
  OK(cudaMemcpyAsync(results, p, sizeof results, cudaMemcpyDeviceToHost, stream));
  OK(cudaFreeAsync(p, stream));
  OK(cudaStreamSynchronize(stream));
  float milliseconds = -1;
  OK(cudaEventElapsedTime(&milliseconds, begin, end));
  for (int i = 0; i < 40; i++)
    wanted = wanted * 0.5f + 1;
  EXPECT(milliseconds >= 0 && results[0] == wanted && results[127] == wanted);
  OK(cudaStreamDestroy(stream));
}

int main() {
  in_host_threads(4, work);
  return finish();
}
