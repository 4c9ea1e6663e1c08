/* Attention in one kernel, the score matrix never in global memory: keys and values come through shared memory in
 * tiles, and the softmax is kept up to date tile by tile (online softmax, as in FlashAttention), in fp32.
 * A block takes kTiledRows rows of one head, a thread one row; a row's query and output stay in registers, its
 * scores of the tile in shared memory. query, key, value, output: [heads][length][Size] floats.
 *
 * Closed form for H heads, length N, size D; a row that sees n keys sees ceil(n/32) tiles.
 *   P = Σ keys seen, C = Σ tiles seen, over all rows:
 *     all keys      P = H·N²            C = H·N·ceil(N/32)
 *     causal        P = H·N·(N+1)/2     C = H·Σ_{r<N} (floor(r/32) + 1)       (row r sees keys 0…r)
 *   L = Σ over blocks of the keys that the block loads: all N; causal: whole tiles up to its last row, at most N
 *   attention.scores    fma P·D, mul P;          shared load 4·P·D, store 4·P
 *   attention.softmax   an exponential is mul 1 (the ·log2(e) of __expf) and special 1
 *                       add 2·P + C (score − maximum and the sum; old − new maximum), mul P + C, special P + C,
 *                       fma C (the old sum's correction);  shared load 4·P, store 4·P
 *   attention.values    mul C·D (the old output's correction), fma P·D;  shared load 4·P·D + 4·P
 *   outside the three   div H·N, mul H·N·D;  global load 4·H·N·D (query) + 8·L·D, store 4·H·N·D;
 *                       shared store 8·L·D
 *   unique: query, key, value, output, H·N·D floats each
 * Threads of rows beyond N take part in barriers and in loading tiles, and do nothing else.
 */
#ifndef GPUPROF_KERNELS_ATTENTION_TILED_CUH
#define GPUPROF_KERNELS_ATTENTION_TILED_CUH

#include "../closed_form.h"

#include <math.h>

enum { kTiledRows = 64, kTiledKeys = 32 }; /* kTiledRows is also the number of threads a block */

#pragma gpuprof region("attention.tiled") phase(forward) category(attention)
template <int Size>
__global__ void __launch_bounds__(kTiledRows)
    attention_tiled(const float *__restrict__ query, const float *__restrict__ key,
                    const float *__restrict__ value, float *__restrict__ output, int length, float scale,
                    int causal) {
  __shared__ float keys[kTiledKeys * Size];
  __shared__ float values[kTiledKeys * Size];
  // [key][row]: the threads of a warp take neighbouring banks.
  __shared__ float scores[kTiledKeys * kTiledRows];
  int row = blockIdx.x * kTiledRows + threadIdx.x;
  bool active = row < length;
  size_t head = (size_t)blockIdx.y * length;
  float *own = scores + threadIdx.x;

  float q[Size], sum[Size];
  float maximum = -INFINITY, total = 0.0f;
#pragma unroll
  for (int i = 0; i < Size; ++i)
    sum[i] = 0.0f;
  if (active) {
#pragma unroll
    for (int i = 0; i < Size; ++i)
      q[i] = query[(head + row) * Size + i];
  }

  int block_end = (blockIdx.x + 1) * kTiledRows;
  int end = causal && block_end < length ? block_end : length; // no row of the block sees a key from here on
  for (int first = 0; first < end; first += kTiledKeys) {
    int tile = length - first < kTiledKeys ? length - first : kTiledKeys;
    const float *from_key = key + (head + first) * Size, *from_value = value + (head + first) * Size;
    __syncthreads();
    for (int i = threadIdx.x; i < tile * Size; i += kTiledRows) {
      keys[i] = from_key[i];
      values[i] = from_value[i];
    }
    __syncthreads();
    int seen = causal && row - first + 1 < tile ? row - first + 1 : tile;
    if (!active || seen <= 0)
      continue;

    float tile_maximum = -INFINITY;
#pragma gpuprof region("attention.scores") phase(forward) category(attention)
    for (int j = 0; j < seen; ++j) {
      float score = 0.0f;
#pragma unroll
      for (int i = 0; i < Size; ++i)
        score = fmaf(q[i], keys[j * Size + i], score);
      score = score * scale;
      own[j * kTiledRows] = score;
      tile_maximum = fmaxf(tile_maximum, score);
    }

    float correction;
#pragma gpuprof region("attention.softmax") phase(forward) category(attention)
    {
      float new_maximum = fmaxf(maximum, tile_maximum), tile_total = 0.0f;
      correction = __expf(maximum - new_maximum);
      for (int j = 0; j < seen; ++j) {
        float exponential = __expf(own[j * kTiledRows] - new_maximum);
        own[j * kTiledRows] = exponential;
        tile_total += exponential;
      }
      total = fmaf(total, correction, tile_total);
      maximum = new_maximum;
    }

#pragma gpuprof region("attention.values") phase(forward) category(attention)
    {
#pragma unroll
      for (int i = 0; i < Size; ++i)
        sum[i] = sum[i] * correction;
      for (int j = 0; j < seen; ++j) {
        float weight = own[j * kTiledRows];
#pragma unroll
        for (int i = 0; i < Size; ++i)
          sum[i] = fmaf(weight, values[j * Size + i], sum[i]);
      }
    }
  }

  if (!active)
    return;
  float inverse = 1.0f / total;
#pragma unroll
  for (int i = 0; i < Size; ++i)
    output[(head + row) * Size + i] = sum[i] * inverse;
}

/* The parts of a launch: the three regions, and the rest. */
struct AttentionTiledCost {
  ClosedForm scores, softmax, values, whole;
};

inline AttentionTiledCost attention_tiled_cost(uint64_t heads, uint64_t length, uint64_t size, bool causal) {
  uint64_t rows = heads * length, blocks = ceil_div(length, kTiledRows);
  uint64_t pairs = 0, tiles = 0, loaded = 0;
  for (uint64_t row = 0; row < length; ++row) {
    uint64_t seen = causal ? row + 1 : length;
    pairs += heads * seen;
    tiles += heads * ceil_div(seen, kTiledKeys);
  }
  for (uint64_t block = 1; block <= blocks; ++block) {
    // A block's rows are whole tiles: the causal end falls on a tile's end.
    uint64_t end = causal && block * kTiledRows < length ? block * kTiledRows : length;
    loaded += heads * end;
  }

  AttentionTiledCost cost = {};
  cost.scores.fma = pairs * size;
  cost.scores.mul = pairs;
  cost.scores.shared_load = 4 * pairs * size;
  cost.scores.shared_store = 4 * pairs;
  cost.softmax.add = 2 * pairs + tiles;
  cost.softmax.mul = cost.softmax.special = pairs + tiles;
  cost.softmax.fma = tiles;
  cost.softmax.shared_load = cost.softmax.shared_store = 4 * pairs;
  cost.values.mul = tiles * size;
  cost.values.fma = pairs * size;
  cost.values.shared_load = 4 * pairs * (size + 1);

  ClosedForm outside = {};
  outside.launches = 1;
  outside.threads = heads * blocks * kTiledRows;
  outside.div = rows;
  outside.mul = rows * size;
  outside.global_load = 4 * rows * size + 8 * loaded * size;
  outside.global_store = 4 * rows * size;
  outside.shared_store = 8 * loaded * size;
  outside.unique = 4 * sector_bytes(rows * size);
  cost.whole = outside + cost.scores + cost.softmax + cost.values;
  return cost;
}

#endif
