// ST-BIF neurons against their definition, transcribed here in plain C: every spike, trace and potential equal. Head
// starts of several sizes, fewer and more steps than levels, symmetric and one-sided ranges.
// RUN: %program
#include "program.h"

#include "../../../kernels/snn/stbif.cuh"

enum { THREADS = 64 };

struct Neuron {
  float threshold, prefire;
  int level, steps;
  bool symmetric;
};

struct Result {
  int spike, trace;
  float potential;
};

/* The definition, one neuron: x and result are its steps. A membrane starting prefire·θ
 * too high loses it again in equal parts, in the steps t = 0, 1, … below T_max. */
static float define(const Neuron &n, const float *x, Result *result) {
  int t_max = n.symmetric ? n.level / 2 - 1 : n.level - 1;
  int t_min = n.symmetric ? -(n.level / 2) : 0;
  float v = (0.5f + n.prefire) * n.threshold;
  int trace = 0;
  for (int t = 0; t < n.steps; t++) {
    float potential = v + x[t];
    int spike = 0;
    if (potential >= n.threshold && trace < t_max)
      spike = 1;
    if (potential < 0 && trace > t_min)
      spike = -1;
    v = potential - spike * n.threshold;
    if (t < t_max)
      v = v - n.prefire * n.threshold / t_max;
    trace += spike;
    result[t].spike = spike;
    result[t].trace = trace;
    result[t].potential = potential;
  }
  return v;
}

struct Spikes {
  long long up, down, none;
};

static void compare(const Neuron &n, size_t neurons, Random &random, ClosedForm &cost, Spikes &spikes) {
  const size_t all = neurons * n.steps;
  Buffer<float> input(all), output(all), potential(all), trace(all), membrane(neurons);
  for (float &x : input.host)
    x = 0.75f * n.threshold * random.symmetric() + 0.25f * n.threshold;
  input.up();
  const int t_max = n.symmetric ? n.level / 2 - 1 : n.level - 1, t_min = n.symmetric ? -(n.level / 2) : 0;
  const StbifParameters p = stbif_parameters(n.threshold, t_min, t_max, n.prefire);
  stbif_forward<<<ceil_div(neurons, THREADS), THREADS>>>(
      input.device, output.device, potential.device, trace.device, membrane.device, neurons, n.steps,
      stbif_membrane_start(n.threshold, n.prefire), 0.0f, p);
  output.down(), potential.down(), trace.down(), membrane.down();
  cost = cost + stbif_forward_cost(neurons, n.steps, THREADS);

  std::vector<float> x(n.steps);
  std::vector<Result> expected(n.steps);
  for (size_t i = 0; i < neurons; i++) {
    for (int t = 0; t < n.steps; t++)
      x[t] = input[t * neurons + i];
    EXPECT(membrane[i] == define(n, x.data(), expected.data()));
    for (int t = 0; t < n.steps; t++) {
      const size_t at = t * neurons + i;
      EXPECT(output[at] == expected[t].spike * n.threshold);
      EXPECT(trace[at] == expected[t].trace);
      EXPECT(potential[at] == expected[t].potential);
      ++(expected[t].spike > 0 ? spikes.up : expected[t].spike < 0 ? spikes.down : spikes.none);
    }
  }
}

int main() {
  Random random;
  ClosedForm cost = {};
  Spikes spikes = {0, 0, 0};
  for (float prefire : {0.0f, 0.25f, 0.3f, 0.5f})
    for (int steps : {1, 6, 21})
      for (int level : {2, 8, 16}) {
        compare({0.75f, prefire, level, steps, false}, 37, random, cost, spikes);
        compare({0.3f, prefire, level, steps, true}, 111, random, cost, spikes);
      }
  EXPECT(spikes.up > 1000 && spikes.down > 100 && spikes.none > 1000);
  counts("stbif_forward", {{"flops.fp32.add", (long long)cost.add},
                           {"bytes.global.load", (long long)cost.global_load},
                           {"bytes.global.store", (long long)cost.global_store},
                           {"bytes.constant.load", (long long)sizeof(StbifParameters) * 4 * 3 * 3 * (37 + 111)},
                           {"snn.spikes_positive", spikes.up},
                           {"snn.spikes_negative", spikes.down},
                           {"snn.silent", spikes.none}});
  return finish();
}
