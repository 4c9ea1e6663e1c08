/* Leaky integrate-and-fire neurons, one time step: the membrane leaks, takes the input current, and fires and resets
 * where it reaches the threshold.
 *   v ← leak·v + current;   spike = [v ≥ threshold];   v ← reset where it fired
 *
 * Closed form for N neurons (threads beyond N return at once). Fire and reset are selects, so no data counts:
 *   fma N                                        FLOPs 2·N
 *   global load 8·N, store 8·N                   unique: three arrays of N floats, in whole sectors
 */
#ifndef GPUPROF_KERNELS_LIF_CUH
#define GPUPROF_KERNELS_LIF_CUH

#include "../closed_form.h"

struct LifParameters {
  float leak, threshold, reset;
};

#pragma gpuprof region("lif.step") phase(forward) category(snn)
__global__ void lif_step(const float *__restrict__ current, float *__restrict__ membrane,
                         float *__restrict__ spike, size_t neurons, LifParameters p) {
  size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= neurons)
    return;
  float v = fmaf(p.leak, membrane[n], current[n]);
  bool fired = v >= p.threshold;
  spike[n] = fired ? 1.0f : 0.0f;
  membrane[n] = fired ? p.reset : v;
#pragma gpuprof spike(fired)
}

inline ClosedForm lif_step_cost(uint64_t neurons, uint64_t block) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = ceil_div(neurons, block) * block;
  cost.fma = neurons;
  cost.global_load = 8 * neurons;
  cost.global_store = 8 * neurons;
  cost.unique = 3 * sector_bytes(neurons);
  return cost;
}

#endif
