/* Currents of a recurrent network with real connectivity (connectivity.h) and exponential synapses:
 *   current_n(t) = decay·current_n(t − 1) + Σ {weight_s : synapse s arrives at n, its source fired at t − delay_s}
 * Two ways to find the sum; delays, in steps from 1 to slots − 1, are 1 where Delays is not set:
 *   synapse_deliver   each event walks its synapses and adds to arriving[(t + delay) mod slots][target] by float atomics;
 *   synapse_step      takes slot t mod slots of the arriving currents into the current, and leaves it 0
 *   synapse_gather    each target walks its incoming synapses and looks up the bits of their sources in
 *                     fired[(t − delay) mod slots][ceil(neurons/32)]: no atomics, one order of sums
 *
 * Counts for N neurons; A synaptic operations (the degrees of the E sources that fired); I synapses in all; d = 1 with
 * delays, else 0:
 *   synapse_deliver   accumulate A;  global load (8 + d)·A + 384·E + 4 a thread, atomic 4·A
 *   synapse_step      fma N;  global load 8·N, store 8·N
 *   synapse_gather    A: synapses whose source fired its delay ago: add A + 160·N (the sum of a warp), fma N
 *                     global load (8 + d)·I + 4·A + 260·N, store 4·N
 */
#ifndef GPUPROF_KERNELS_SYNAPSES_CUH
#define GPUPROF_KERNELS_SYNAPSES_CUH

#include "connectivity.h"
#include "events.cuh"

enum { kGatherTargets = 4 /* of a warp */ };

/* Any grid of kEventBlock threads; a warp takes an event at a time. Events are sources firing at `step`. */
#pragma gpuprof region("synapses.deliver") phase(forward) category(snn)
template <bool Delays>
__global__ void __launch_bounds__(kEventBlock)
    synapse_deliver(const int *__restrict__ events, const int *__restrict__ count,
                    const int *__restrict__ offset, const int *__restrict__ target,
                    const float *__restrict__ weight, const unsigned char *__restrict__ delay,
                    float *arriving, int neurons, int step, int slots) {
  const int fired = *count;
  for (int e = blockIdx.x * kEventWarps + threadIdx.x / kWarp; e < fired; e += gridDim.x * kEventWarps) {
    const int source = events[e], end = offset[source + 1];
    for (int s = offset[source] + threadIdx.x % kWarp; s < end; s += kWarp) {
      const int slot = (step + (Delays ? delay[s] : 1)) % slots;
      atomicAdd(&arriving[(size_t)slot * neurons + target[s]], weight[s]);
#pragma gpuprof synapse(1, 1)
    }
  }
}

/* `arriving` is the slot of this step. A thread a neuron. */
#pragma gpuprof region("synapses.step") phase(forward) category(snn)
__global__ void synapse_step(float *__restrict__ current, float *__restrict__ arriving, int neurons,
                             float decay) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= neurons)
    return;
  current[n] = fmaf(decay, current[n], arriving[n]);
  arriving[n] = 0.0f;
}

/* The sum of a warp, in all of its lanes. */
__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kWholeWarp, value, distance);
  return value;
}

/* Incoming synapses: offset, source; weight and delay in their order. Grid: ceil(neurons / (kGatherTargets·kEventWarps))
 * blocks of kEventBlock threads. */
#pragma gpuprof region("synapses.gather") phase(forward) category(snn)
template <bool Delays>
__global__ void __launch_bounds__(kEventBlock)
    synapse_gather(const unsigned *__restrict__ fired, const int *__restrict__ offset,
                   const int *__restrict__ source, const float *__restrict__ weight,
                   const unsigned char *__restrict__ delay, float *__restrict__ current, int neurons,
                   int step, int slots, float decay) {
  const int lane = threadIdx.x % kWarp, words = (neurons + kWarp - 1) / kWarp;
  const int first = (blockIdx.x * kEventWarps + threadIdx.x / kWarp) * kGatherTargets;
  float own = 0.0f; // the sum of target first + lane
  for (int k = 0; k < kGatherTargets && first + k < neurons; ++k) {
    float sum = 0.0f;
    const int end = offset[first + k + 1];
    for (int s = offset[first + k] + lane; s < end; s += kWarp) {
      const int from = source[s], slot = (step + slots - (Delays ? delay[s] : 1)) % slots;
      const bool arrives = fired[(size_t)slot * words + from / kWarp] >> from % kWarp & 1u;
#pragma gpuprof synapse(arrives, 1) inputs(1)
      if (arrives)
        sum += weight[s];
    }
    sum = warp_sum(sum);
    own = lane == k ? sum : own;
  }
  if (lane < kGatherTargets && first + lane < neurons)
    current[first + lane] = fmaf(decay, current[first + lane], own);
}

/* ---- Counts ---- */

/* A launch of `blocks` blocks; `neurons` are the targets. */
inline ClosedForm synapse_deliver_cost(const Connectivity &c, uint64_t neurons,
                                       const std::vector<int> &events, bool delays, int step, int slots,
                                       uint64_t blocks) {
  ClosedForm cost = {};
  Sectors offsets, targets, weights, times, arriving;
  for (int source : events) {
    const uint64_t first = c.offset[source], degree = c.degree(source);
    cost.accumulate += degree;
    offsets.add(4 * (uint64_t)source, 8);
    targets.add(4 * first, 4 * degree);
    weights.add(4 * first, 4 * degree);
    times.add(first, delays ? degree : 0);
    for (uint64_t s = first; s < first + degree; ++s)
      arriving.add(4 * ((uint64_t)((step + (delays ? c.delay[s] : 1)) % slots) * neurons + c.target[s]), 4);
  }
  cost.launches = 1;
  cost.threads = blocks * kEventBlock;
  cost.synaptic_accumulates = cost.accumulate;
  cost.global_load = 4 * cost.threads + 12 * kWarp * events.size() + (8 + delays) * cost.accumulate;
  cost.global_atomic = 4 * cost.accumulate;
  cost.unique = 32 + sectors_of(4 * events.size()) + offsets.bytes() + targets.bytes() + weights.bytes() +
                times.bytes() + arriving.bytes();
  return cost;
}

inline ClosedForm synapse_step_cost(uint64_t neurons, uint64_t block) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = ceil_div(neurons, block) * block;
  cost.fma = neurons;
  cost.global_load = cost.global_store = 8 * neurons;
  cost.unique = 2 * sectors_of(4 * neurons);
  return cost;
}

/* `delay` in the order of incoming synapses, or empty; `fired` as the kernel's. */
inline ClosedForm synapse_gather_cost(const Incoming &in, const std::vector<unsigned char> &delay,
                                      const std::vector<unsigned> &fired, int step, int slots) {
  ClosedForm cost = {};
  const uint64_t neurons = in.offset.size() - 1, words = ceil_div(neurons, kWarp),
                 synapses = in.source.size();
  uint64_t operations = 0;
  Sectors bits, weights;
  for (uint64_t s = 0; s < synapses; ++s) {
    const uint64_t word =
        (uint64_t)((step + slots - (delay.empty() ? 1 : delay[s])) % slots) * words + in.source[s] / kWarp;
    bits.add(4 * word, 4);
    if (fired[word] >> in.source[s] % kWarp & 1u) {
      ++operations;
      weights.add(4 * s, 4);
    }
  }
  cost.launches = 1;
  cost.threads = ceil_div(neurons, kGatherTargets * kEventWarps) * kEventBlock;
  cost.add = operations + 5 * kWarp * neurons;
  cost.fma = neurons;
  cost.synaptic_accumulates = operations;
  cost.synaptic_possible = synapses;
  cost.global_load = (8 + !delay.empty()) * synapses + 4 * operations + (8 * kWarp + 4) * neurons;
  cost.global_store = 4 * neurons;
  cost.unique = sectors_of(4 * (neurons + 1)) + sectors_of(4 * synapses) + sectors_of(delay.size()) +
                bits.bytes() + weights.bytes() + sectors_of(4 * neurons);
  return cost;
}

#endif
