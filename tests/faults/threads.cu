// Threads with streams, time steps in kernels and on the host, and a child process.
// They take turns, so the numbers of allocations are the same in each run.
#include "programs.h"
#include <gpuprof.h>
#include <string>
#include <thread>

__global__ void spike(float *p, int steps) {
#pragma gpuprof region("neuron")
  for (int t = 0; t < steps; t++) {
#pragma gpuprof step(t)
    p[threadIdx.x] = p[threadIdx.x] * 0.9f + 1;
#pragma gpuprof count("updates", 1)
    if (p[threadIdx.x] > 3) {
#pragma gpuprof spike(1)
      p[threadIdx.x] = 0;
    }
  }
}

static double sum;

static void work(int number) {
  float host[32] = {}, *p;
  cudaStream_t stream;
  NEED(cudaStreamCreate(&stream));
  NEED(cudaMalloc(&p, sizeof host));
  NEED(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, stream));
  std::string name = "thread " + std::to_string(number);
  gpuprof_region_begin(name.c_str());
  for (int i = 0; i < 2; i++) {
    gpuprof_step(i);
    gpuprof_count(name.c_str(), number);
    spike<<<1, 32, 0, stream>>>(p, 8);
    NEED(cudaGetLastError());
  }
  NEED(cudaStreamSynchronize(stream));
  NEED(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  NEED(cudaFree(p));
  NEED(cudaStreamDestroy(stream));
  sum += host[7];
}

int main() {
  for (int i = 0; i < 4; i++)
    std::thread(work, i).join();
  gpuprof_flush();
  std::printf("%g all right\n", sum);
}
