// A network of 20 layers and 64 time steps, with two kernels a step, each a region of two regions:
// its document has at most 3 MB, although spikes vary from step to step, since rows leave out
// members shared by the rows of their site. Filled in, it has all the values read by its reader.
// RUN: %clangxx -fplugin=%plugin %minicuda -O2 -I%source/include %s %link -o %t
// RUN: env GPUPROF_DEVICE=cpu GPUPROF_OUTPUT=%t.json %t
// RUN: %py %source/tests/validate_json.py %source/docs/roofline.schema.json %t.json
// RUN: rm -rf %t.folders && mkdir -p %t.folders/short %t.folders/full && mv %t.json %t.folders/short/network.json
// RUN: %document %t.folders/short/network.json >%t.folders/full/network.json
// RUN: %py -c "import os, sys; short, full = map(os.path.getsize, sys.argv[1:]); print('fits' if short <= 3000000 else short, full > 8 * short)" %t.folders/short/network.json %t.folders/full/network.json | %FileCheck %s
// RUN: sh -c 'for w in --regions --kernels --lines; do for f in short full; do cd %t.folders/$f; %gpuprof report $w --format=json network.json >rows; %gpuprof report $w network.json >>rows; done; cmp %t.folders/short/rows %t.folders/full/rows || exit 1; done'
// RUN: %gpuprof diff %t.folders/short/network.json %t.folders/full/network.json | %FileCheck --check-prefix=DIFF %s
// RUN: rm -rf %t.folders
// CHECK: {{^}}fits True
// DIFF: {{^}} 0 of {{[1-9][0-9]*}} counts differ.
#include <gpuprof.h>

#include <cstdio>

enum { kLayers = 20, kSteps = 64, kNeurons = 64, kInputs = 32 };

#pragma gpuprof region("synapses") category(synapse)
__global__ void synapses(const unsigned char *spike, const float *weight, float *current) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma gpuprof region("synapses.gather") category(synapse)
  for (int i = 0; i < kInputs; ++i)
    if (spike[i])
      sum += weight[i * kNeurons + n];
#pragma gpuprof region("synapses.store") category(synapse)
  current[n] += sum;
}

#pragma gpuprof region("neurons") category(neuron)
__global__ void neurons(float *current, float *v, unsigned char *spike, float leak) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  float h;
#pragma gpuprof region("neurons.integrate") category(neuron)
  {
    h = leak * v[n] + current[n];
    current[n] = 0;
  }
#pragma gpuprof region("neurons.fire") category(neuron)
  {
    bool fired = h >= 1.0f;
#pragma gpuprof spike(fired)
    v[n] = fired ? h - 1.0f : h;
    spike[n] = fired;
  }
}

/* Spikes come at another rate in each step. */
static unsigned char inputs[kLayers * kSteps][kInputs];

static void make_inputs() {
  unsigned seed = 7;
  auto random = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (auto &step : inputs) {
    unsigned rate = random() % 50;
    for (auto &input : step)
      input = random() % 100 < rate;
  }
}

int main() {
  unsigned char *in, *spike;
  float *weight, *current, *v;
  make_inputs();
  cudaMalloc(&in, sizeof inputs);
  cudaMalloc(&spike, kNeurons);
  cudaMalloc(&weight, kInputs * kNeurons * sizeof(float));
  cudaMalloc(&current, kNeurons * sizeof(float));
  cudaMalloc(&v, kLayers * kNeurons * sizeof(float));
  cudaMemcpy(in, inputs, sizeof inputs, cudaMemcpyHostToDevice);
  cudaMemset(weight, 0x3d, kInputs * kNeurons * sizeof(float)); /* 0.046 each */
  cudaMemset(current, 0, kNeurons * sizeof(float));
  cudaMemset(v, 0, kLayers * kNeurons * sizeof(float));
  for (int l = 0; l < kLayers; ++l) {
    char name[20];
    std::snprintf(name, sizeof name, "layer_%d", l);
    gpuprof::Region layer(name, l < kLayers / 2 ? "forward" : "backward", "snn");
    for (int t = 0; t < kSteps; ++t) {
      gpuprof_step(t);
      synapses<<<kNeurons / 32, 32>>>(in + (l * kSteps + t) * kInputs, weight, current);
      neurons<<<kNeurons / 32, 32>>>(current, v + l * kNeurons, spike, 0.875f);
    }
  }
  return cudaDeviceSynchronize();
}
