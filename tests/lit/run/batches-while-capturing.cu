// Copies of a batch are counted, but not while a stream is captured into a graph: a note says so.
// REQUIRES: cuda-13
// RUN: %clangxx -fplugin=%plugin %cudaflags -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// RUN: env GPUPROF_OUTPUT=%t.none.json %t once | %FileCheck %s
// RUN: %FileCheck --check-prefix=NOTE %s < %t.json
// RUN: %FileCheck --check-prefix=NONE %s < %t.none.json
// CHECK: all right
// NOTE: "device_to_device": {
// NOTE-NEXT: "count": 2,
// NOTE: copies of batches were not counted while a stream was captured
// NONE-NOT: copies of batches were not counted
#include "run.h"

static void copy(float *p, cudaStream_t stream) {
  void *ends[2] = {p, p + 1};
  const void *begins[2] = {p + 2, p + 3};
  size_t bytes[2] = {4, 4}, first = 0;
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  OK(cudaMemcpyBatchAsync(ends, begins, bytes, 2, &attributes, &first, 1, stream));
}

int main(int count, char **) {
  float zero[4] = {};
  cudaStream_t stream, captured;
  cudaGraph_t graph;
  float *p = to_device(zero, 4);
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreate(&captured));
  copy(p, stream);
  OK(cudaStreamBeginCapture(captured, cudaStreamCaptureModeThreadLocal));
  if (count == 1)
    copy(p, stream);
  OK(cudaStreamEndCapture(captured, &graph));
  return finish();
}
