// GPUPROF_TRACE: regions nest on each thread, arrows lead from calls to their work, kernels have FLOPs, bytes and bound. A name that
// cannot be opened is one warning. The trace of a killed program is whole JSON.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clangxx -fplugin=%plugin %minicuda -pthread -I%S/Inputs -O1 %s -o %t %link
// RUN: %gpuprof run --trace %t.d/trace-%%p.json -o %t.d/run.json -- %t 2>&1 | %FileCheck %s
// RUN: %py -B %source/tests/gpu/check_trace.py %t.d/trace-*.json %t.d/run.json | %FileCheck --check-prefix=VALID %s
// RUN: %py %S/Inputs/trace_has.py %t.d/trace-*.json
// RUN: env GPUPROF_TRACE=%t.d/none/trace.json GPUPROF_OUTPUT=%t.json %t 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: env GPUPROF_TRACE=%t.d/killed.json GPUPROF_OUTPUT=%t.json %t kill; test $? = 137
// RUN: %py -B %source/tests/gpu/check_trace.py %t.d/killed.json | %FileCheck --check-prefix=VALID %s
// RUN: env GPUPROF_ENABLE=0 GPUPROF_TRACE=%t.d/off.json %t && test ! -e %t.d/off.json
// CHECK: all right
// VALID: events are right
// NONE: warning: GPUPROF_TRACE: no trace is written: No such file or directory
// NONE: all right
#include "run.h"
#include <cstring>
#include <signal.h>
#include <thread>
#include <unistd.h>

__global__ void twice(float *p) { p[threadIdx.x] = p[threadIdx.x] * 2.0f; }

static void work(float *p) {
#pragma gpuprof region("outer \"quoted\"") phase(forward)
  for (int i = 0; i < 3; i++) {
#pragma gpuprof region("inner") category(math)
    twice<<<1, 32>>>(p);
  }
}

int main(int count, char **) {
  float host[64] = {}, *device;
  OK(cudaMalloc((void **)&device, 256));
  OK(cudaMemcpy(device, host, 256, cudaMemcpyHostToDevice));
  std::thread other(work, device);
  work(device + 32);
  other.join();
  OK(cudaMemset(device, 0, 256));
  OK(cudaDeviceSynchronize());
  if (count > 1) {
    usleep(300000); // the thread of the trace writes
    kill(getpid(), SIGKILL);
  }
  OK(cudaFree(device));
  return finish();
}
