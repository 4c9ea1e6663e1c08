// Adaptive neurons with recurrent weights: the threshold rises with each spike and falls back.
// A warp adds up the weights of the neurons fired in the last step, by the bits of a mask.
// RUN: %program
#include "program.h"

enum { N = 64, STEPS = 24 };
static constexpr float LEAK = 0.75f, RECOVER = 0.875f, BUMP = 0.25f, BASE = 1.0f;

#pragma gpuprof region("alif") category(snn)
__global__ void run(const float *input, const float *weight, float *potential, unsigned *raster) {
  __shared__ unsigned fired[N / 32];
  int n = threadIdx.x, warp = n / 32;
  float v = 0, adaptation = 0;
  if (n % 32 == 0)
    fired[warp] = 0;
  for (int t = 0; t < STEPS; t++) {
#pragma gpuprof step(t)
    __syncthreads();
    float current = input[t * N + n];
#pragma gpuprof region("alif.recurrent")
    for (int w = 0; w < N / 32; w++)
      for (unsigned mask = fired[w]; mask; mask &= mask - 1) {
        current += weight[(w * 32 + __ffs(mask) - 1) * N + n];
#pragma gpuprof count("synaptic_operations", 1)
      }
    v = v * LEAK + current;
    adaptation *= RECOVER;
    bool spike = v >= BASE + adaptation;
    unsigned mask = __ballot_sync(~0u, spike);
    if (spike) {
      v = 0;
      adaptation += BUMP;
    }
    __syncthreads();
    if (n % 32 == 0) {
      fired[warp] = mask;
      raster[t * (N / 32) + warp] = mask;
    }
#pragma gpuprof spike(spike)
  }
  potential[n] = v;
}

int main() {
  Buffer<float> input(STEPS * N), weight(N * N), potential(N);
  Buffer<unsigned> raster(STEPS * N / 32);
  Random random;
  for (float &x : input.host)
    x = (float)random.below(48) / 64;
  for (float &x : weight.host)
    x = (float)(random.below(33) - 16) / 128;
  input.up();
  weight.up();
  run<<<1, N>>>(input.device, weight.device, potential.device, raster.device);
  raster.down();
  potential.down();

  std::vector<float> v(N), adaptation(N);
  std::vector<char> last(N), now(N);
  long long fired = 0, operations = 0;
  for (int t = 0; t < STEPS; t++) {
    for (int n = 0; n < N; n++) {
      float current = input[t * N + n];
      for (int m = 0; m < N; m++)
        if (last[m]) {
          current += weight[m * N + n];
          operations++;
        }
      v[n] = std::fma(v[n], LEAK, current);
      adaptation[n] *= RECOVER;
      now[n] = v[n] >= BASE + adaptation[n];
      if (now[n]) {
        v[n] = 0;
        adaptation[n] += BUMP;
        fired++;
      }
      EXPECT((raster[(t * N + n) / 32] >> n % 32 & 1) == (unsigned)now[n]);
    }
    last = now;
  }
  for (int n = 0; n < N; n++)
    EXPECT(near(potential[n], v[n]));
  EXPECT(operations > 0 && fired > N);

  // A neuron and step: a fused decay, the fall of the threshold, and its sum with the
  // base. The bump of a spike is computed beside it (no branch is worth an addition).
  const long long steps = STEPS * N, masks = STEPS * N / 32;
  counts("region:alif.recurrent", {{"flops.fp32.add", operations},
                                   {"user_counters.synaptic_operations", operations},
                                   {"bytes.shared.load", 4 * steps * N / 32},
                                   {"bytes.global.load", 4 * operations}});
  // The decayed adaptation is compared, raised and kept: a product, and an fma in each sum.
  counts("run", {{"flops.fp32.add", operations},
                 {"flops.fp32.mul", steps},
                 {"flops.fp32.fma", 6 * steps},
                 {"user_counters.synaptic_operations", operations},
                 {"snn.spikes_positive", fired},
                 {"snn.silent", steps - fired},
                 {"bytes.shared.load", 4 * steps * N / 32},
                 {"bytes.shared.store", 4 * (masks + N / 32)},
                 {"bytes.global.load", 4 * (steps + operations)},
                 {"bytes.global.store", 4 * (masks + N)}});
  return finish();
}
