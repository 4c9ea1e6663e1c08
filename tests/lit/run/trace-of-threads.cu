// Threads that copy and launch in one stream at the same time: their work lies in rows beside one another. Where Perfetto's trace
// processor is installed, it finds the same slices, arrows, counters and times, also in the traces of two ranks joined.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clangxx -fplugin=%plugin %minicuda -pthread -I%S/Inputs -O1 %s -o %t %link
// RUN: env RANK=0 WORLD_SIZE=2 GPUPROF_TRACE=%t.d/trace.json GPUPROF_OUTPUT=%t.d/run.json %t | %FileCheck %s
// RUN: env RANK=1 WORLD_SIZE=2 GPUPROF_TRACE=%t.d/trace.json GPUPROF_OUTPUT=%t.d/run.json %t | %FileCheck %s
// RUN: %py -B %source/tests/gpu/check_trace.py %t.d/trace-rank0.json %t.d/run-rank0.json | %FileCheck --check-prefix=VALID %s
// RUN: ! grep 'thread [0-9]* ()' %t.d/trace-rank0.json
// RUN: %gpuprof merge --trace %t.d/trace-rank0.json %t.d/trace-rank1.json -o %t.d/trace.json
// RUN: %gpuprof merge %t.d/run-rank0.json %t.d/run-rank1.json -o %t.d/run.json
// RUN: %if trace-processor %{ %py -B %source/tests/gpu/check_trace_processor.py --trace-processor trace_processor_shell %t.d/trace-rank0.json %t.d/run-rank0.json | %FileCheck --check-prefix=OPENED %s %}
// RUN: %if trace-processor %{ %py -B %source/tests/gpu/check_trace_processor.py --trace-processor trace_processor_shell %t.d/trace.json %t.d/run.json | %FileCheck --check-prefix=OPENED %s %}
// CHECK: all right
// VALID: events are right
// OPENED: are right in the trace processor
#include "run.h"
#include <thread>
#include <vector>

__global__ void twice(float *p) { p[threadIdx.x] *= 2; }

static void work() {
  std::vector<float> host(1 << 16);
  float *device;
  OK(cudaMalloc((void **)&device, host.size() * sizeof(float)));
#pragma gpuprof region("thread \\ \"quoted\"")
  for (int i = 0; i < 20; i++) {
#pragma gpuprof region("copy")
    OK(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
#pragma gpuprof region("step")
    {
      twice<<<1, 32>>>(device);
      OK(cudaMemset(device, 0, host.size() * sizeof(float)));
    }
  }
  OK(cudaFree(device));
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work);
  for (auto &thread : threads)
    thread.join();
  OK(cudaDeviceSynchronize());
  return finish();
}
