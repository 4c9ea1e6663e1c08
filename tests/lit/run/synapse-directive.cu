// Synaptic operations stated by directives, in kernels and on the host, equal the program's own counts from its random
// spikes and connectivity: in divergent branches, in loops, in functions that are not inlined, in each step, in 64 bits.
// RUN: %clangxx -fplugin=%plugin %minicuda -O0 %s %link -o %t.0
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.0.json %t.0 > %t.0.expected
// RUN: %py %S/Inputs/synapses.py %t.0.json | diff %t.0.expected -
// RUN: %clangxx -fplugin=%plugin %minicuda -O3 %s %link -o %t.3
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.3.json %t.3 > %t.3.expected
// RUN: %py %S/Inputs/synapses.py %t.3.json | diff %t.3.expected -
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.3.json
#include <stdio.h>
#include <stdlib.h>

#include <vector>

enum { NEURONS = 333, STEPS = 5, BLOCK = 64, GRID = (NEURONS + BLOCK - 1) / BLOCK };

// An input a thread. Possible operations are the whole connectivity, each step.
#pragma gpuprof region("events")
__global__ void events(const signed char *spike, const int *row, const int *target, const float *weight, float *current) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NEURONS)
    return;
  for (int t = 0; t < STEPS; ++t) {
#pragma gpuprof step(t)
    int s = spike[t * NEURONS + i];
#pragma gpuprof synapse(s != 0, row[i + 1] - row[i]) inputs(1)
    if (s)
      for (int e = row[i]; e < row[i + 1]; ++e)
        atomicAdd(&current[target[e]], s * weight[e]);
  }
}

__device__ __noinline__ void multiplied(int fanout) {
#pragma gpuprof region("multiplied")
  {
#pragma gpuprof synapse(3, fanout) multiply
  }
}

// One operation at a time, and others in a branch of every third thread. Possible operations are not stated.
#pragma gpuprof region("single")
__global__ void single(const signed char *spike, const int *row, float *current) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < NEURONS && spike[i]) {
    for (int e = row[i]; e < row[i + 1]; ++e) {
      current[i] += 1.0f;
#pragma gpuprof synapse(1, 1)
    }
    if (i % 3 == 0)
      multiplied(i);
  }
}

#pragma gpuprof region("large")
__global__ void large() {
#pragma gpuprof synapse(threadIdx.x == 7 ? 5000000000ll : 0, 2u) multiply inputs(5000000000ull)
}

template <class T> static T *device(const std::vector<T> &values) {
  T *copy;
  cudaMalloc((void **)&copy, values.size() * sizeof(T));
  cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return copy;
}

struct Expected {
  long long accumulates = 0, multiplied = 0, possible = -1;
  void print(const char *name) const {
    printf("%s: accumulates %lld, multiply-accumulates %lld", name, accumulates, multiplied);
    if (possible >= 0)
      printf(", possible %lld, skipped %lld", possible, possible - accumulates - multiplied);
    printf("\n");
  }
};

int main() {
  srand(7);
  std::vector<int> row(NEURONS + 1), target;
  for (int i = 0; i < NEURONS; ++i) {
    for (int n = rand() % 9; n > 0; --n)
      target.push_back(rand() % NEURONS);
    row[i + 1] = (int)target.size();
  }
  std::vector<signed char> spike(STEPS * NEURONS);
  for (signed char &s : spike)
    s = rand() % 4 ? 0 : rand() % 2 ? 1 : -1;
  const int edges = row[NEURONS];

  Expected steps[STEPS], all, one, branch, huge, host[3], net;
  for (int t = 0; t < STEPS; ++t) {
    steps[t].possible = edges;
    for (int i = 0; i < NEURONS; ++i)
      steps[t].accumulates += spike[t * NEURONS + i] ? row[i + 1] - row[i] : 0;
    all.accumulates += steps[t].accumulates;
  }
  all.possible = (long long)STEPS * edges;
  for (int i = 0; i < NEURONS; ++i)
    if (spike[i]) {
      one.accumulates += row[i + 1] - row[i];
      branch.multiplied += i % 3 ? 0 : 3ll * i;
    }
  one.multiplied = branch.multiplied;
  huge.multiplied = 10000000000ll;
  huge.possible = 32 * 10000000000ll;

  signed char *spikes = device(spike);
  int *rows = device(row), *targets = device(target);
  float *weights = device(std::vector<float>(edges)), *current = device(std::vector<float>(NEURONS));
#pragma gpuprof region("net")
  {
    events<<<GRID, BLOCK>>>(spikes, rows, targets, weights, current);
    single<<<GRID, BLOCK>>>(spikes, rows, current);
    large<<<1, 32>>>();
#pragma gpuprof region("host")
    for (int t = 0; t < 3; ++t) {
#pragma gpuprof step(t)
#pragma gpuprof synapse(t, edges) inputs(4)
#pragma gpuprof synapse(1, 7) multiply inputs(1)
      host[t] = {(long long)t * edges, 7, 4ll * edges + 7};
    }
  }
  cudaDeviceSynchronize();

  Expected of_host = {3ll * edges, 21, 12ll * edges + 21};
  net.accumulates = all.accumulates + one.accumulates + of_host.accumulates;
  net.multiplied = one.multiplied + huge.multiplied + of_host.multiplied;
  net.print("net");
  char name[64];
  for (const char *path : {"net/events", "net/single", "net/large", "net/host"}) {
    const char kind = path[4];
    (kind == 'e' ? all : kind == 's' ? one : kind == 'l' ? huge : of_host).print(path);
    if (kind == 's')
      branch.print("net/single/multiplied");
    for (int t = 0; t < STEPS && kind == 'e'; ++t)
      snprintf(name, sizeof name, "net/events step %d", t), steps[t].print(name);
    for (int t = 0; t < 3 && kind == 'h'; ++t)
      snprintf(name, sizeof name, "net/host step %d", t), host[t].print(name);
    for (int t = 0; t < 3 && kind == 'h'; ++t)
      snprintf(name, sizeof name, "net/host/step_%d", t), host[t].print(name);
  }
  all.print("events()");
  for (int t = 0; t < STEPS; ++t)
    snprintf(name, sizeof name, "events() step %d", t), steps[t].print(name);
  one.print("single()");
  huge.print("large()");
}
