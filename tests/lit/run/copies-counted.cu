// Copies and fills count by direction: rows, boxes, symbols, peers, and by address, in regions with those of their children.
// Failing calls, and copies captured into graphs, do not count; those of ignored code neither.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_CPU_DEVICES=2 GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: %py %S/Inputs/copies_are.py %t.json host_to_device=4,176,112 device_to_host=3,104,40 device_to_device=2,96 peer=1,24 host_to_host=1,8 memset=3,80 outer:host_to_device=3,112,112 outer:device_to_host=1,64,0 outer/inner:host_to_device=1,32,32 outer/inner:device_to_host=1,64,0 boxes:device_to_device=2,96 boxes:memset=1,24 ends:device_to_host=2,40,40 ends:peer=1,24 ends:host_to_host=1,8
// RUN: %FileCheck --check-prefix=NOTE %s <%t.json
// NOTE: copies that were captured into graphs are not counted, in no run of a graph; its kernels are"
// RUN: env GPUPROF_CPU_DEVICES=2 GPUPROF_ENABLE=0 %t | %FileCheck %s
// CHECK: all right
#include "run.h"
#include <cstring>

__device__ float symbol[8];
__global__ void touch(float *p) { p[threadIdx.x] += 1; }

int main() {
  float host[64] = {}, *device, *other, *pinned;
  OK(cudaMalloc((void **)&device, 1024));
  OK(cudaMalloc((void **)&other, 1024));
  OK(cudaMallocHost((void **)&pinned, 256));
  OK(cudaMemcpy(device, pinned, 64, cudaMemcpyHostToDevice));
  OK(cudaMemset(device, 0, 48));
#pragma gpuprof region("outer")
  {
    OK(cudaMemcpy(device, host, 64, cudaMemcpyDefault));
    OK(cudaMemcpyToSymbol(symbol, host, 16));
#pragma gpuprof region("inner")
    {
      OK(cudaMemcpy2D(device, 32, host, 16, 16, 2, cudaMemcpyHostToDevice));
      OK(cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost, 0));
    }
    touch<<<1, 8>>>(device);
  }
#pragma gpuprof region("boxes")
  {
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(device, 16, 16, 2);
    box.dstPtr = make_cudaPitchedPtr(other, 16, 16, 2);
    box.extent = make_cudaExtent(16, 2, 2);
    box.kind = cudaMemcpyDeviceToDevice;
    OK(cudaMemcpy3D(&box));
    OK(cudaMemcpy(other, device, 32, cudaMemcpyDefault));
    OK(cudaMemset2D(device, 16, 1, 12, 2));
  }
#pragma gpuprof region("ends")
  {
    OK(cudaMemcpyFromSymbol(host, symbol, 8));
    OK(cudaMemcpy(host, device, 32, cudaMemcpyDefault));
    OK(cudaMemcpy(host, host + 2, 8, cudaMemcpyHostToHost));
    OK(cudaMemcpyPeer(other, 1, device, 0, 24));
    EXPECT(cudaMemcpy(NULL, host, 8, cudaMemcpyHostToDevice) != cudaSuccess);
    cudaGetLastError();
  }
#pragma gpuprof ignore
  { OK(cudaMemcpy(device, host, 4, cudaMemcpyHostToDevice)); }

  cudaStream_t stream;
  cudaGraph_t graph;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemcpyAsync(device, pinned, 64, cudaMemcpyHostToDevice, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaMemsetAsync(device, 0, 8, stream));
  return finish();
}
