/* Rotary position embedding (Su et al. 2021), forward and backward: pairs of a head's elements are rotated by an angle
 * that grows with the position.
 *
 *   forward    (a, b) → (a·cos − b·sin, b·cos + a·sin)         backward   the same with −sin
 *   pairs      RotaryHalves: (i, i + size/2), as LLaMA;  RotaryNeighbours: (2i, 2i + 1), as GPT-J
 *
 * x, y [tokens][heads][size] elements, y may be x; cosine, sine [positions][size/2] floats; token t is at position
 * first + t mod length. Where queries, keys and values are joined, and attention wants a head's rows together, take heads.cuh: it
 * rotates while it moves them.
 *
 * size/2 is a multiple of 16/E elements (RotaryNeighbours: size is). Any grid: its x takes tokens,
 * its y divides the heads, and a thread reads cosines and sines once for its heads.
 *
 * Closed form: P = tokens·heads·size/2 pairs, Y blocks in y (at most heads): mul 2P, fma 2P;
 *   global load 2·E·P + 8·tokens·Y·size/2, store 2·E·P
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_ROTARY_CUH
#define GPUPROF_KERNELS_TRANSFORMER_ROTARY_CUH

#include "rows.cuh"

enum RotaryPairs { RotaryHalves, RotaryNeighbours };

struct RotaryShape {
  size_t tokens;
  unsigned heads, size, length, first;
};

#pragma gpuprof region("rotary") category(attention)
template <bool Backward, RotaryPairs Pairs, typename Element>
__global__ void rotary(const Element *x, const float *__restrict__ cosine, const float *__restrict__ sine,
                       Element *y, RotaryShape shape) {
  typedef SnnPack<Element> Pack;
  enum { kLanes = Pack::kLanes, kPairs = Pairs == RotaryHalves ? kLanes : kLanes / 2 };
  const unsigned units = shape.size / 2 / kPairs;
  const size_t all = shape.tokens * units, step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += step) {
    const size_t token = i / units;
    const unsigned pair = (unsigned)(i % units) * kPairs;
    const size_t angle = (shape.first + token % shape.length) * (size_t)(shape.size / 2) + pair;
    float c[kPairs], s[kPairs];
#pragma unroll
    for (int k = 0; k < kPairs; k += 2) {
      const float2 cosines = *(const float2 *)(cosine + angle + k),
                   sines = *(const float2 *)(sine + angle + k);
      c[k] = cosines.x, c[k + 1] = cosines.y;
      s[k] = Backward ? -sines.x : sines.x, s[k + 1] = Backward ? -sines.y : sines.y;
    }
    for (unsigned head = blockIdx.y; head < shape.heads; head += gridDim.y) {
      const size_t at = (token * shape.heads + head) * shape.size;
      Pack pack;
      if (Pairs == RotaryHalves) {
        Pack second;
        float a[kLanes], b[kLanes];
        pack.load(x + at + pair);
        second.load(x + at + pair + shape.size / 2);
        pack.read(a);
        second.read(b);
#pragma unroll
        for (int k = 0; k < kLanes; ++k) {
          const float turned = fmaf(-b[k], s[k % kPairs], __fmul_rn(a[k], c[k % kPairs]));
          b[k] = fmaf(a[k], s[k % kPairs], __fmul_rn(b[k], c[k % kPairs]));
          a[k] = turned;
        }
        Pack::store(y + at + pair, a);
        Pack::store(y + at + pair + shape.size / 2, b);
      } else {
        float v[kLanes];
        pack.load(x + at + 2 * pair);
        pack.read(v);
#pragma unroll
        for (int k = 0; k < kLanes; k += 2) {
          const float a = v[k], b = v[k + 1];
          v[k] = fmaf(-b, s[k / 2], __fmul_rn(a, c[k / 2]));
          v[k + 1] = fmaf(a, s[k / 2], __fmul_rn(b, c[k / 2]));
        }
        Pack::store(y + at + 2 * pair, v);
      }
    }
  }
}

/* In place, or not: `in_place`. */
inline ClosedForm rotary_cost(const RotaryShape &shape, bool in_place, unsigned blocks_y,
                              uint64_t element_bytes, uint64_t threads) {
  ClosedForm cost = {};
  const uint64_t half = shape.size / 2, pairs = shape.tokens * shape.heads * half;
  const uint64_t positions = shape.tokens < shape.length ? shape.tokens : shape.length;
  const uint64_t before = shape.first * half * 4 / 32 * 32;
  cost.launches = 1;
  cost.threads = threads;
  cost.mul = cost.fma = 2 * pairs;
  cost.global_load = 2 * element_bytes * pairs + 8 * shape.tokens * blocks_y * half;
  cost.global_store = 2 * element_bytes * pairs;
  cost.unique = (in_place ? 1 : 2) * sector_bytes_of(2 * pairs, element_bytes) +
                2 * (sector_bytes((shape.first + positions) * half) - before);
  return cost;
}

#endif
