// Launches of a statement with `#pragma gpuprof ignore` are left out of the rows around it, and stand in `uncounted`:
// kernels, those of modules loaded by the program, and those of graphs. Regions keep their place on the roofline.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck --check-prefix=RIGHT %s
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: %py %S/Inputs/kernel_has.py %t.json region:rest launches=1 uncounted_launches=0 flops.total=32
// RUN: %py %S/Inputs/kernel_has.py %t.json region:nothing launches=0 uncounted_launches=0 flops.total=0
// RUN: %py %S/Inputs/kernel_has.py %t.json add launches=2 uncounted_launches=0 flops.total=64
// RUN: %document %t.json | %FileCheck %s
// RIGHT: all right
// CHECK: "uncounted": [
// CHECK-NEXT: {
// CHECK-NEXT: "what": "launches of add(float*)"
// CHECK-NEXT: "where": ""
// CHECK-NEXT: "why": "'#pragma gpuprof ignore' stands before the statement that launches them"
// CHECK-NEXT: "launches": 1
// CHECK: "where": "rest"
// CHECK: "launches": 3
// CHECK: "what": "launches of twice(float*)"
// CHECK-NEXT: "where": "nothing"
// CHECK: "launches": 2
// CHECK-NOT: "what"
#include "lanes.h"

__global__ void add(float *x) { x[threadIdx.x] += 1; }
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

static void replay(float *x) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  twice<<<1, 32, 0, stream>>>(x);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
#pragma gpuprof ignore
  for (int i = 0; i < 2; i++)
    EXPECT(cudaGraphLaunch(executable, stream) == cudaSuccess);
}

int main() {
  Values<float, 32> x;
  add<<<1, 32>>>(x.device);
#pragma gpuprof ignore
  add<<<1, 32>>>(x.device);
#pragma gpuprof region("rest")
  {
    add<<<1, 32>>>(x.device);
#pragma gpuprof ignore
    for (int i = 0; i < 3; i++)
      add<<<1, 32>>>(x.device);
#pragma gpuprof ignore
    add<<<1, 4096>>>(x.device); // refused: no launch
  }
  EXPECT(cudaGetLastError() != cudaSuccess);
#pragma gpuprof region("nothing")
  replay(x.device);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return finish();
}
