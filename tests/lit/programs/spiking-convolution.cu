// A convolution of ternary spikes into bipolar neurons: each input spike, +1 or -1, adds or takes off a
// filter's weight.
// RUN: %program
#include "program.h"

enum {
  IN = 2,
  OUT = 4,
  SIDE = 14,
  KERNEL = 3,
  RESULT = SIDE - KERNEL + 1,
  STEPS = 4,
  NEURONS = OUT * RESULT * RESULT
};
static constexpr float THRESHOLD = 1.0f;
static const int MOST = 2, LEAST = -2; // of the sum of a neuron's spikes

#pragma gpuprof region("snn.convolution") category(snn)
__global__ void convolve(const signed char *spikes, const float *weight, float *current) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NEURONS)
    return;
  int o = i / (RESULT * RESULT), y = i / RESULT % RESULT, x = i % RESULT;
  float sum = 0;
  for (int c = 0; c < IN; c++)
    for (int k = 0; k < KERNEL * KERNEL; k++) {
      int s = spikes[(c * SIDE + y + k / KERNEL) * SIDE + x + k % KERNEL];
      if (s) {
        float w = weight[(o * IN + c) * KERNEL * KERNEL + k];
        sum += s > 0 ? w : -w; // an addition with a sign: no product
#pragma gpuprof count("synaptic_operations", 1)
      }
    }
  current[i] = sum;
}

#pragma gpuprof region("snn.fire") category(snn)
__global__ void fire(const float *current, float *potential, int *traced, signed char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= NEURONS)
    return;
  float h = potential[i] + current[i];
  int sum = traced[i], spike = h >= THRESHOLD && sum < MOST ? 1 : h < 0 && sum > LEAST ? -1 : 0;
  potential[i] = h - THRESHOLD * (float)spike;
  traced[i] = sum + spike;
  out[i] = (signed char)spike;
#pragma gpuprof spike(spike)
}

int main() {
  const int pixels = IN * SIDE * SIDE;
  Buffer<signed char> spikes(STEPS * pixels), out(STEPS * NEURONS);
  Buffer<float> weight(OUT * IN * KERNEL * KERNEL), current(NEURONS), potential(NEURONS, 0.5f);
  Buffer<int> traced(NEURONS);
  Random random;
  for (signed char &s : spikes.host) {
    int r = random.below(8);
    s = r == 0 ? 1 : r == 1 ? -1 : 0;
  }
  for (float &w : weight.host)
    w = (float)(random.below(129) - 64) / 64;
  spikes.up();
  weight.up();
  for (int t = 0; t < STEPS; t++) {
    convolve<<<(NEURONS + 95) / 96, 96>>>(spikes.device + t * pixels, weight.device, current.device);
    fire<<<(NEURONS + 95) / 96, 96>>>(current.device, potential.device, traced.device,
                                      out.device + t * NEURONS);
  }
  out.down();

  std::vector<float> v(NEURONS, 0.5f);
  std::vector<int> sum(NEURONS);
  long long operations = 0, up = 0, down = 0;
  for (int t = 0; t < STEPS; t++)
    for (int i = 0; i < NEURONS; i++) {
      int o = i / (RESULT * RESULT), y = i / RESULT % RESULT, x = i % RESULT;
      float h = 0;
      for (int c = 0; c < IN; c++)
        for (int k = 0; k < KERNEL * KERNEL; k++) {
          int s = spikes[t * pixels + (c * SIDE + y + k / KERNEL) * SIDE + x + k % KERNEL];
          h += (float)s * weight[(o * IN + c) * KERNEL * KERNEL + k];
          operations += s != 0;
        }
      h += v[i];
      int spike = h >= THRESHOLD && sum[i] < MOST ? 1 : h < 0 && sum[i] > LEAST ? -1 : 0;
      v[i] = h - THRESHOLD * (float)spike;
      sum[i] += spike;
      up += spike > 0;
      down += spike < 0;
      EXPECT(out[t * NEURONS + i] == spike);
    }
  EXPECT(up > 0 && down > 0);

  const long long steps = STEPS * NEURONS;
  counts("convolve", {{"flops.fp32.add", operations},
                      {"user_counters.synaptic_operations", operations},
                      {"bytes.global.load", steps * IN * KERNEL * KERNEL + 4 * operations},
                      {"bytes.global.store", 4 * steps}});
  // The threshold is 1: h - 1.0f * spike has no product.
  counts("fire", {{"flops.fp32.add", 2 * steps},
                  {"snn.spikes_positive", up},
                  {"snn.spikes_negative", down},
                  {"snn.silent", steps - up - down},
                  {"bytes.global.load", 12 * steps},
                  {"bytes.global.store", 9 * steps}});
  return finish();
}
