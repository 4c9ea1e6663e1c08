/* AdamW (Loshchilov and Hutter, ICLR 2019): a step over a flat array of n parameters.
 *
 *   g = gradient·gradient_scale
 *   m ← β₁·m + (1 − β₁)·g,   v ← β₂·v + (1 − β₂)·g²
 *   w ← w·(1 − rate·decay) − rate/(1 − β₁ᵗ) · m/(√(v/(1 − β₂ᵗ)) + ε)
 *
 * Moments are floats. Weights are elements, gradients too or floats; with Master a float copy of the weights is the one that is
 * stepped, and `weight` takes its rounded value. Without, the weights themselves are stepped in fp32 and rounded.
 * Arrays begin at multiples of 16 bytes; any grid.
 *
 * Closed form for n parameters of E bytes: mul 5n, fma 4n, sqrt n, div n;
 *   gradients of F bytes: global load (F + 8)·n + (Master ? 4 : E)·n,  store (E + 8)·n + (Master ? 4·n : 0)
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_ADAMW_CUH
#define GPUPROF_KERNELS_TRANSFORMER_ADAMW_CUH

#include "rows.cuh"

#include <math.h>

struct AdamW {
  float beta1, beta2, one_minus_beta1, one_minus_beta2;
  float gradient_scale, keep; /* keep = 1 − rate·decay */
  float minus_step;           /* −rate/(1 − β₁ᵗ) */
  float correction, epsilon;  /* correction = 1/√(1 − β₂ᵗ) */
};

/* `step` is counted from 1. */
inline AdamW adamw(double rate, double beta1, double beta2, double epsilon, double decay, int step,
                   double gradient_scale) {
  AdamW p;
  p.beta1 = (float)beta1, p.beta2 = (float)beta2;
  p.one_minus_beta1 = (float)(1 - beta1), p.one_minus_beta2 = (float)(1 - beta2);
  p.gradient_scale = (float)gradient_scale, p.keep = (float)(1 - rate * decay);
  p.minus_step = (float)(-rate / (1 - pow(beta1, step)));
  p.correction = (float)(1 / sqrt(1 - pow(beta2, step))), p.epsilon = (float)epsilon;
  return p;
}

#pragma gpuprof region("adamw") phase(optimizer) category(optimizer)
template <bool Master, typename Element, typename Gradient = Element>
__global__ void adamw_step(Element *__restrict__ weight, float *__restrict__ master,
                           const Gradient *__restrict__ gradient, float *__restrict__ first,
                           float *__restrict__ second, size_t count, AdamW p) {
  for_elements<Element>(count, [=](auto own) {
    typename decltype(own)::Row gradients, weights;
    float g[own.kLanes], w[own.kLanes], m[own.kLanes], v[own.kLanes];
    if constexpr (sizeof(Gradient) == sizeof(Element))
      own.load(gradients, gradient);
    else
      own.load_state(gradient, g);
    if (Master)
      own.load_state(master, w);
    else
      own.load(weights, weight);
    own.load_state(first, m);
    own.load_state(second, v);
    if constexpr (sizeof(Gradient) == sizeof(Element))
      own.read(gradients, g);
    if (!Master)
      own.read(weights, w);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k) {
      const float scaled = g[k] * p.gradient_scale;
      m[k] = fmaf(p.beta1, m[k], p.one_minus_beta1 * scaled);
      v[k] = fmaf(p.beta2, v[k], p.one_minus_beta2 * scaled * scaled);
      const float size = fmaf(sqrtf(v[k]), p.correction, p.epsilon);
      w[k] = fmaf(p.minus_step, m[k] / size, w[k] * p.keep);
    }
    own.store_state(first, m);
    own.store_state(second, v);
    if (Master)
      own.store_state(master, w);
    own.store(weight, w);
  });
}

inline ClosedForm adamw_cost(bool master, uint64_t count, uint64_t element_bytes, uint64_t threads, uint64_t gradient_bytes) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = threads;
  cost.mul = 5 * count;
  cost.fma = 4 * count;
  cost.sqrt = cost.div = count;
  cost.global_load = count * (8 + gradient_bytes + (master ? 4 : element_bytes));
  cost.global_store = count * (8 + element_bytes + (master ? 4 : 0));
  cost.unique = (master ? 3 : 2) * sector_bytes(count) + sector_bytes_of(count, element_bytes) +
                sector_bytes_of(count, gradient_bytes);
  return cost;
}

#endif
