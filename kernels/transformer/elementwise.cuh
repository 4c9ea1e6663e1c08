/* What a transformer block does to single elements: residual addition, GELU, SwiGLU, forward and backward.
 *
 *   residual   y = a + b
 *   GELU       the tanh form: u = √(2/π)·(x + 0.044715·x³),  y = x·(1 + tanh u)/2 = x·σ(2u),  σ(z) = 1/(1 + exp(−z))
 *              dx = dy·(s + x·s·(1 − s)·2u′),  s = σ(2u),  2u′ = √(8/π)·(1 + 3·0.044715·x²)
 *   SwiGLU     y = g·σ(g)·v;   with s = σ(g):  dv = dy·g·s,  dg = dy·v·(s + g·s·(1 − s))
 *
 * Flat arrays of n elements that begin at multiples of 16 bytes; any grid, threads of a block any number.
 *
 * Closed form for n elements of E bytes (exponentials are ex2, and a division is div.approx):
 *   residual            add n;   load 2En, store En
 *   GELU forward        mul 2n, fma n, add n, special n, div n;   load En, store En
 *   GELU backward       mul 5n, fma 3n, add 2n, special n, div n;   load 2En, store En
 *   SwiGLU forward      mul 2n, add n, special n, div n;   load 2En, store En
 *   SwiGLU backward     mul 5n, fma n, add 2n, special n, div n;   load 3En, store 2En
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_ELEMENTWISE_CUH
#define GPUPROF_KERNELS_TRANSFORMER_ELEMENTWISE_CUH

#include "rows.cuh"

#pragma gpuprof region("residual.add") phase(forward) category(elementwise)
template <typename Element>
__global__ void residual_add(const Element *__restrict__ a, const Element *__restrict__ b,
                             Element *__restrict__ y, size_t count) {
  for_elements<Element>(count, [=](auto own) {
    typename decltype(own)::Row first, second;
    own.load(first, a);
    own.load(second, b);
    float x[own.kLanes], other[own.kLanes];
    own.read(first, x);
    own.read(second, other);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k)
      x[k] = x[k] + other[k];
    own.store(y, x);
  });
}

/* numerator/(1 + 2^exponent). Overflow gives 0 for finite numerators. */
__device__ __forceinline__ float over_one_plus_exp2(float numerator, float exponent) {
  return __fdividef(numerator, 1.0f + row_exp2(exponent));
}

/* Factors of −2u·log₂(e) = x·(first + third·x²). */
#define GELU_FIRST (-2.302208198144325f)
#define GELU_THIRD (-0.10294323981821822f)

#pragma gpuprof region("gelu.forward") phase(forward) category(elementwise)
template <typename Element>
__global__ void gelu_forward(const Element *__restrict__ x, Element *__restrict__ y, size_t count) {
  for_elements<Element>(count, [=](auto own) {
    typename decltype(own)::Row row;
    own.load(row, x);
    float v[own.kLanes];
    own.read(row, v);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k)
      v[k] = over_one_plus_exp2(v[k], v[k] * fmaf(GELU_THIRD, v[k] * v[k], GELU_FIRST));
    own.store(y, v);
  });
}

#pragma gpuprof region("gelu.backward") phase(backward) category(elementwise)
template <typename Element>
__global__ void gelu_backward(const Element *__restrict__ dy, const Element *__restrict__ x,
                              Element *__restrict__ dx, size_t count) {
  for_elements<Element>(count, [=](auto own) {
    typename decltype(own)::Row gradients, row;
    own.load(gradients, dy);
    own.load(row, x);
    float g[own.kLanes], v[own.kLanes];
    own.read(gradients, g);
    own.read(row, v);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k) {
      const float square = v[k] * v[k];
      const float s = over_one_plus_exp2(1.0f, v[k] * fmaf(GELU_THIRD, square, GELU_FIRST));
      const float slope = v[k] * fmaf(0.21406880629f, square, 1.5957691216f); // x·2u′
      g[k] = g[k] * fmaf(slope * s, 1.0f - s, s);
    }
    own.store(dx, g);
  });
}

#pragma gpuprof region("swiglu.forward") phase(forward) category(elementwise)
template <typename Element>
__global__ void swiglu_forward(const Element *__restrict__ gate, const Element *__restrict__ value,
                               Element *__restrict__ y, size_t count) {
  for_elements<Element>(count, [=](auto own) {
    typename decltype(own)::Row gates, values;
    own.load(gates, gate);
    own.load(values, value);
    float g[own.kLanes], v[own.kLanes];
    own.read(gates, g);
    own.read(values, v);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k)
      v[k] = over_one_plus_exp2(g[k], g[k] * -1.4426950409f) * v[k];
    own.store(y, v);
  });
}

#pragma gpuprof region("swiglu.backward") phase(backward) category(elementwise)
template <typename Element>
__global__ void swiglu_backward(const Element *__restrict__ dy, const Element *__restrict__ gate,
                                const Element *__restrict__ value, Element *__restrict__ dgate,
                                Element *__restrict__ dvalue, size_t count) {
  for_elements<Element>(count, [=](auto own) {
    typename decltype(own)::Row gradients, gates, values;
    own.load(gradients, dy);
    own.load(gates, gate);
    own.load(values, value);
    float d[own.kLanes], g[own.kLanes], v[own.kLanes];
    own.read(gradients, d);
    own.read(gates, g);
    own.read(values, v);
#pragma unroll
    for (int k = 0; k < own.kLanes; ++k) {
      const float s = over_one_plus_exp2(1.0f, g[k] * -1.4426950409f), gs = g[k] * s;
      const float slope = fmaf(gs, 1.0f - s, s);
      v[k] = d[k] * v[k] * slope;
      g[k] = d[k] * gs;
    }
    own.store(dgate, v);
    own.store(dvalue, g);
  });
}

/* ---- Cost ---- */

/* `loads` and `stores` arrays of `count` elements. */
inline ClosedForm elementwise_cost(uint64_t count, uint64_t element_bytes, unsigned loads, unsigned stores,
                                   uint64_t threads) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = threads;
  cost.global_load = loads * count * element_bytes;
  cost.global_store = stores * count * element_bytes;
  cost.unique = (loads + stores) * sector_bytes_of(count, element_bytes);
  return cost;
}
inline ClosedForm residual_add_cost(uint64_t count, uint64_t element_bytes, uint64_t threads) {
  ClosedForm cost = elementwise_cost(count, element_bytes, 2, 1, threads);
  cost.add = count;
  return cost;
}
inline ClosedForm gelu_forward_cost(uint64_t count, uint64_t element_bytes, uint64_t threads) {
  ClosedForm cost = elementwise_cost(count, element_bytes, 1, 1, threads);
  cost.mul = 2 * count;
  cost.fma = cost.add = cost.special = cost.div = count;
  return cost;
}
inline ClosedForm gelu_backward_cost(uint64_t count, uint64_t element_bytes, uint64_t threads) {
  ClosedForm cost = elementwise_cost(count, element_bytes, 2, 1, threads);
  cost.mul = 5 * count;
  cost.fma = 3 * count;
  cost.add = 2 * count;
  cost.special = cost.div = count;
  return cost;
}
inline ClosedForm swiglu_forward_cost(uint64_t count, uint64_t element_bytes, uint64_t threads) {
  ClosedForm cost = elementwise_cost(count, element_bytes, 2, 1, threads);
  cost.mul = 2 * count;
  cost.add = cost.special = cost.div = count;
  return cost;
}
inline ClosedForm swiglu_backward_cost(uint64_t count, uint64_t element_bytes, uint64_t threads) {
  ClosedForm cost = elementwise_cost(count, element_bytes, 3, 2, threads);
  cost.mul = 5 * count;
  cost.add = 2 * count;
  cost.fma = cost.special = cost.div = count;
  return cost;
}

#endif
