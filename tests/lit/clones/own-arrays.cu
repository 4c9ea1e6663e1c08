// Control flow that needs an array of the thread's own, and products beside sums: clones, instrumented kernels (of launches
// with both pointers into one allocation) and counters in each block find the same counts.
// RUN: rm -rf %t && mkdir -p %t
// RUN: for way in blocks inkernel clone; do %clangxx -fplugin=%plugin %minicuda -fplugin-arg-gpuprof-count=$way -O2 -I%S/../run/Inputs %s -o %t/$way %link || exit 1; env GPUPROF_OUTPUT=%t/$way.json %t/$way || exit 1; done
// RUN: %py %source/tests/gpu/compare_counts.py %t/blocks.json %t/inkernel.json
// RUN: %py %source/tests/gpu/compare_counts.py %t/blocks.json %t/clone.json
// RUN: %py %S/../run/Inputs/kernel_has.py %t/clone.json region:apart bytes.global.load=1088 bytes.global.store=256
// RUN: %py %S/../run/Inputs/kernel_has.py %t/clone.json "region:one allocation" bytes.global.load=1088 bytes.global.store=256
// RUN: %py %S/../run/Inputs/kernel_has.py %t/clone.json region:firing bytes.global.load=512 bytes.global.store=128
// RUN: %document %t/clone.json | %FileCheck %s
// CHECK: "mangled": "_Z4walkPKiPi"
// CHECK: "counted_by": "several"
// CHECK: "mangled": "_Z4firePKfS0_Pi"
// CHECK: "counted_by": "clone_light"
#include "run.h"

// Follows links until it comes to a place that it has seen, and loads one link a step.
__global__ void walk(const int *next, int *length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int seen[16] = {}, at = i & 15, steps = 0;
  while (!seen[at]) {
    seen[at] = 1;
    at = next[at];
    ++steps;
  }
  length[i] = steps;
}

// A product decides, and a sum beside it: neither feeds the other.
__global__ void fire(const float *current, const float *threshold, int *spike) {
  const int i = threadIdx.x;
  float charge;
  asm("mul.f32 %0, %1, %2;" : "=f"(charge) : "f"(current[i]), "f"(0.5f));
  if (charge > threshold[i] + 1.0f)
    spike[i] = 1;
}

int main() {
  int next[16 + 64] = {};
  for (int i = 0; i < 16; ++i)
    next[i] = (5 * i + 3) % 12;
  int *links = to_device(next, 16), *lengths = to_device(next, 64), *both = to_device(next, 16 + 64);
#pragma gpuprof region("apart")
  walk<<<2, 32>>>(links, lengths);
#pragma gpuprof region("one allocation")
  walk<<<2, 32>>>(both, both + 16);
  int length[64], other[64], total = 0;
  OK(cudaMemcpy(length, lengths, sizeof length, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(other, both + 16, sizeof other, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    bool seen[16] = {};
    int at = i & 15, steps = 0;
    for (; !seen[at]; ++steps) {
      seen[at] = true;
      at = next[at];
    }
    EXPECT(length[i] == steps && other[i] == steps);
    total += steps;
  }
  EXPECT(total * 4 == 1088);
  float current[64], threshold[64];
  for (int i = 0; i < 64; ++i) {
    current[i] = static_cast<float>(i % 8);
    threshold[i] = i % 8 < 4 ? 8.0f : 0.5f; // the upper half fires
  }
  float *currents = to_device(current, 64), *thresholds = to_device(threshold, 64);
#pragma gpuprof region("firing")
  fire<<<1, 64>>>(currents, thresholds, lengths);
  OK(cudaDeviceSynchronize());
  return finish();
}
