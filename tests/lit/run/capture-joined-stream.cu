// A stream that a capture spread to may be destroyed once its work is joined; without, the capture ends unjoined.
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.json %t | %FileCheck %s
// CHECK: all right
#include "run.h"

__global__ void add(int *p, int n) { *p += n; }

static cudaError_t capture(int *p, bool joined, cudaGraph_t *graph) {
  cudaStream_t first, second;
  cudaEvent_t forked, done;
  OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  OK(cudaEventCreate(&forked));
  OK(cudaEventCreate(&done));
  OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, first>>>(p, 1);
  OK(cudaEventRecord(forked, first));
  OK(cudaStreamWaitEvent(second, forked, 0));
  add<<<1, 1, 0, second>>>(p + 1, 10);
  OK(cudaEventRecord(done, second));
  if (joined)
    OK(cudaStreamWaitEvent(first, done, 0));
  OK(cudaStreamDestroy(second));
  OK(cudaEventDestroy(forked));
  OK(cudaEventDestroy(done));
  cudaError_t error = cudaStreamEndCapture(first, graph);
  OK(cudaStreamDestroy(first));
  return error;
}

int main() {
  int host[2] = {}, *p = to_device(host, 2);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t run;
  OK(capture(p, true, &graph));
  OK(cudaGraphInstantiate(&run, graph, 0));
  OK(cudaGraphLaunch(run, 0));
  OK(cudaGraphLaunch(run, 0));
  to_host(host, p, 2);
  EXPECT(host[0] == 2 && host[1] == 20);
  EXPECT(capture(p, false, &graph) == cudaErrorStreamCaptureUnjoined && graph == nullptr);
  return finish();
}
