// gpuprof_flush() while other threads launch: each document is of one moment. Its counts are those of its launches.
// Each thread repeats a region of many kernels: no count is more than one repetition of each thread ahead of the rest.
// RUN: rm -rf %t.reports && mkdir %t.reports
// RUN: %clangxx -fplugin=%plugin %minicuda -I%S/Inputs -O1 -std=c++17 -pthread %s -o %t %link
// RUN: env GPUPROF_OUTPUT=%t.reports/last.json %t %t.reports | %FileCheck %s
// CHECK: all right
// RUN: %py %S/Inputs/same_moment.py 4 32 %t.reports/*.json
#include "run.h"
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

extern "C" int gpuprof_flush(void);

template <int N> __global__ void add(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] += N; }

static std::atomic<bool> stop;

static std::atomic<int> turns;

template <int... N> static void work(std::integer_sequence<int, N...>) {
  float *a;
  OK(cudaMalloc(&a, 256 * sizeof *a));
  while (!stop) {
#pragma gpuprof region("step")
    {
      (add<N><<<4, 64>>>(a), ...);
    }
    turns++;
  }
}

static void work_on_many() { work(std::make_integer_sequence<int, 32>()); }

int main(int, char **arguments) {
  const std::string folder = arguments[1];
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back(work_on_many);
  for (int i = 0; i < 40; i++) {
    for (const int before = turns; turns == before;)
      std::this_thread::yield();
    EXPECT(gpuprof_flush() == 0);
    EXPECT(std::rename((folder + "/last.json").c_str(), (folder + "/" + std::to_string(i) + ".json").c_str()) == 0);
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  return finish();
}
