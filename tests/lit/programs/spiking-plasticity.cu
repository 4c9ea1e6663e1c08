// Plasticity by spike times: decaying traces, weights growing where a
// neuron fires after its input, and shrinking where it fires before.
// RUN: %program
#include "program.h"

enum { IN = 48, OUT = 32, STEPS = 20 };
static constexpr float DECAY = 0.75f, GROW = 0.125f, SHRINK = 0.0625f, LARGEST = 1.0f;

__global__ void traces(const int *spikes, float *trace, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  trace[i] = trace[i] * DECAY + (float)spikes[i];
}

#pragma gpuprof region("plasticity") category(snn)
__global__ void learn(const int *before, const int *after, const float *trace_before,
                      const float *trace_after, float *weight) {
  int i = blockIdx.x, j = threadIdx.x;
  int in = before[i], out = after[j];
  float *w = &weight[i * OUT + j];
  if (out) {
#pragma gpuprof region("plasticity.grow")
    {
      *w = fminf(*w + GROW * trace_before[i], LARGEST);
#pragma gpuprof count("potentiated", 1)
    }
  }
  if (in) {
#pragma gpuprof region("plasticity.shrink")
    {
      *w = fmaxf(*w - SHRINK * trace_after[j], 0.0f);
#pragma gpuprof count("depressed", 1)
    }
  }
}

int main() {
  Buffer<int> before(IN * STEPS), after(OUT * STEPS);
  Buffer<float> trace_before(IN), trace_after(OUT), weight(IN * OUT, 0.5f);
  Random random;
  for (int &s : before.host)
    s = random.below(6) == 0;
  for (int &s : after.host)
    s = random.below(9) == 0;
  before.up();
  after.up();
  std::vector<float> tb(IN), ta(OUT), w = weight.host;
  long long grown = 0, shrunk = 0;
  for (int t = 0; t < STEPS; t++) {
    const int *b = &before[t * IN], *a = &after[t * OUT];
    traces<<<1, 64>>>(before.device + t * IN, trace_before.device, IN);
    traces<<<1, 64>>>(after.device + t * OUT, trace_after.device, OUT);
    learn<<<IN, OUT>>>(before.device + t * IN, after.device + t * OUT, trace_before.device,
                       trace_after.device, weight.device);
    for (int i = 0; i < IN; i++)
      tb[i] = std::fma(tb[i], DECAY, (float)b[i]);
    for (int j = 0; j < OUT; j++)
      ta[j] = std::fma(ta[j], DECAY, (float)a[j]);
    for (int i = 0; i < IN; i++)
      for (int j = 0; j < OUT; j++) {
        float &x = w[i * OUT + j];
        if (a[j])
          x = std::fmin(std::fma(GROW, tb[i], x), LARGEST);
        if (b[i])
          x = std::fmax(std::fma(-SHRINK, ta[j], x), 0.0f);
        grown += a[j];
        shrunk += b[i];
      }
  }
  weight.down();
  for (int i = 0; i < IN * OUT; i++)
    EXPECT(near(weight[i], w[i]));
  EXPECT(grown > 0 && shrunk > 0);

  const long long neurons = STEPS * (IN + OUT), synapses = STEPS * IN * OUT;
  counts("traces", {{"flops.fp32.fma", 2 * neurons},
                    {"bytes.global.load", 8 * neurons},
                    {"bytes.global.store", 4 * neurons}});
  counts("region:plasticity.grow", {{"flops.fp32.fma", 2 * grown},
                                    {"bytes.global.load", 8 * grown},
                                    {"bytes.global.store", 4 * grown},
                                    {"user_counters.potentiated", grown}});
  counts("region:plasticity.shrink", {{"flops.fp32.fma", 2 * shrunk},
                                      {"bytes.global.load", 8 * shrunk},
                                      {"bytes.global.store", 4 * shrunk},
                                      {"user_counters.depressed", shrunk}});
  counts("learn", {{"flops.fp32.fma", 2 * (grown + shrunk)},
                   {"bytes.global.load", 8 * (synapses + grown + shrunk)},
                   {"bytes.global.store", 4 * (grown + shrunk)},
                   {"user_counters.potentiated", grown},
                   {"user_counters.depressed", shrunk}});
  return finish();
}
