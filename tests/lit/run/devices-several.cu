// GPUPROF_CPU_DEVICES: each device has its memory, its streams, its errors and its copy of every variable; threads choose
// theirs, and launches on either are counted.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_CPU_DEVICES=3 GPUPROF_OUTPUT=%t.json %t 2> %t.err | %FileCheck %s
// RUN: %py %S/Inputs/kernel_has.py %t.json bump launches=8 flops.fp32.add=256
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %document %t.json | %FileCheck --check-prefix=DEVICES %s
// RUN: %FileCheck --check-prefix=ERROR %s < %t.err
// CHECK: all right
// DEVICES: "devices": [
// DEVICES: "index": 0,
// DEVICES-NEXT: "launches": 4,
// DEVICES-NEXT: "threads": 128,
// DEVICES: "fp32": {{[{]}}
// DEVICES-NEXT: "add": 128,
// DEVICES: "global": {{[{]}}
// DEVICES-NEXT: "load": 528,
// DEVICES: "index": 1,
// DEVICES-NEXT: "launches": 2,
// DEVICES: "add": 64,
// DEVICES: "index": 2,
// DEVICES-NEXT: "launches": 3,
// DEVICES: "add": 64,
// DEVICES: "ceilings"
// ERROR: gpuprof: error: fault
#include "run.h"
#include <thread>

__device__ int counter = 5;
__device__ float sum[32];
__constant__ int constant = 7;

__global__ void bump(int *seen) {
  if (threadIdx.x == 0)
    *seen = counter++ * 100 + constant;
  sum[threadIdx.x] += 1;
}
__global__ void fault(int *p) { *p = 1; }

static int run_on(int device, int times) {
  int *p, seen = -1;
  OK(cudaSetDevice(device));
  OK(cudaMalloc(&p, sizeof *p));
  for (int i = 0; i < times; i++)
    bump<<<1, 32>>>(p);
  OK(cudaMemcpy(&seen, p, sizeof seen, cudaMemcpyDeviceToHost));
  OK(cudaFree(p));
  return seen;
}

int main() {
  int count = 0, device = -1, seven = 77, value = 0;
  OK(cudaGetDeviceCount(&count));
  EXPECT(count == 3);
  EXPECT(cudaSetDevice(3) == cudaErrorInvalidDevice);
  EXPECT(run_on(0, 3) == 707);
  EXPECT(run_on(1, 1) == 507);
  OK(cudaMemcpyToSymbol(constant, &seven, sizeof seven)); // of device 1
  EXPECT(run_on(0, 1) == 807);
  EXPECT(run_on(1, 1) == 677);

  // A thread starts on device 0, whatever the others use.
  std::thread([&] {
    OK(cudaGetDevice(&device));
    EXPECT(device == 0);
    EXPECT(run_on(2, 2) == 607);
  }).join();
  OK(cudaGetDevice(&device));
  EXPECT(device == 1);
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 7);
  OK(cudaSetDevice(2));
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 7);
  OK(cudaSetDevice(0));
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 9);

  // Memory and pointers.
  size_t free_before, free_after, total;
  int *p, *q;
  cudaPointerAttributes attributes;
  OK(cudaSetDevice(2));
  OK(cudaMemGetInfo(&free_before, &total));
  OK(cudaMalloc(&p, 1 << 20));
  OK(cudaPointerGetAttributes(&attributes, p));
  EXPECT(attributes.device == 2 && attributes.type == cudaMemoryTypeDevice);
  OK(cudaSetDevice(1));
  OK(cudaMemGetInfo(&free_after, &total));
  EXPECT(free_after == free_before);
  OK(cudaMalloc(&q, 1 << 20));
  int can = 0, four = 4;
  OK(cudaDeviceCanAccessPeer(&can, 1, 2));
  EXPECT(can == 1);
  OK(cudaDeviceEnablePeerAccess(2, 0));
  EXPECT(cudaDeviceEnablePeerAccess(2, 0) == cudaErrorPeerAccessAlreadyEnabled);
  OK(cudaDeviceDisablePeerAccess(2));
  OK(cudaMemcpy(p, &four, sizeof four, cudaMemcpyHostToDevice));
  OK(cudaMemcpyPeer(q, 1, p, 2, sizeof four));
  OK(cudaMemcpy(&value, q, sizeof value, cudaMemcpyDeviceToHost));
  EXPECT(value == 4);
  EXPECT(cudaMemcpyPeer(q, 1, p, 3, 4) == cudaErrorInvalidDevice);

  // A stream and its events belong to a device.
  cudaStream_t stream;
  cudaEvent_t event;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&event));
  OK(cudaEventRecord(event, stream));
  OK(cudaSetDevice(2));
  cudaGetLastError();
  bump<<<1, 1, 0, stream>>>(p);
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  OK(cudaStreamWaitEvent(0, event, 0));
  EXPECT(cudaEventRecord(event, 0) == cudaErrorInvalidResourceHandle);
  OK(cudaStreamSynchronize(stream));

  // A fault stops one device only; a reset mends it and gives its variables their first values.
  fault<<<1, 1>>>((int *)16);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  OK(cudaSetDevice(0));
  OK(cudaDeviceSynchronize());
  OK(cudaSetDevice(2));
  EXPECT(cudaMalloc(&p, 4) == cudaErrorIllegalAddress);
  OK(cudaDeviceReset());
  OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT(value == 5);
  OK(cudaSetDevice(1));
  OK(cudaMemcpy(&value, q, sizeof value, cudaMemcpyDeviceToHost));
  EXPECT(value == 4);
  return finish();
}
