/* Encoders: how values become spikes, over all time steps in one launch. Values x lie in [0, 1] (what lies
 * outside is taken as the nearest), time counts steps 0 … T−1. Each makes a code c of a value, and a spike of
 * code and step:
 *
 *   rate     c = ⌈x·2²⁴⌉;   s_t = [r_t < c] with 24 random bits r_t: a Bernoulli spike of probability x (rounded up to a
 *            multiple of 2⁻²⁴) in each step. The bits are the highest of word n mod 4 of Philox4x32-10 with the counter
 *            (⌊n/4⌋, t) and the key `seed`: they depend on nothing else, and are the same on each device.
 *   latency  c = ⌊(T−1)·(1 − x) + ½⌋;   s_t = [t = c]: one spike a neuron, the earlier the larger x
 *   level    c = ⌊x·(2ᵀ − 1) + ½⌋;   s_t = bit T−1−t of c: the digits of a level, highest first, which weigh
 *            2^(T−1−t). T ≤ 16.
 *
 * Shapes: value [neurons] floats, spike [steps][stride] elements, 0 or 1. seed: any 64 bits; steps ≥ 1.
 *
 * Closed form for N neurons, T steps, M = N·T, elements of E bytes. Clamping, rounding and comparing are no FLOPs, and
 * random bits are integer work.
 *   rate  mul N;   latency  add N, fma N;   level  fma N
 *   global load 4·N, store E·M;   unique: N floats, M elements
 */
#ifndef GPUPROF_KERNELS_SNN_ENCODERS_CUH
#define GPUPROF_KERNELS_SNN_ENCODERS_CUH

#include "neurons.cuh"
#include "philox.h"

/* Each encoder: code() once a neuron; draw() once a step for the four neurons n, n + 1, … of a multiple n of
 * 4, or for n alone; fires() once a neuron and step. */

struct RateEncoder {
  uint64_t seed;
  typedef PhiloxBlock Draw;

  __device__ __forceinline__ unsigned code(float x, int) const { return (unsigned)ceilf(x * 0x1p24f); }
  __device__ __forceinline__ Draw draw(size_t n, int t) const { return philox(n / 4, (uint64_t)t, seed); }
  __device__ __forceinline__ bool fires(unsigned code, const Draw &draw, size_t n, int, int) const {
    return philox_word(draw, (uint32_t)n) >> 8 < code;
  }
  static void add_cost(ClosedForm &cost, uint64_t neurons) { cost.mul += neurons; }
};

struct NoDraw {};

struct LatencyEncoder {
  typedef NoDraw Draw;

  __device__ __forceinline__ unsigned code(float x, int steps) const {
    return (unsigned)fmaf((float)(steps - 1), 1.0f - x, 0.5f);
  }
  __device__ __forceinline__ Draw draw(size_t, int) const { return Draw(); }
  __device__ __forceinline__ bool fires(unsigned code, Draw, size_t, int t, int) const {
    return (unsigned)t == code;
  }
  static void add_cost(ClosedForm &cost, uint64_t neurons) { cost.add += neurons, cost.fma += neurons; }
};

struct LevelEncoder {
  typedef NoDraw Draw;

  __device__ __forceinline__ unsigned code(float x, int steps) const {
    return (unsigned)fmaf(x, (float)((1u << steps) - 1), 0.5f);
  }
  __device__ __forceinline__ Draw draw(size_t, int) const { return Draw(); }
  __device__ __forceinline__ bool fires(unsigned code, Draw, size_t, int t, int steps) const {
    return code >> (steps - 1 - t) & 1;
  }
  static void add_cost(ClosedForm &cost, uint64_t neurons) { cost.fma += neurons; }
};

/* A thread takes 16 bytes of Elements. Spikes are Elements, or signed bytes. */
#pragma gpuprof region("encode") phase(forward) category(snn)
template <SnnLayout Layout, typename Element, typename Encoder, typename Spike>
__global__ void encode(const float *__restrict__ value, Spike *__restrict__ spike, size_t neurons,
                       size_t stride, int steps, Encoder encoder) {
  snn_for_neurons<Element, Layout>(neurons, [=](auto own) {
    float x[own.kLanes], s[own.kLanes];
    unsigned code[own.kLanes];
    typename Encoder::Draw draw;
    own.load_state(value, x);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k)
      code[k] = encoder.code(fminf(fmaxf(x[k], 0.0f), 1.0f), steps);
    for (int t = 0; t < steps; ++t) {
#pragma gpuprof step(t)
#pragma unroll
      for (int k = 0; k < own.kLanes; ++k) {
        if (k % own.kTogether == 0)
          draw = encoder.draw(own.at(k), t);
        const bool fired = encoder.fires(code[k], draw, own.at(k), t, steps);
        s[k] = fired ? 1.0f : 0.0f;
#pragma gpuprof spike(fired)
      }
      own.store(spike + (size_t)t * stride, s);
    }
  });
}

template <typename Encoder>
inline ClosedForm encode_cost(SnnLayout layout, uint64_t neurons, uint64_t stride, uint64_t steps,
                              uint64_t element_bytes, uint64_t spike_bytes, uint64_t block) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = snn_blocks(neurons, layout, element_bytes, block) * block;
  Encoder::add_cost(cost, neurons);
  cost.global_load = 4 * neurons;
  cost.global_store = spike_bytes * neurons * steps;
  cost.unique = sector_bytes(neurons) + row_sector_bytes(neurons, stride, steps, spike_bytes);
  return cost;
}

#endif
