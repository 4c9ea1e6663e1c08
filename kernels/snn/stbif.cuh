/* ST-BIF neurons (spike-tracing bipolar integrate-and-fire) over all time steps, forward and backward.
 * A neuron fires +1 when its potential H reaches the threshold θ, −1 when it falls below 0, and never leaves the
 * range [trace_min, trace_max] of its spike trace. One thread runs one neuron; arrays are [steps][neurons] floats.
 *
 *   forward   H_t = v_{t−1} + x_t
 *             s_t = +1 if H_t ≥ θ and T_{t−1} < trace_max;  −1 if H_t < 0 and T_{t−1} > trace_min;  else 0
 *             v_t = H_t − θ·s_t, less give_back in the first trace_max steps;   T_t = T_{t−1} + s_t;   output θ·s_t
 *             A neuron starts at v_0 = (0.5 + prefire)·θ. give_back = prefire·θ/trace_max a step returns that head start.
 *   backward  dT/dH = g(H−θ)·[trace_max − T_{t−1} > 0] + g(−H)·[T_{t−1} − trace_min > 0]
 *             dY/dT = −([H ≥ θ]·g₁(trace_max − T_{t−1}) + [−H > 0]·g₁(T_{t−1} − trace_min))
 *             u = gY − θ·gV + gT;   gX = u·dT/dH + gV;   gT ← u·dY/dT + gT;   gV ← gX
 *             with the Gaussian surrogate g(x) = amplitude·exp(−x²·sharpness)
 *
 * Closed form for N neurons and S steps, M = N·S neuron-steps (threads beyond N return at once). A spike is ±θ or 0
 * by selects, never a multiplication and never a branch, so no data counts. give_back is subtracted in each step, as 0
 * where there is nothing to return. It is a constant, so that the backward pass does not depend on it:
 *   stbif_forward     add 4·M                                       FLOPs 4·M
 *                     global load 4·M, store 12·M + 4·N             unique: four arrays of M floats, one of N
 *   stbif_backward    a surrogate is mul 4 (x², ·sharpness, the ·log2(e) of __expf, ·amplitude) and special 1
 *                     add 6·M (H−θ, dT/dH, two distances, dY/dT, +gT), mul 16·M, fma 3·M, special 4·M
 *                                                                   FLOPs 28·M
 *                     global load 8·M + 4·(M−N): the trace before the first step is a parameter; store 4·M + 4·N
 *                                                                   unique: three arrays of M, one of M−N, one of N
 * Both write the state they end with. Without a use, what the last step does to it would be dead code wherever the
 * compiler peels that step off the loop.
 */
#ifndef GPUPROF_KERNELS_STBIF_CUH
#define GPUPROF_KERNELS_STBIF_CUH

#include "../closed_form.h"

struct StbifParameters {
  float threshold, trace_min, trace_max, give_back;
};

/* A neuron with a membrane starting prefire·θ above θ/2, returned in its first trace_max steps. */
inline StbifParameters stbif_parameters(float threshold, float trace_min, float trace_max, float prefire) {
  const StbifParameters p = {threshold, trace_min, trace_max,
                             trace_max > 0.0f ? prefire * threshold / trace_max : 0.0f};
  return p;
}
inline float stbif_membrane_start(float threshold, float prefire) { return (0.5f + prefire) * threshold; }

/* The levels of a quantiser represented by the trace: from 0, or as many below 0 as from 0 on. */
inline float stbif_trace_min(int level, bool symmetric) { return symmetric ? (float)-(level / 2) : 0.0f; }
inline float stbif_trace_max(int level, bool symmetric) { return (float)((symmetric ? level / 2 : level) - 1); }

/* exp(−x²·sharpness), times amplitude. */
struct StbifSurrogate {
  float amplitude, negative_sharpness;
};

/* ---- One neuron, one step ---- */

/* Whether the potential h fires, as a spike −1, 0 or 1 and as its charge, θ·spike. */
__device__ __forceinline__ void stbif_fire(float h, float traced, StbifParameters p, float &spike, float &charge) {
  const bool up = (h >= p.threshold) & (traced < p.trace_max);
  const bool down = (h < 0.0f) & (traced > p.trace_min);
  charge = up ? p.threshold : down ? -p.threshold : 0.0f;
  spike = up ? 1.0f : down ? -1.0f : 0.0f;
}

__device__ __forceinline__ float stbif_leave(float h, float charge, int t, StbifParameters p) {
  return h - charge - ((float)t < p.trace_max ? p.give_back : 0.0f);
}

__device__ __forceinline__ float stbif_surrogate(float x, StbifSurrogate g) {
  return g.amplitude * __expf(x * x * g.negative_sharpness);
}

/* Moves gV and gT to before the step; gX is gV then. `before` is the trace before the step. */
__device__ __forceinline__ void stbif_gradients(float output_gradient, float h, float before, StbifParameters p,
                                                StbifSurrogate potential_surrogate, StbifSurrogate trace_surrogate,
                                                float &membrane_gradient, float &trace_gradient) {
  const float room_up = p.trace_max - before, room_down = before - p.trace_min;
  // All four are computed before any is chosen: a neuron's cost does not depend on its spikes.
  const float fire = stbif_surrogate(h - p.threshold, potential_surrogate);
  const float release = stbif_surrogate(h, potential_surrogate);
  const float top = stbif_surrogate(room_up, trace_surrogate), bottom = stbif_surrogate(room_down, trace_surrogate);
  const float trace_by_potential = (room_up > 0.0f ? fire : 0.0f) + (room_down > 0.0f ? release : 0.0f);
  const float output_by_trace = -((h >= p.threshold ? top : 0.0f) + (h < 0.0f ? bottom : 0.0f));
  const float u = fmaf(-p.threshold, membrane_gradient, output_gradient) + trace_gradient;
  membrane_gradient = fmaf(u, trace_by_potential, membrane_gradient);
  trace_gradient = fmaf(u, output_by_trace, trace_gradient);
}

/* ---- All steps, a thread a neuron ---- */

/* membrane_start is stbif_membrane_start(); `membrane` [neurons] takes v after the last step. */
#pragma gpuprof region("stbif.forward") phase(forward) category(snn)
__global__ void stbif_forward(const float *__restrict__ input, float *__restrict__ output,
                              float *__restrict__ potential, float *__restrict__ trace,
                              float *__restrict__ membrane, size_t neurons, int steps, float membrane_start,
                              float trace_start, StbifParameters p) {
  size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= neurons)
    return;
  float v = membrane_start, traced = trace_start;
  for (int t = 0; t < steps; ++t) {
    size_t i = (size_t)t * neurons + n;
    float h = v + input[i];
    float spike, charge;
    stbif_fire(h, traced, p, spike, charge);
    v = stbif_leave(h, charge, t, p);
    traced = traced + spike;
    output[i] = charge;
    potential[i] = h;
    trace[i] = traced;
#pragma gpuprof spike(spike)
  }
  membrane[n] = v;
}

inline ClosedForm stbif_forward_cost(uint64_t neurons, uint64_t steps, uint64_t block) {
  ClosedForm cost = {};
  uint64_t neuron_steps = neurons * steps;
  cost.launches = 1;
  cost.threads = ceil_div(neurons, block) * block;
  cost.add = 4 * neuron_steps;
  cost.global_load = 4 * neuron_steps;
  cost.global_store = 12 * neuron_steps + 4 * neurons;
  cost.unique = 4 * sector_bytes(neuron_steps) + sector_bytes(neurons);
  return cost;
}

/* `potential_surrogate` is g, `trace_surrogate` g₁; `start_gradient` [neurons] takes the gradient of the trace
 * before the first step (that of the membrane is the first row of input_gradient). trace_start is a parameter of
 * its own because a member of a struct lies in memory: the compiler would then choose between two addresses, not
 * between loading and not loading. */
#pragma gpuprof region("stbif.backward") phase(backward) category(snn)
__global__ void stbif_backward(const float *__restrict__ output_gradient, const float *__restrict__ potential,
                               const float *__restrict__ trace, float *__restrict__ input_gradient,
                               float *__restrict__ start_gradient, size_t neurons, int steps,
                               float trace_start, StbifParameters p, StbifSurrogate potential_surrogate,
                               StbifSurrogate trace_surrogate) {
  size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= neurons)
    return;
  float membrane_gradient = 0.0f, trace_gradient = 0.0f;
  for (int t = steps - 1; t >= 0; --t) {
    size_t i = (size_t)t * neurons + n;
    float before = t > 0 ? trace[i - neurons] : trace_start;
    stbif_gradients(output_gradient[i], potential[i], before, p, potential_surrogate, trace_surrogate,
                    membrane_gradient, trace_gradient);
    input_gradient[i] = membrane_gradient;
  }
  start_gradient[n] = trace_gradient;
}

inline ClosedForm stbif_backward_cost(uint64_t neurons, uint64_t steps, uint64_t block) {
  ClosedForm cost = {};
  uint64_t neuron_steps = neurons * steps, with_trace = steps ? neuron_steps - neurons : 0;
  cost.launches = 1;
  cost.threads = ceil_div(neurons, block) * block;
  cost.add = 6 * neuron_steps;
  cost.mul = 16 * neuron_steps;
  cost.fma = 3 * neuron_steps;
  cost.special = 4 * neuron_steps;
  cost.global_load = 8 * neuron_steps + 4 * with_trace;
  cost.global_store = 4 * neuron_steps + 4 * neurons;
  cost.unique = 3 * sector_bytes(neuron_steps) + sector_bytes(with_trace) + sector_bytes(neurons);
  return cost;
}

#endif
