// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two layers of spiking neurons over some time steps, which docs/user/spiking.md looks at: spiking_network STEPS
#include <cuda_runtime.h>
#include <stdlib.h>

enum { kBatch = 8, kInputs = 784, kHidden = 256, kClasses = 10, kBlock = 64 };

#pragma gpuprof region("fc") category(snn)
__global__ void fc(const float *in, int inputs, const float *weight, float *current, int neurons) {
  int n = blockIdx.x * blockDim.x + threadIdx.x, sample = blockIdx.y, events = 0;
  float sum = 0;
  for (int i = 0; i < inputs && n < neurons; ++i)
    if (in[sample * inputs + i] != 0) {
      sum += weight[i * neurons + n];
      ++events;
    }
  if (n < neurons) {
#pragma gpuprof synapse(events, 1) inputs(inputs)
    current[sample * neurons + n] = sum;
  }
}

#pragma gpuprof region("lif") category(snn)
__global__ void lif(const float *current, float *membrane, float *spikes, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    float v = 0.5f * membrane[i] + current[i], spike = v >= 1;
    membrane[i] = v - spike;
    spikes[i] = spike;
#pragma gpuprof spike(spike)
  }
}

static float *managed(int count, int (*value)(void)) {
  float *values;
  if (cudaMallocManaged((void **)&values, count * sizeof *values))
    exit(1);
  for (int i = 0; i < count; ++i)
    values[i] = value() / 256.0f;
  return values;
}

static int random_below(int n) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 16) % n);
}
static int zero(void) { return 0; }
static int small_weight(void) { return random_below(16) - 6; }
static int large_weight(void) { return random_below(32) - 13; }

struct layer {
  int inputs, neurons;
  float *weight, *current, *membrane, *spikes;
};

static struct layer make_layer(int inputs, int neurons, int (*weight)(void)) {
  int count = kBatch * neurons;
  return {inputs, neurons, managed(inputs * neurons, weight), managed(count, zero), managed(count, zero), managed(count, zero)};
}

static void run(const struct layer *layer, const float *in) {
  int count = kBatch * layer->neurons;
  fc<<<dim3((layer->neurons + kBlock - 1) / kBlock, kBatch), kBlock>>>(in, layer->inputs, layer->weight, layer->current, layer->neurons);
  lif<<<(count + kBlock - 1) / kBlock, kBlock>>>(layer->current, layer->membrane, layer->spikes, count);
}

int main(int argc, char **argv) {
  int steps = argc > 1 ? atoi(argv[1]) : 4;
  float *in = managed(kBatch * kInputs, zero);
  struct layer hidden = make_layer(kInputs, kHidden, small_weight), output = make_layer(kHidden, kClasses, large_weight);
#pragma gpuprof region("network") phase(forward)
  {
#pragma gpuprof expect items(kBatch)
    for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(t)
      cudaDeviceSynchronize();
      for (int i = 0; i < kBatch * kInputs; ++i)
        in[i] = random_below(100) < 15;
#pragma gpuprof region("hidden")
      run(&hidden, in);
#pragma gpuprof region("output")
      run(&output, hidden.spikes);
    }
    cudaDeviceSynchronize();
  }
  return 0;
}
