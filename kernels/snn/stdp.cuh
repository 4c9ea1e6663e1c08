/* Plasticity by the times of spikes, for all pairs, by traces. With traces x of sources and y of targets that hold the
 * spikes of the steps before:
 *   source i fires    w_ij ← clip(w_ij − depress·y_j)
 *   target j fires    w_ij ← clip(w_ij + potentiate·x_i)        after the sources of this step
 *   then              x ← decay·(x + s), y likewise
 * clip(w) = min(max(w, least), largest). Weights are fp32: dense [inputs][outputs], or those of connectivity.h.
 *
 *   stdp_traces       a thread a neuron
 *   stdp_dense        a thread a synapse, which touches its weight where one of the two fired
 *   stdp_depress      each event of a source walks its synapses
 *   stdp_potentiate   each event of a target walks its incoming synapses
 *
 * Counts for N neurons; a dense layer of I inputs and O outputs of which i and o fired; events E with A synapses:
 *   stdp_traces       fma N;  global load 5·N, store 4·N
 *   stdp_dense        fma i·O + o·I;  global load 2·I·O + 4·U + 4·(i·O + o·I), store 4·U, U = i·O + o·I − i·o
 *   stdp_depress      fma A;  global load 12·A + 384·E + 4 a thread, store 4·A
 *   stdp_potentiate   fma A;  global load 16·A + 384·E + 4 a thread, store 4·A
 */
#ifndef GPUPROF_KERNELS_STDP_CUH
#define GPUPROF_KERNELS_STDP_CUH

#include "connectivity.h"
#include "events.cuh"

struct StdpParameters {
  float depress, potentiate, least, largest;
};

__device__ __forceinline__ float stdp_clip(float weight, const StdpParameters &p) {
  return fminf(fmaxf(weight, p.least), p.largest);
}

/* A thread a neuron. */
#pragma gpuprof region("stdp.traces") category(snn)
__global__ void stdp_traces(const signed char *__restrict__ spikes, float *__restrict__ trace, int neurons,
                            float decay) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= neurons)
    return;
  trace[n] = fmaf(decay, trace[n], spikes[n] ? decay : 0.0f);
}

/* Grid: (ceil(outputs / kEventBlock), inputs), kEventBlock threads. */
#pragma gpuprof region("stdp.dense") category(snn)
__global__ void __launch_bounds__(kEventBlock)
    stdp_dense(const signed char *__restrict__ source_spikes, const signed char *__restrict__ target_spikes,
               const float *__restrict__ source_trace, const float *__restrict__ target_trace,
               float *__restrict__ weight, int outputs, StdpParameters p) {
  const int i = blockIdx.y, j = blockIdx.x * kEventBlock + threadIdx.x;
  if (j >= outputs)
    return;
  const bool before = source_spikes[i] != 0, after = target_spikes[j] != 0;
  if (!before & !after)
    return;
  const size_t at = (size_t)i * outputs + j;
  float w = weight[at];
  if (before)
    w = stdp_clip(fmaf(-p.depress, target_trace[j], w), p);
  if (after)
    w = stdp_clip(fmaf(p.potentiate, source_trace[i], w), p);
  weight[at] = w;
}

/* Any grid of kEventBlock threads; a warp takes an event at a time. */
#pragma gpuprof region("stdp.depress") category(snn)
__global__ void __launch_bounds__(kEventBlock)
    stdp_depress(const int *__restrict__ events, const int *__restrict__ count,
                 const int *__restrict__ offset, const int *__restrict__ target,
                 const float *__restrict__ target_trace, float *__restrict__ weight, StdpParameters p) {
  const int fired = *count;
  for (int e = blockIdx.x * kEventWarps + threadIdx.x / kWarp; e < fired; e += gridDim.x * kEventWarps) {
    const int source = events[e], end = offset[source + 1];
    for (int s = offset[source] + threadIdx.x % kWarp; s < end; s += kWarp)
      weight[s] = stdp_clip(fmaf(-p.depress, target_trace[target[s]], weight[s]), p);
  }
}

/* Any grid of kEventBlock threads; a warp takes an event at a time. */
#pragma gpuprof region("stdp.potentiate") category(snn)
__global__ void __launch_bounds__(kEventBlock)
    stdp_potentiate(const int *__restrict__ events, const int *__restrict__ count,
                    const int *__restrict__ offset, const int *__restrict__ source,
                    const int *__restrict__ synapse, const float *__restrict__ source_trace,
                    float *__restrict__ weight, StdpParameters p) {
  const int fired = *count;
  for (int e = blockIdx.x * kEventWarps + threadIdx.x / kWarp; e < fired; e += gridDim.x * kEventWarps) {
    const int target = events[e], end = offset[target + 1];
    for (int in = offset[target] + threadIdx.x % kWarp; in < end; in += kWarp) {
      const int s = synapse[in];
      weight[s] = stdp_clip(fmaf(p.potentiate, source_trace[source[in]], weight[s]), p);
    }
  }
}

/* ---- Counts ---- */

inline ClosedForm stdp_traces_cost(uint64_t neurons, uint64_t block) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = ceil_div(neurons, block) * block;
  cost.fma = neurons;
  cost.global_load = 5 * neurons;
  cost.global_store = 4 * neurons;
  cost.unique = sectors_of(neurons) + sectors_of(4 * neurons);
  return cost;
}

inline ClosedForm stdp_dense_cost(const signed char *source_spikes, const signed char *target_spikes,
                                  uint64_t inputs, uint64_t outputs) {
  ClosedForm cost = {};
  const uint64_t before = spikes_in(source_spikes, inputs), after = spikes_in(target_spikes, outputs);
  const uint64_t updates = before * outputs + after * inputs, touched = updates - before * after;
  Sectors weights, source_traces, target_traces;
  for (uint64_t i = 0; i < inputs; ++i) {
    if (source_spikes[i])
      weights.add(4 * i * outputs, 4 * outputs);
    for (uint64_t j = 0; j < outputs; ++j)
      if (target_spikes[j])
        weights.add(4 * (i * outputs + j), 4);
  }
  for (uint64_t j = 0; j < outputs; ++j)
    target_traces.add(4 * j, before ? 4 : 0);
  for (uint64_t i = 0; i < inputs; ++i)
    source_traces.add(4 * i, after ? 4 : 0);
  cost.launches = 1;
  cost.threads = inputs * ceil_div(outputs, kEventBlock) * kEventBlock;
  cost.fma = updates;
  cost.global_load = 2 * inputs * outputs + 4 * touched + 4 * updates;
  cost.global_store = 4 * touched;
  cost.unique = sectors_of(inputs) + sectors_of(outputs) + weights.bytes() + source_traces.bytes() +
                target_traces.bytes();
  return cost;
}

/* The cost of walking the rows of events, and the sectors of these rows' entries of 4 bytes. */
struct StdpRows {
  ClosedForm cost;
  Sectors entries;
};

inline StdpRows stdp_rows(const std::vector<int> &offset, const std::vector<int> &events, uint64_t blocks) {
  StdpRows rows = {};
  Sectors offsets;
  for (int event : events) {
    const uint64_t first = offset[event], degree = offset[event + 1] - offset[event];
    rows.cost.fma += degree;
    offsets.add(4 * (uint64_t)event, 8);
    rows.entries.add(4 * first, 4 * degree);
  }
  rows.cost.launches = 1;
  rows.cost.threads = blocks * kEventBlock;
  rows.cost.global_load = 4 * rows.cost.threads + 12 * kWarp * events.size();
  rows.cost.global_store = 4 * rows.cost.fma;
  rows.cost.unique = 32 + sectors_of(4 * events.size()) + offsets.bytes() + rows.entries.bytes();
  return rows;
}

inline ClosedForm stdp_depress_cost(const Connectivity &c, const std::vector<int> &events, uint64_t blocks) {
  StdpRows rows = stdp_rows(c.offset, events, blocks);
  Sectors traces;
  for (int event : events)
    for (int s = c.offset[event]; s < c.offset[event + 1]; ++s)
      traces.add(4 * (uint64_t)c.target[s], 4);
  rows.cost.global_load += 12 * rows.cost.fma;
  rows.cost.unique += traces.bytes() + rows.entries.bytes(); // targets and weights lie alike
  return rows.cost;
}

inline ClosedForm stdp_potentiate_cost(const Incoming &in, const std::vector<int> &events, uint64_t blocks) {
  StdpRows rows = stdp_rows(in.offset, events, blocks);
  Sectors traces, weights;
  for (int event : events)
    for (int at = in.offset[event]; at < in.offset[event + 1]; ++at) {
      traces.add(4 * (uint64_t)in.source[at], 4);
      weights.add(4 * (uint64_t)in.synapse[at], 4);
    }
  rows.cost.global_load += 16 * rows.cost.fma;
  rows.cost.unique +=
      traces.bytes() + weights.bytes() + rows.entries.bytes(); // sources and synapses lie alike
  return rows.cost;
}

#endif
