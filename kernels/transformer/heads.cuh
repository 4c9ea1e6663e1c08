/* Between the rows of a layer and the heads of attention, with rotary position embedding (RoPE: Su et al. 2021).
 *
 *   rows   [batch·length][parts·heads·size]: a token's queries, keys and values beside each other (parts 3), or outputs (1)
 *   heads  an array each part, [batch][heads][length][size]
 *
 *   rotary   of a head's elements i and i + size/2, at position t, with angle t·base^(−2i/size):
 *            x' = x·cos − y·sin,  y' = x·sin + y·cos;  the gradient takes the angle's negative
 *   `turns` [length][size/2] has (cos, sin) of each angle (rotary_turns).
 *
 * The first `rotated` parts are rotated, the others only moved. rotary.cuh moves nothing: take it for rotation in place, of floats,
 * or of neighbouring pairs (2i, 2i + 1).
 *
 * A thread takes 16 elements of a head, eight of each half. size is a multiple of 16; rows begin at multiples of 16 bytes.
 * Elements are 2 bytes; arithmetic is fp32.
 *
 * Closed form: N = batch·length·heads·size elements a part, P parts, R of them rotated:
 *   mul R·N, fma R·N;  global load 2·P·N + 4·R·N, store 2·P·N;  unique: both sides, and the turns if R > 0
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_HEADS_CUH
#define GPUPROF_KERNELS_TRANSFORMER_HEADS_CUH

#include "../snn/neurons.cuh"

#include <math.h>

enum HeadsDirection { kToHeads, kToRows };
enum { kHeadsBlock = 256 };

struct HeadsShape {
  int batch, length, heads, size, parts, rotated;
};

template <typename Element> struct HeadsArrays {
  Element *rows, *heads[3];
  const float2 *turns;
};

/* The cosines and sines of `length` positions. */
inline void rotary_turns(float2 *turns, int length, int size, double base) {
  for (int position = 0; position < length; ++position)
    for (int i = 0; i < size / 2; ++i) {
      const double angle = position * pow(base, -2.0 * i / size);
      turns[(size_t)position * (size / 2) + i] = make_float2((float)cos(angle), (float)sin(angle));
    }
}

/* Grid: (blocks for length·heads·size/16 threads, parts, batch), kHeadsBlock threads. To rows a rotation is taken back. */
#pragma gpuprof region("heads.move") category(attention)
template <HeadsDirection Direction, typename Element>
__global__ void __launch_bounds__(kHeadsBlock) move_heads(HeadsArrays<Element> arrays, HeadsShape shape) {
  enum { Lanes = SnnPack<Element>::kLanes };
  const int half = shape.size / 2, of_head = half / Lanes, part = blockIdx.y, batch = blockIdx.z;
  const unsigned unit = blockIdx.x * blockDim.x + threadIdx.x;
  if (unit >= (unsigned)shape.length * shape.heads * of_head)
    return;
  const int first = unit % of_head * Lanes, head = unit / of_head % shape.heads, position = unit / of_head / shape.heads;
  const size_t width = (size_t)shape.parts * shape.heads * shape.size;
  Element *row = arrays.rows + ((size_t)batch * shape.length + position) * width + ((size_t)part * shape.heads + head) * shape.size + first;
  Element *own = arrays.heads[part] + (((size_t)batch * shape.heads + head) * shape.length + position) * shape.size + first;
  Element *from = Direction == kToHeads ? row : own, *to = Direction == kToHeads ? own : row;
  SnnPack<Element> low, high;
  low.load(from);
  high.load(from + half);
  if (part >= shape.rotated) {
    *(uint4 *)to = low.words;
    *(uint4 *)(to + half) = high.words;
    return;
  }
  const float4 *turns = (const float4 *)(arrays.turns + (size_t)position * half + first);
  float x[Lanes], y[Lanes];
  low.read(x);
  high.read(y);
#pragma unroll
  for (int i = 0; i < Lanes; i += 2) {
    const float4 two = turns[i / 2];
    const float cosine[2] = {two.x, two.z}, sine[2] = {two.y, two.w};
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const float s = Direction == kToHeads ? sine[k] : -sine[k], old = x[i + k];
      x[i + k] = fmaf(old, cosine[k], -(y[i + k] * s));
      y[i + k] = fmaf(y[i + k], cosine[k], old * s);
    }
  }
  SnnPack<Element>::store(to, x);
  SnnPack<Element>::store(to + half, y);
}

inline dim3 heads_grid(const HeadsShape &shape) {
  return dim3((unsigned)ceil_div((uint64_t)shape.length * shape.heads * shape.size / 16, kHeadsBlock), shape.parts, shape.batch);
}

inline ClosedForm heads_cost(const HeadsShape &shape) {
  ClosedForm cost = {};
  const uint64_t elements = (uint64_t)shape.batch * shape.length * shape.heads * shape.size;
  const dim3 grid = heads_grid(shape);
  cost.launches = 1;
  cost.threads = (uint64_t)grid.x * grid.y * grid.z * kHeadsBlock;
  cost.mul = cost.fma = shape.rotated * elements;
  cost.global_load = 2 * shape.parts * elements + 4 * shape.rotated * elements;
  cost.global_store = 2 * shape.parts * elements;
  cost.unique = 4 * shape.parts * elements + (shape.rotated ? 4ull * shape.length * shape.size : 0);
  return cost;
}

#endif
