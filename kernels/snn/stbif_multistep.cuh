/* ST-BIF neurons over all time steps for fp32, fp16 and bf16, 16 bytes of neurons a thread: the equations,
 * parameters and surrogates of stbif.cuh, which has the plain kernels. Here rows may be padded and the next
 * step's rows are in flight.
 *
 * Shapes: input, output, potential, trace and the gradients [steps][stride] elements; membrane and
 * start_gradient [neurons] floats; steps ≥ 1. Membrane and trace are fp32 in registers whatever the elements
 * are. The potential is rounded to the element type before it is compared, so that the backward pass decides
 * alike. Traces are exact up to 2048 in fp16, 256 in bf16. Units: potentials in those of θ, traces in spikes.
 *
 * Closed form for N neurons, S steps, M = N·S, elements of E bytes:
 *   forward    add 4·M;   global load E·M, store 3·E·M + 4·N;   unique: four arrays of M, one of N
 *   backward   add 6·M, mul 16·M, fma 3·M, special 4·M
 *              global load 2·E·M + E·(M−N), store E·M + 4·N;   unique: three arrays of M, one of M−N, one of N
 */
#ifndef GPUPROF_KERNELS_SNN_STBIF_MULTISTEP_CUH
#define GPUPROF_KERNELS_SNN_STBIF_MULTISTEP_CUH

#include "neurons.cuh"
#include "stbif.cuh"

/* membrane_start is stbif_membrane_start(); `membrane` takes v after the last step. */
#pragma gpuprof region("stbif.multistep.forward") phase(forward) category(snn)
template <SnnLayout Layout, typename Element>
__global__ void stbif_multistep_forward(const Element *__restrict__ input, Element *__restrict__ output,
                                        Element *__restrict__ potential, Element *__restrict__ trace,
                                        float *__restrict__ membrane, size_t neurons, size_t stride,
                                        int steps, float membrane_start, float trace_start,
                                        StbifParameters p) {
  snn_for_neurons<Element, Layout>(neurons, [=](auto own) {
    typename decltype(own)::Row row, next;
    float v[own.kLanes], traced[own.kLanes], x[own.kLanes], h[own.kLanes], charge[own.kLanes];
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k)
      v[k] = membrane_start, traced[k] = trace_start;
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
        const float charged = v[k] + x[k];
        float spike;
        h[k] = snn_rounded<Element>(charged);
        stbif_fire(h[k], traced[k], p, spike, charge[k]);
        v[k] = stbif_leave(charged, charge[k], t, p);
        traced[k] = traced[k] + spike;
#pragma gpuprof spike(spike)
      }
      own.store(output + at, charge);
      own.store(potential + at, h);
      own.store(trace + at, traced);
      row = next;
    }
    own.store_state(membrane, v);
  });
}

/* As stbif_backward of stbif.cuh. */
#pragma gpuprof region("stbif.multistep.backward") phase(backward) category(snn)
template <SnnLayout Layout, typename Element>
__global__ void
stbif_multistep_backward(const Element *__restrict__ output_gradient, const Element *__restrict__ potential,
                         const Element *__restrict__ trace, Element *__restrict__ input_gradient,
                         float *__restrict__ start_gradient, size_t neurons, size_t stride, int steps,
                         float trace_start, StbifParameters p, StbifSurrogate potential_surrogate,
                         StbifSurrogate trace_surrogate) {
  snn_for_neurons<Element, Layout>(neurons, [=](auto own) {
    typename decltype(own)::Row gradient_row, potential_row, trace_row, next_gradient, next_potential,
        next_trace;
    float g_y[own.kLanes], h[own.kLanes], before[own.kLanes], g_v[own.kLanes], g_t[own.kLanes];
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k)
      g_v[k] = 0.0f, g_t[k] = 0.0f;
    const size_t last = (size_t)(steps - 1) * stride;
#pragma gpuprof step(steps - 1)
    own.load(gradient_row, output_gradient + last);
    own.load(potential_row, potential + last);
    if (steps > 1)
      own.load(trace_row, trace + last - stride);
    for (int t = steps - 1; t >= 0; --t) {
      const size_t at = (size_t)t * stride;
      if (t > 0) {
#pragma gpuprof step(t - 1)
        own.load(next_gradient, output_gradient + at - stride);
        own.load(next_potential, potential + at - stride);
        if (t > 1)
          own.load(next_trace, trace + at - 2 * stride);
      }
#pragma gpuprof step(t)
      own.read(gradient_row, g_y);
      own.read(potential_row, h);
      own.read(trace_row, before);
#pragma unroll
      for (int k = 0; k < own.kLanes; ++k)
        stbif_gradients(g_y[k], h[k], t > 0 ? before[k] : trace_start, p, potential_surrogate,
                        trace_surrogate, g_v[k], g_t[k]);
      own.store(input_gradient + at, g_v);
      gradient_row = next_gradient, potential_row = next_potential, trace_row = next_trace;
    }
    own.store_state(start_gradient, g_t);
  });
}

inline ClosedForm stbif_multistep_forward_cost(SnnLayout layout, uint64_t neurons, uint64_t stride,
                                               uint64_t steps, uint64_t element_bytes, uint64_t block) {
  ClosedForm cost = {};
  const uint64_t neuron_steps = neurons * steps;
  cost.launches = 1;
  cost.threads = snn_blocks(neurons, layout, element_bytes, block) * block;
  cost.add = 4 * neuron_steps;
  cost.global_load = element_bytes * neuron_steps;
  cost.global_store = 3 * element_bytes * neuron_steps + 4 * neurons;
  cost.unique = 4 * row_sector_bytes(neurons, stride, steps, element_bytes) + sector_bytes(neurons);
  return cost;
}

inline ClosedForm stbif_multistep_backward_cost(SnnLayout layout, uint64_t neurons, uint64_t stride,
                                                uint64_t steps, uint64_t element_bytes, uint64_t block) {
  ClosedForm cost = {};
  const uint64_t neuron_steps = neurons * steps;
  cost.launches = 1;
  cost.threads = snn_blocks(neurons, layout, element_bytes, block) * block;
  cost.add = 6 * neuron_steps;
  cost.mul = 16 * neuron_steps;
  cost.fma = 3 * neuron_steps;
  cost.special = 4 * neuron_steps;
  cost.global_load = element_bytes * (3 * neuron_steps - neurons);
  cost.global_store = element_bytes * neuron_steps + 4 * neurons;
  cost.unique = 3 * row_sector_bytes(neurons, stride, steps, element_bytes) +
                row_sector_bytes(neurons, stride, steps - 1, element_bytes) + sector_bytes(neurons);
  return cost;
}

#endif
