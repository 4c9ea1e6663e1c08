// Each launch of a graph counts its kernels' work, for the region launching the graph; a capture counts nothing.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2> %t.err | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json axpy launches=6 flops.fp32.fma=3072 bytes.global.load=12288 bytes.global.store=6144
// RUN: %py %S/Inputs/kernel_has.py %t.json region:replay launches=5 flops.fp32.fma=2560
// RUN: test "$(grep -c captured %t.err)" = 0
// CHECK: all right
#include "run.h"

__global__ void axpy(const float *x, float *y, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

int main() {
  float host[256], *x, *y;
  for (int i = 0; i < 256; i++)
    host[i] = (float)i;
  x = to_device(host, 256);
  y = to_device(host, 256);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t run;
  OK(cudaStreamCreate(&stream));
  axpy<<<2, 128>>>(x, y, 1); // y = 2 i
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  axpy<<<2, 128, 0, stream>>>(x, y, 1);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&run, graph, 0));
#pragma gpuprof region("replay")
  for (int i = 0; i < 5; i++)
    OK(cudaGraphLaunch(run, stream));
  OK(cudaStreamSynchronize(stream));
  to_host(host, y, 256);
  EXPECT(host[100] == 700);
  return finish();
}
