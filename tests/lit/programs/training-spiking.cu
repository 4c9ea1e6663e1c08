// Training a spiking neuron layer through time: spikes forwards, the derivative of a fast sigmoid in their
// place backwards.
// RUN: %program
#include "program.h"

enum { IN = 24, OUT = 16, STEPS = 10, ROUNDS = 2 };
static constexpr float LEAK = 0.75f, THRESHOLD = 1.0f, RATE = 0.01f;

#pragma gpuprof region("train.forward") phase(forward)
__global__ void forward(const float *input, const float *weight, float *before, float *spikes) {
  int n = threadIdx.x;
  float v = 0;
  for (int t = 0; t < STEPS; t++) {
    float current = 0;
    for (int i = 0; i < IN; i++)
      current += input[t * IN + i] * weight[i * OUT + n];
    v = v * LEAK + current;
    before[t * OUT + n] = v; // needed by the backward pass
    float s = v >= THRESHOLD ? 1.0f : 0.0f;
    spikes[t * OUT + n] = s;
    v = v - s; // the threshold is 1
#pragma gpuprof spike(s)
  }
}

#pragma gpuprof region("train.backward") phase(backward)
__global__ void backward(const float *before, const float *spikes, const float *wanted, float *delta) {
  int n = threadIdx.x;
  float gradient = 0; // of the state kept from step to step
  for (int t = STEPS - 1; t >= 0; t--) {
    float error = spikes[t * OUT + n] - wanted[t * OUT + n];
    float slope = 1.0f + fabsf(before[t * OUT + n] - THRESHOLD);
    float surrogate = 1.0f / (slope * slope);
    float here = error * surrogate + gradient; // the reset is taken as constant
    delta[t * OUT + n] = here;
    gradient = here * LEAK;
  }
}

#pragma gpuprof region("train.update") phase(optimizer)
__global__ void update(const float *input, const float *delta, float *weight) {
  int i = blockIdx.x, n = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < STEPS; t++)
    sum += input[t * IN + i] * delta[t * OUT + n];
  weight[i * OUT + n] -= RATE * sum;
}

int main() {
  Buffer<float> input(STEPS * IN), weight(IN * OUT), before(STEPS * OUT), spikes(STEPS * OUT),
      wanted(STEPS * OUT), delta(STEPS * OUT);
  Random random;
  for (float &x : input.host)
    x = (float)(random.below(3) == 0);
  for (float &w : weight.host)
    w = (float)(random.below(65) - 16) / 256;
  for (float &w : wanted.host)
    w = (float)(random.below(4) == 0);
  input.up();
  weight.up();
  wanted.up();
  std::vector<double> w(weight.host.begin(), weight.host.end()), u(STEPS * OUT), s(STEPS * OUT),
      d(STEPS * OUT);
  long long fired = 0;
  for (int round = 0; round < ROUNDS; round++) {
    forward<<<1, OUT>>>(input.device, weight.device, before.device, spikes.device);
    backward<<<1, OUT>>>(before.device, spikes.device, wanted.device, delta.device);
    update<<<IN, OUT>>>(input.device, delta.device, weight.device);
    spikes.down();
    for (int n = 0; n < OUT; n++) {
      double v = 0, gradient = 0;
      for (int t = 0; t < STEPS; t++) {
        double current = 0;
        for (int i = 0; i < IN; i++)
          current += input[t * IN + i] * w[i * OUT + n];
        u[t * OUT + n] = v = v * LEAK + current;
        s[t * OUT + n] = v >= THRESHOLD;
        v -= s[t * OUT + n];
        fired += s[t * OUT + n] > 0;
        EXPECT(spikes[t * OUT + n] == s[t * OUT + n]);
      }
      for (int t = STEPS - 1; t >= 0; t--) {
        double slope = 1 + std::fabs(u[t * OUT + n] - THRESHOLD);
        d[t * OUT + n] = (s[t * OUT + n] - wanted[t * OUT + n]) / (slope * slope) + gradient;
        gradient = d[t * OUT + n] * LEAK;
      }
    }
    for (int i = 0; i < IN * OUT; i++)
      for (int t = 0; t < STEPS; t++)
        w[i] -= RATE * input[t * IN + i / OUT] * d[t * OUT + i % OUT];
  }
  weight.down();
  for (int i = 0; i < IN * OUT; i++)
    EXPECT(near(weight[i], w[i]));

  const long long steps = ROUNDS * STEPS * OUT, synapses = steps * IN, weights = ROUNDS * IN * OUT;
  EXPECT(fired > 0 && fired < steps);
  counts("forward", {{"flops.fp32.fma", 2 * (synapses + steps)},
                     {"flops.fp32.add", steps},
                     {"snn.spikes_positive", fired},
                     {"snn.silent", steps - fired},
                     {"bytes.global.load", 8 * synapses},
                     {"bytes.global.store", 8 * steps}});
  counts("backward", {{"flops.fp32.add", 3 * steps},
                      {"flops.fp32.mul", 2 * steps},
                      {"flops.fp32.div", steps},
                      {"flops.fp32.fma", 2 * steps},
                      {"bytes.global.load", 12 * steps},
                      {"bytes.global.store", 4 * steps}});
  counts("update", {{"flops.fp32.fma", 2 * (synapses + weights)},
                    {"bytes.global.load", 8 * synapses + 4 * weights},
                    {"bytes.global.store", 4 * weights}});
  return finish();
}
