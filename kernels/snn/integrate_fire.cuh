/* Integrate-and-fire neurons (IF, LIF) over all time steps in one launch, forward and backward; the
 * conventions are SpikingJelly's (https://github.com/fangwei123456/spikingjelly), with k = 1/τ. A launch with
 * one step and the membrane in memory is the single-step neuron.
 *
 *   charge    IF           h_t = v_{t−1} + x_t
 *             DecayInput   h_t = v_{t−1} + k·(x_t − (v_{t−1} − v_rest))
 *             KeepInput    h_t = v_{t−1} − k·(v_{t−1} − v_rest) + x_t
 *   fire      s_t = [h_t ≥ θ]
 *   reset     hard         v_t = v_reset where it fired, else h_t;   v_rest = v_reset
 *             soft         v_t = h_t − θ·s_t;                        v_rest = 0
 *
 *   backward  from gS_t = ∂L/∂s_t and the gradient gV of the membrane after the last step, with the surrogate σ′:
 *             gH = gS_t·σ′(h_t − θ) + gV·∂v/∂h
 *             ∂v/∂h    hard   1 − s_t + (v_reset − h_t)·σ′,   detached  1 − s_t
 *                      soft   1 − θ·σ′,                       detached  1
 *             gX_t = gH·∂h/∂x   (DecayInput: k, else 1);      gV ← gH·∂h/∂v   (IF: 1, else 1 − k)
 *   surrogates, α the sharpness
 *             atan      σ′(u) = α/2 / (1 + (π/2·α·u)²)
 *             sigmoid   σ′(u) = α·σ(α·u)·(1 − σ(α·u))
 *
 * Units: x, h, v, θ and v_reset are membrane potentials, all in one unit; τ counts time steps; spikes are 0
 * or 1. Shapes: input, spike, potential and their gradients [steps][stride] elements; membrane and its
 * gradient [neurons] floats, read and written: state is fp32 whatever the elements are. h is rounded to the
 * element type before it is compared, so that inference, training and the backward pass agree in each spike;
 * v is not rounded.
 *
 * Closed form for N neurons, T steps, M = N·T, elements of E bytes. What neurons decide are selects: no data counts.
 *   a neuron-step of
 *   forward    IF   add 1;   LIF   add 2, fma 1, but a soft reset add 1, fma 1;   soft reset   add 1 more
 *              global load E·M + 4·N, store E·M + 4·N, with potentials E·M more
 *   backward   add 1 (h − θ), fma 1 (gH);   not detached   mul 1, fma 1, and hard add 1
 *              LIF   mul 1 (gV), with DecayInput mul 2
 *              atan   mul 1, fma 1, div 1;   sigmoid   mul 4, add 2, div 1, special 1
 *              global load 2·E·M + 4·N, store E·M + 4·N
 *   unique     each array once, in whole sectors
 */
#ifndef GPUPROF_KERNELS_SNN_INTEGRATE_FIRE_CUH
#define GPUPROF_KERNELS_SNN_INTEGRATE_FIRE_CUH

#include "neurons.cuh"

enum SnnCharge { SnnIf, SnnDecayInput, SnnKeepInput };
enum SnnReset { SnnHardReset, SnnSoftReset };

struct IntegrateFire {
  float leak;      /* k = 1/τ; 0 < k ≤ 1. Without meaning for IF. */
  float keep;      /* 1 − k, the part of the membrane left by a step */
  float threshold; /* θ */
  float reset;     /* v_reset; without meaning for a soft reset */
};

inline IntegrateFire integrate_fire(float tau, float threshold, float reset) {
  const float leak = 1.0f / tau;
  const IntegrateFire p = {leak, 1.0f - leak, threshold, reset};
  return p;
}

template <SnnCharge Charge, SnnReset Reset>
__device__ __forceinline__ float integrate_fire_charge(float v, float x, IntegrateFire p) {
  if (Charge == SnnIf)
    return v + x;
  const float above_rest = Reset == SnnHardReset ? v - p.reset : v;
  return Charge == SnnDecayInput ? fmaf(p.leak, x - above_rest, v) : fmaf(-p.leak, above_rest, v) + x;
}

template <SnnReset Reset>
__device__ __forceinline__ float integrate_fire_reset(float h, bool fired, IntegrateFire p) {
  return Reset == SnnHardReset ? (fired ? p.reset : h) : h - (fired ? p.threshold : 0.0f);
}

/* Spikes are elements, or signed bytes for event-driven layers. `potential` takes h for the backward pass
 * where Save is true, and is not touched otherwise. */
#pragma gpuprof region("integrate_fire.forward") phase(forward) category(snn)
template <SnnCharge Charge, SnnReset Reset, bool Save, SnnLayout Layout, typename Element, typename Spike>
__global__ void integrate_fire_forward(const Element *__restrict__ input, float *__restrict__ membrane,
                                       Spike *__restrict__ spike, Element *__restrict__ potential,
                                       size_t neurons, size_t stride, int steps, IntegrateFire p) {
  snn_for_neurons<Element, Layout>(neurons, [=](auto own) {
    typename decltype(own)::Row row, next;
    float v[own.kLanes], x[own.kLanes], h[own.kLanes], s[own.kLanes];
    own.load_state(membrane, v);
#pragma gpuprof step(0)
    own.load(row, input);
    for (int t = 0; t < steps; ++t) {
      const size_t at = (size_t)t * stride;
      if (t + 1 < steps) { // in flight while this step is computed
#pragma gpuprof step(t + 1)
        own.load(next, input + at + stride);
      }
#pragma gpuprof step(t)
      own.read(row, x);
#pragma unroll
      for (int k = 0; k < own.kLanes; ++k) {
        const float charged = integrate_fire_charge<Charge, Reset>(v[k], x[k], p);
        h[k] = snn_rounded<Element>(charged);
        const bool fired = h[k] >= p.threshold;
        s[k] = fired ? 1.0f : 0.0f;
        v[k] = integrate_fire_reset<Reset>(charged, fired, p);
#pragma gpuprof spike(fired)
      }
      own.store(spike + at, s);
      if (Save)
        own.store(potential + at, h);
      row = next;
    }
    own.store_state(membrane, v);
  });
}

/* ---- Surrogates ---- */

struct AtanSurrogate {
  float slope; /* π/2·α */
  float half;  /* α/2 */

  __device__ __forceinline__ float operator()(float u) const {
    const float scaled = slope * u;
    return __fdividef(half, fmaf(scaled, scaled, 1.0f));
  }
  static void add_cost(ClosedForm &cost, uint64_t times) {
    cost.mul += times, cost.fma += times, cost.div += times;
  }
};

struct SigmoidSurrogate {
  float alpha;

  __device__ __forceinline__ float operator()(float u) const {
    const float sigmoid = __fdividef(1.0f, 1.0f + __expf(-alpha * u));
    return alpha * (sigmoid * (1.0f - sigmoid));
  }
  static void add_cost(ClosedForm &cost, uint64_t times) {
    cost.add += 2 * times, cost.mul += 4 * times, cost.div += times, cost.special += times;
  }
};

inline AtanSurrogate atan_surrogate(float alpha) {
  const AtanSurrogate g = {1.57079633f * alpha, 0.5f * alpha};
  return g;
}
inline SigmoidSurrogate sigmoid_surrogate(float alpha) {
  const SigmoidSurrogate g = {alpha};
  return g;
}

/* `membrane_gradient` is gV: of the membrane after the last step when the launch begins, before the first
 * when it ends. */
#pragma gpuprof region("integrate_fire.backward") phase(backward) category(snn)
template <SnnCharge Charge, SnnReset Reset, bool Detach, SnnLayout Layout, typename Element,
          typename Surrogate>
__global__ void
integrate_fire_backward(const Element *__restrict__ spike_gradient, const Element *__restrict__ potential,
                        float *__restrict__ membrane_gradient, Element *__restrict__ input_gradient,
                        size_t neurons, size_t stride, int steps, IntegrateFire p, Surrogate surrogate) {
  snn_for_neurons<Element, Layout>(neurons, [=](auto own) {
    typename decltype(own)::Row gradient_row, potential_row, next_gradient, next_potential;
    float g_v[own.kLanes], g_s[own.kLanes], h[own.kLanes], g_x[own.kLanes];
    own.load_state(membrane_gradient, g_v);
    const size_t last = (size_t)(steps - 1) * stride;
#pragma gpuprof step(steps - 1)
    own.load(gradient_row, spike_gradient + last);
    own.load(potential_row, potential + last);
    for (int t = steps - 1; t >= 0; --t) {
      const size_t at = (size_t)t * stride;
      if (t > 0) {
#pragma gpuprof step(t - 1)
        own.load(next_gradient, spike_gradient + at - stride);
        own.load(next_potential, potential + at - stride);
      }
#pragma gpuprof step(t)
      own.read(gradient_row, g_s);
      own.read(potential_row, h);
#pragma unroll
      for (int k = 0; k < own.kLanes; ++k) {
        const float slope = surrogate(h[k] - p.threshold);
        const bool fired = h[k] >= p.threshold;
        const float through = Reset == SnnHardReset && fired ? 0.0f : 1.0f; // ∂v/∂h, detached
        float passed;                                                       // gV·∂v/∂h
        if (Detach)
          passed = Reset == SnnHardReset && fired ? 0.0f : g_v[k];
        else if (Reset == SnnHardReset)
          passed = g_v[k] * fmaf(p.reset - h[k], slope, through);
        else
          passed = g_v[k] * fmaf(-p.threshold, slope, through);
        const float g_h = fmaf(g_s[k], slope, passed);
        g_x[k] = Charge == SnnDecayInput ? g_h * p.leak : g_h;
        g_v[k] = Charge == SnnIf ? g_h : g_h * p.keep;
      }
      own.store(input_gradient + at, g_x);
      gradient_row = next_gradient;
      potential_row = next_potential;
    }
    own.store_state(membrane_gradient, g_v);
  });
}

/* ---- Cost: of arrays from cudaMalloc, with rows of `stride` ---- */

/* Unique bytes of `arrays` arrays over time and one of state. */
inline uint64_t integrate_fire_unique(uint64_t arrays, uint64_t neurons, uint64_t stride, uint64_t steps,
                                      uint64_t element_bytes) {
  return arrays * row_sector_bytes(neurons, stride, steps, element_bytes) + sector_bytes(neurons);
}

inline ClosedForm integrate_fire_forward_cost(SnnCharge charge, SnnReset reset, bool save, SnnLayout layout,
                                              uint64_t neurons, uint64_t stride, uint64_t steps,
                                              uint64_t element_bytes, uint64_t spike_bytes, uint64_t block) {
  ClosedForm cost = {};
  const uint64_t neuron_steps = neurons * steps;
  cost.launches = 1;
  cost.threads = snn_blocks(neurons, layout, element_bytes, block) * block;
  cost.add = neuron_steps * (charge == SnnIf ? 1 : reset == SnnHardReset ? 2 : 1);
  cost.add += reset == SnnSoftReset ? neuron_steps : 0;
  cost.fma = charge == SnnIf ? 0 : neuron_steps;
  cost.global_load = element_bytes * neuron_steps + 4 * neurons;
  cost.global_store = (spike_bytes + (save ? element_bytes : 0)) * neuron_steps + 4 * neurons;
  cost.unique = integrate_fire_unique(save ? 2 : 1, neurons, stride, steps, element_bytes) +
                row_sector_bytes(neurons, stride, steps, spike_bytes);
  return cost;
}

template <typename Surrogate>
inline ClosedForm integrate_fire_backward_cost(SnnCharge charge, SnnReset reset, bool detach,
                                               SnnLayout layout, uint64_t neurons, uint64_t stride,
                                               uint64_t steps, uint64_t element_bytes, uint64_t block) {
  ClosedForm cost = {};
  const uint64_t neuron_steps = neurons * steps;
  cost.launches = 1;
  cost.threads = snn_blocks(neurons, layout, element_bytes, block) * block;
  cost.add = neuron_steps * (!detach && reset == SnnHardReset ? 2 : 1);
  cost.mul = neuron_steps * ((detach ? 0 : 1) + (charge == SnnIf ? 0 : charge == SnnDecayInput ? 2 : 1));
  cost.fma = neuron_steps * (detach ? 1 : 2);
  Surrogate::add_cost(cost, neuron_steps);
  cost.global_load = 2 * element_bytes * neuron_steps + 4 * neurons;
  cost.global_store = element_bytes * neuron_steps + 4 * neurons;
  cost.unique = integrate_fire_unique(3, neurons, stride, steps, element_bytes);
  return cost;
}

#endif
