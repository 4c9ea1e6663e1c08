// A dense layer of leaky integrate-and-fire neurons over time steps: spikes of the step before select the
// weights to add.
// RUN: %program_by_clones
#include "program.h"

enum { IN = 60, OUT = 50, STEPS = 12 };
static constexpr float LEAK = 0.875f, THRESHOLD = 2.0f;

#pragma gpuprof region("dense") category(snn)
__global__ void layer(const int *input, const float *weight, float *potential, int *output, int t) {
#pragma gpuprof step(t)
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= OUT)
    return;
  float current = 0;
#pragma gpuprof region("dense.synapses")
  for (int i = 0; i < IN; i++)
    if (input[i]) {
      current += weight[i * OUT + n];
#pragma gpuprof count("synaptic_operations", 1)
    }
  float v = potential[n] * LEAK + current;
  int spike = v >= THRESHOLD;
  potential[n] = spike ? 0 : v;
  output[n] = spike;
#pragma gpuprof spike(spike)
}

int main() {
  Buffer<int> input(IN * STEPS), output(OUT * STEPS);
  Buffer<float> weight(IN * OUT), potential(OUT);
  Random random;
  for (int &x : input.host)
    x = random.below(4) == 0;
  for (float &x : weight.host) // 64ths: all sums are exact
    x = (float)(random.below(65) - 29) / 64;
  input.up();
  weight.up();
  for (int t = 0; t < STEPS; t++)
    layer<<<2, 32>>>(input.device + t * IN, weight.device, potential.device, output.device + t * OUT, t);
  output.down();

  std::vector<float> v(OUT);
  long long fired = 0, arrived = 0;
  for (int x : input.host)
    arrived += x;
  for (int t = 0; t < STEPS; t++)
    for (int n = 0; n < OUT; n++) {
      float current = 0;
      for (int i = 0; i < IN; i++)
        current += input[t * IN + i] ? weight[i * OUT + n] : 0;
      v[n] = std::fma(v[n], LEAK, current);
      int spike = v[n] >= THRESHOLD;
      EXPECT(output[t * OUT + n] == spike);
      v[n] = spike ? 0 : v[n];
      fired += spike;
    }
  EXPECT(fired > OUT && fired < OUT * STEPS / 2);

  const long long neurons = OUT * STEPS, operations = arrived * OUT;
  counts("region:dense.synapses", {{"flops.fp32.add", operations},
                                   {"user_counters.synaptic_operations", operations},
                                   {"bytes.global.load", 4 * (IN * neurons + operations)}});
  counts("layer", {{"flops.fp32.add", operations},
                   {"flops.fp32.fma", 2 * neurons},
                   {"user_counters.synaptic_operations", operations},
                   {"snn.spikes_positive", fired},
                   {"snn.silent", neurons - fired},
                   {"bytes.global.load", 4 * (IN * neurons + operations + neurons)},
                   {"bytes.global.store", 8 * neurons}});
  return finish();
}
