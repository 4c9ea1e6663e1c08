// Launches of a kernel whose file was compiled without the plugin fail on the CPU device, and are launches without
// counts: of the kernel, of a region launching nothing else, and of one launching another kernel.
// RUN: echo stands for machine code >%t.fatbin
// RUN: %clangxx %minicuda -Xclang -fcuda-include-gpubinary -Xclang %t.fatbin -O1 -c %S/Inputs/kernel_elsewhere.cu -o %t.o
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -c %s -o %t.main.o
// RUN: %clangxx %t.main.o %t.o -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t 2>%t.err | %FileCheck --check-prefix=RIGHT %s
// RUN: grep -F 'elsewhere(float*): it has no version for the CPU device' %t.err
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/kernel_has.py %t.json elsewhere launches=3 uncounted_launches=3
// RUN: %py %S/Inputs/kernel_has.py %t.json region:both launches=2 uncounted_launches=1 flops.total=32
// RUN: %document %t.json | %FileCheck %s
// RIGHT: all right
// CHECK: "path": "alone"
// CHECK: "uncounted_launches": 2
// CHECK: "total": null
// CHECK: "uncounted": [
// CHECK-NEXT: {
// CHECK-NEXT: "what": "launches of elsewhere(float*)"
// CHECK-NEXT: "where": "alone"
// CHECK-NEXT: "why": "its file was compiled without the gpuprof plugin"
// CHECK-NEXT: "launches": 2
#include "lanes.h"

extern "C" void launch_elsewhere(float *x);
__global__ void add(float *x) { x[threadIdx.x] += 1; }

int main() {
  Values<float, 32> x;
#pragma gpuprof region("alone")
  for (int i = 0; i < 2; i++)
    launch_elsewhere(x.device);
#pragma gpuprof region("both")
  {
    add<<<1, 32>>>(x.device);
    launch_elsewhere(x.device);
  }
  EXPECT(cudaGetLastError() == cudaErrorNoKernelImageForDevice);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return finish();
}
