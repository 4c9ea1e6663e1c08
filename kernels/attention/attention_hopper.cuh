/* Attention for Hopper (sm_90a): the equations and shapes of attention_flash.cuh, by products of warp groups (wgmma) and copies
 * by tensor maps. One thread of the first warp group loads; each other group computes 64 rows. While the scores of a tile are
 * multiplied, the values of the tile before are too, and the softmax of one group runs beside the products of another
 * (FlashAttention-3: Shah et al. 2024). Blocks take their work in turns: rows of a head, the longest first where rows see
 * different numbers of keys.
 *
 * Counts, in the terms of attention_flash.cuh; G blocks in the grid, N blocks of rows that see a key, W of all rows:
 *   attention.scores    tensor 2·E·Size
 *   attention.softmax   fma E + 2·C, special E + C, add E − C, mul C + (T − N)·Rows·Size
 *   attention.values    tensor 2·E·Size
 *   outside the three   mul 128·Groups·G + R·(1 + Size), add 8·W·Rows, div 4·R, fma R, special R
 *                       global load and shared store 2·Size·(W·Rows + 2·T·Keys), store R·(2·Size + 4)
 *   unique              query, output, logsumexp, and the keys and values loaded
 * Boxes of tensor maps count whole, also where they end outside. Products read shared memory by themselves, which is no load.
 */
#ifndef GPUPROF_KERNELS_ATTENTION_HOPPER_CUH
#define GPUPROF_KERNELS_ATTENTION_HOPPER_CUH

#include "../hopper.cuh"
#include "attention_flash.cuh"

/* A block: one warp group that loads, Groups_ that compute 64 rows each. */
template <int Size_, int Keys_, int Groups_, int Stages_, bool InTurns_> struct HopperTile {
  enum { Size = Size_, Keys = Keys_, Groups = Groups_, Stages = Stages_, InTurns = InTurns_ };
  enum {
    Threads = 128 * (1 + Groups),
    Rows = 64 * Groups,
    RowBytes = 2 * Size,
    KeyBytes = Keys * RowBytes,
    QueryBytes = Rows * RowBytes,
    KeyAt = QueryBytes,
    ValueAt = KeyAt + Stages * KeyBytes,
    BarriersAt = ValueAt + Stages * KeyBytes,
    SharedBytes = BarriersAt + 8 * (2 + 4 * Stages) + 1024, /* the memory is aligned to 1024 */
    LoadRegisters = Groups == 2 ? 24 : 32,
    ComputeRegisters = Groups == 2 ? 240 : 160,
  };
};

struct HopperMaps {
  TensorMap query, key, value;
};
/* A parameter apart from the maps, whose addresses are taken: so it is plain that no instruction changes it. */
struct HopperArguments {
  void *output;
  float *logsumexp;
  AttentionShape shape;
  float scale;
  int blocks; /* of rows, in a head */
};

/* The work of a block: rows of a head, and the tiles of keys that they see. */
struct HopperWork {
  int head, key_head, first_row, begin, end, all_begin, all_end;
};

template <class Tile> __device__ __forceinline__ HopperWork hopper_work(const HopperArguments &a, int index) {
  const AttentionShape &s = a.shape;
  const int heads = s.batch * s.heads, offset = s.keys - s.queries;
  HopperWork work;
  int block;
  if (s.right < kAttentionAll) { // the longest first
    block = a.blocks - 1 - index / heads;
    work.head = index % heads;
  } else {
    block = index % a.blocks;
    work.head = index / a.blocks;
  }
  work.key_head = work.head / s.heads * s.key_heads + work.head % s.heads / (s.heads / s.key_heads);
  work.first_row = block * Tile::Rows;
  const int last_row = min(work.first_row + Tile::Rows, s.queries) - 1;
  const int seen_begin = max(work.first_row + offset - s.left, 0),
            seen_end = min(last_row + offset + s.right + 1, s.keys);
  work.begin = seen_begin / Tile::Keys;
  work.end = seen_end > seen_begin ? (seen_end + Tile::Keys - 1) / Tile::Keys : work.begin;
  return work;
}

/* A matrix of 64 columns at a time, as the products take it. */
template <class Tile>
__device__ __forceinline__ void hopper_load(unsigned to, const TensorMap &map, unsigned barrier, int bytes,
                                            int rows, int row, int head) {
  barrier_expect(barrier, bytes);
#pragma unroll
  for (int half = 0; half < Tile::Size / 64; ++half)
    tensor_load(to + half * rows * 128, map, barrier, 64 * half, row, head);
}

/* Which stage, and which turn of it, the tile number `count` takes. */
template <int Stages> struct HopperPlace {
  unsigned stage, parity;
  __device__ __forceinline__ HopperPlace(unsigned count)
      : stage(count % Stages), parity(count / Stages % 2) {}
};

template <class Tile> struct HopperBarriers {
  unsigned first;
  __device__ __forceinline__ unsigned query_full() const { return first; }
  __device__ __forceinline__ unsigned query_empty() const { return first + 8; }
  __device__ __forceinline__ unsigned key_full(unsigned stage) const { return first + 16 + 8 * stage; }
  __device__ __forceinline__ unsigned key_empty(unsigned stage) const {
    return first + 16 + 8 * (Tile::Stages + stage);
  }
  __device__ __forceinline__ unsigned value_full(unsigned stage) const {
    return first + 16 + 8 * (2 * Tile::Stages + stage);
  }
  __device__ __forceinline__ unsigned value_empty(unsigned stage) const {
    return first + 16 + 8 * (3 * Tile::Stages + stage);
  }
};

/* The loading thread. */
template <class Tile>
__device__ __forceinline__ void hopper_load_all(const HopperMaps &maps, const HopperArguments &a,
                                                unsigned memory, HopperBarriers<Tile> barriers) {
  const int works = a.blocks * a.shape.batch * a.shape.heads;
  unsigned count = 0, turn = 0;
  for (int index = blockIdx.x; index < works; index += gridDim.x, ++turn) {
    const HopperWork work = hopper_work<Tile>(a, index);
    barrier_wait(barriers.query_empty(), turn % 2 ^ 1);
    hopper_load<Tile>(memory, maps.query, barriers.query_full(), Tile::QueryBytes, Tile::Rows, work.first_row,
                      work.head);
    for (int tile = work.begin; tile < work.end; ++tile, ++count) {
      const HopperPlace<Tile::Stages> place(count);
      barrier_wait(barriers.key_empty(place.stage), place.parity ^ 1);
      hopper_load<Tile>(memory + Tile::KeyAt + place.stage * Tile::KeyBytes, maps.key,
                        barriers.key_full(place.stage), Tile::KeyBytes, Tile::Keys, tile * Tile::Keys,
                        work.key_head);
      barrier_wait(barriers.value_empty(place.stage), place.parity ^ 1);
      hopper_load<Tile>(memory + Tile::ValueAt + place.stage * Tile::KeyBytes, maps.value,
                        barriers.value_full(place.stage), Tile::KeyBytes, Tile::Keys, tile * Tile::Keys,
                        work.key_head);
    }
  }
}

/* Begins S = Q·Kᵀ. */
template <typename Element, class Tile, int Scores>
__device__ __forceinline__ void hopper_scores(float (&score)[Scores], unsigned query, unsigned key) {
  group_fence(score);
  group_begin();
#pragma unroll
  for (int k = 0; k < Tile::Size / 16; ++k)
    group_product<Element>(score, group_matrix(query + k / 4 * Tile::Rows * 128 + k % 4 * 32, 16),
                           group_matrix(key + k / 4 * Tile::Keys * 128 + k % 4 * 32, 16), k != 0);
  group_commit();
}

/* Begins O += P·V. */
template <typename Element, class Tile, int Outputs, int Words>
__device__ __forceinline__ void hopper_values(float (&output)[Outputs], const unsigned (&weight)[Words],
                                              unsigned value) {
  group_fence(output);
  group_begin();
#pragma unroll
  for (int k = 0; k < Tile::Keys / 16; ++k)
    group_product<Element>(output, &weight[4 * k], group_matrix(value + k * 2048, Tile::Keys * 128));
  group_commit();
}

template <class Tile, int Scores>
__device__ __forceinline__ void hopper_mask(float (&score)[Scores], const AttentionShape &s, int first_row,
                                            int first_key) {
  const int thread = flash_thread() % 128, column = first_key + thread % 4 * 2;
  const int own = first_row + thread / 32 * 16 + thread % 32 / 4 + s.keys - s.queries;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = own + 8 * half;
    const int from = row - s.left - column, to = min(row + s.right + 1, s.keys) - column;
#pragma unroll
    for (int i = 0; i < Scores / 4; ++i)
#pragma unroll
      for (int c = 0; c < 2; ++c)
        if (8 * i + c < from || 8 * i + c >= to)
          score[4 * i + 2 * half + c] = -INFINITY;
  }
}

/* Exponentials in place of scores; `correction` is for what was summed before. */
template <int Scores>
__device__ __forceinline__ void hopper_softmax(float (&score)[Scores], float (&maximum)[2], float (&total)[2],
                                               float (&correction)[2], float scale) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float largest = maximum[half];
#pragma unroll
    for (int i = 2 * half; i < Scores; i += 4)
      largest = fmaxf(largest, fmaxf(score[i], score[i + 1]));
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 1));
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 2));
    const float minuend = largest * scale;
    correction[half] = power_of_two(fmaf(maximum[half], scale, -minuend));
    maximum[half] = largest;
    float sum[2];
#pragma unroll
    for (int i = 2 * half; i < Scores; i += 4)
#pragma unroll
      for (int c = 0; c < 2; ++c) {
        score[i + c] = power_of_two(fmaf(score[i + c], scale, -minuend));
        sum[c] = i >= 4 ? sum[c] + score[i + c] : score[i + c];
      }
    total[half] = fmaf(total[half], correction[half], sum[0] + sum[1]);
  }
}

template <typename Element, int Scores>
__device__ __forceinline__ void hopper_round(unsigned (&weight)[Scores / 2], const float (&score)[Scores]) {
#pragma unroll
  for (int i = 0; i < Scores / 2; ++i)
    weight[i] = tensor_pair<Element>(score[2 * i], score[2 * i + 1]);
}

/* Groups begin their products in turns, so that the softmax of one runs beside the products of another. */
template <class Tile> __device__ __forceinline__ void hopper_take_turn(int group) {
  if (Tile::InTurns)
    asm volatile("bar.sync %0, 256;" ::"r"(1 + group) : "memory");
}
template <class Tile> __device__ __forceinline__ void hopper_pass_turn(int group) {
  if (Tile::InTurns)
    asm volatile("bar.arrive %0, 256;" ::"r"(1 + (group + 1) % Tile::Groups) : "memory");
}

/* A warp group that computes. */
template <typename Element, class Tile>
__device__ __forceinline__ void hopper_compute_all(const HopperArguments &a, unsigned memory,
                                                   HopperBarriers<Tile> barriers) {
  enum { Keys = Tile::Keys, Scores = Keys / 2, Outputs = Tile::Size / 2 };
  const AttentionShape &shape = a.shape;
  const int group = threadIdx.x / 128 - 1, works = a.blocks * shape.batch * shape.heads;
  const bool speaks = threadIdx.x % 32 == 0; // for its warp
  const unsigned query = memory + group * 64 * 128;
  const float scale = a.scale * kLog2E;
  unsigned count = 0, turn = 0;
  if (group == Tile::Groups - 1)
    hopper_pass_turn<Tile>(group);
  for (int index = blockIdx.x; index < works; index += gridDim.x, ++turn) {
    const HopperWork work = hopper_work<Tile>(a, index);
    const int first_row = work.first_row + group * 64, offset = shape.keys - shape.queries;
    const int all_begin = first_row + 63 + offset - shape.left,
              all_end = min(first_row + offset + shape.right + 1, shape.keys);
    float output[Outputs], maximum[2] = {kFlashNone, kFlashNone}, total[2] = {0, 0}, correction[2];
#pragma unroll
    for (int i = 0; i < Outputs; ++i)
      output[i] = 0;
    barrier_wait(barriers.query_full(), turn % 2);
    if (work.begin < work.end) {
      float score[Scores];
      unsigned weight[Scores / 2];
      HopperPlace<Tile::Stages> place(count);
#pragma gpuprof region("attention.scores") phase(forward) category(attention)
      {
        barrier_wait(barriers.key_full(place.stage), place.parity);
        hopper_take_turn<Tile>(group);
        hopper_scores<Element, Tile>(score, query, memory + Tile::KeyAt + place.stage * Tile::KeyBytes);
        hopper_pass_turn<Tile>(group);
        group_wait<0>();
        group_fence(score);
      }
      if (speaks)
        barrier_arrive(barriers.key_empty(place.stage));
      const int first_key = work.begin * Keys;
      if (first_key < all_begin || first_key + Keys > all_end)
        hopper_mask<Tile>(score, shape, first_row, first_key);
#pragma gpuprof region("attention.softmax") phase(forward) category(attention)
      {
        hopper_softmax(score, maximum, total, correction, scale);
        hopper_round<Element>(weight, score);
      }
      for (int tile = work.begin + 1; tile < work.end; ++tile) {
        const HopperPlace<Tile::Stages> before(count), next(++count);
#pragma gpuprof region("attention.scores") phase(forward) category(attention)
        {
          barrier_wait(barriers.key_full(next.stage), next.parity);
          hopper_take_turn<Tile>(group);
          hopper_scores<Element, Tile>(score, query, memory + Tile::KeyAt + next.stage * Tile::KeyBytes);
        }
#pragma gpuprof region("attention.values") phase(forward) category(attention)
        {
          barrier_wait(barriers.value_full(before.stage), before.parity);
          hopper_values<Element, Tile>(output, weight,
                                       memory + Tile::ValueAt + before.stage * Tile::KeyBytes);
          hopper_pass_turn<Tile>(group);
        }
        group_wait<1>();
        group_fence(score);
        if (speaks)
          barrier_arrive(barriers.key_empty(next.stage));
        if (tile * Keys < all_begin || tile * Keys + Keys > all_end)
          hopper_mask<Tile>(score, shape, first_row, tile * Keys);
#pragma gpuprof region("attention.softmax") phase(forward) category(attention)
        hopper_softmax(score, maximum, total, correction, scale);
        group_wait<0>();
        group_fence(output);
        if (speaks)
          barrier_arrive(barriers.value_empty(before.stage));
#pragma gpuprof region("attention.softmax") phase(forward) category(attention)
        {
#pragma unroll
          for (int i = 0; i < Outputs; ++i)
            output[i] *= correction[i / 2 % 2];
          hopper_round<Element>(weight, score);
        }
      }
      const HopperPlace<Tile::Stages> last(count++);
#pragma gpuprof region("attention.values") phase(forward) category(attention)
      {
        barrier_wait(barriers.value_full(last.stage), last.parity);
        hopper_values<Element, Tile>(output, weight, memory + Tile::ValueAt + last.stage * Tile::KeyBytes);
        group_wait<0>();
        group_fence(output);
      }
      if (speaks)
        barrier_arrive(barriers.value_empty(last.stage));
    }
    if (speaks)
      barrier_arrive(barriers.query_empty());

    const int thread = threadIdx.x % 128;
    Element *to = (Element *)a.output + (size_t)work.head * shape.queries * Tile::Size;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float sum = total[half];
      sum += __shfl_xor_sync(~0u, sum, 1);
      sum += __shfl_xor_sync(~0u, sum, 2);
      const int row = first_row + thread / 32 * 16 + thread % 32 / 4 + 8 * half;
      if (row >= shape.queries)
        continue;
      if (thread % 4 == 0)
        a.logsumexp[(size_t)work.head * shape.queries + row] =
            fmaf(maximum[half], scale, logarithm_of_two(sum)) * (1.0f / kLog2E);
      const float inverse = 1.0f / fmaxf(sum, 1e-30f); // 0 of a row that sees nothing: its output is 0
#pragma unroll
      for (int i = 0; i < Outputs / 4; ++i)
        *(unsigned *)(to + (size_t)row * Tile::Size + 8 * i + thread % 4 * 2) =
            tensor_pair<Element>(output[4 * i + 2 * half] * inverse, output[4 * i + 2 * half + 1] * inverse);
    }
  }
  if (group == 0)
    hopper_take_turn<Tile>(group);
}

/* Any grid of Tile::Threads threads, Tile::SharedBytes of dynamic shared memory: blocks take their work in turns. */
#pragma gpuprof region("attention.hopper") phase(forward) category(attention)
template <typename Element, class Tile>
__global__ void __launch_bounds__(Tile::Threads, 1)
    attention_hopper(const __grid_constant__ HopperMaps maps, const HopperArguments arguments) {
  extern __shared__ __align__(1024) char hopper_memory[];
  const unsigned memory = (shared_address(hopper_memory) + 1023) / 1024 * 1024;
  const HopperBarriers<Tile> barriers = {memory + Tile::BarriersAt};
  if (threadIdx.x == 0) {
    barrier_make(barriers.query_full(), 1);
    barrier_make(barriers.query_empty(), 4 * Tile::Groups);
    for (int stage = 0; stage < Tile::Stages; ++stage) {
      barrier_make(barriers.key_full(stage), 1);
      barrier_make(barriers.value_full(stage), 1);
      barrier_make(barriers.key_empty(stage), 4 * Tile::Groups);
      barrier_make(barriers.value_empty(stage), 4 * Tile::Groups);
    }
    barriers_publish();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    registers_release<Tile::LoadRegisters>();
    if (threadIdx.x == 0)
      hopper_load_all<Tile>(maps, arguments, memory, barriers);
  } else {
    registers_take<Tile::ComputeRegisters>();
    hopper_compute_all<Element, Tile>(arguments, memory, barriers);
  }
}

/* ---- The host's side ---- */

/* Makes the tensor maps and the arguments. 0, or CUDA's error. */
template <typename Element, class Tile>
inline int hopper_prepare(TensorEncode encode, const FlashArguments &a, HopperMaps *maps,
                          HopperArguments *arguments) {
  const AttentionShape &s = a.shape;
  const int key_matrices = s.batch * s.key_heads;
  *arguments = {a.output, a.logsumexp, s, a.scale, (s.queries + Tile::Rows - 1) / Tile::Rows};
  int error = tensor_map(encode, &maps->query, (const Element *)a.query, Tile::Size, s.queries,
                         s.batch * s.heads, Tile::Rows);
  if (!error)
    error =
        tensor_map(encode, &maps->key, (const Element *)a.key, Tile::Size, s.keys, key_matrices, Tile::Keys);
  if (!error)
    error = tensor_map(encode, &maps->value, (const Element *)a.value, Tile::Size, s.keys, key_matrices,
                       Tile::Keys);
  return error;
}

/* The tile that is fast: fewer rows a block where causal rows are few, so that blocks end together. */
template <int Size> struct HopperTiles { typedef HopperTile<128, 128, 2, 2, true> Many, Few; };
template <> struct HopperTiles<64> {
  typedef HopperTile<64, 128, 3, 2, true> Many;
  typedef HopperTile<64, 128, 2, 2, true> Few;
};

template <typename Element, class Tile>
inline int attention_hopper_launch(TensorEncode encode, const FlashArguments &a, int multiprocessors,
                                   cudaStream_t stream) {
  HopperMaps maps;
  HopperArguments arguments;
  int error = hopper_prepare<Element, Tile>(encode, a, &maps, &arguments);
  if (!error)
    error = (int)cudaFuncSetAttribute((const void *)attention_hopper<Element, Tile>,
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::SharedBytes);
  if (error)
    return error;
  const int works = arguments.blocks * a.shape.batch * a.shape.heads;
  const int grid = works < multiprocessors ? works : multiprocessors;
  attention_hopper<Element, Tile><<<grid, Tile::Threads, Tile::SharedBytes, stream>>>(maps, arguments);
  return (int)cudaGetLastError();
}

/* Forward for sm_90a; CUDA's error, 0 for none. */
template <typename Element, int Size>
inline int attention_hopper_forward(TensorEncode encode, const FlashArguments &a, int multiprocessors,
                                    cudaStream_t stream) {
  typedef HopperTiles<Size> Tiles;
  if (a.shape.right < kAttentionAll && a.shape.queries < 2048)
    return attention_hopper_launch<Element, typename Tiles::Few>(encode, a, multiprocessors, stream);
  return attention_hopper_launch<Element, typename Tiles::Many>(encode, a, multiprocessors, stream);
}

/* A launch of `grid` blocks. */
template <typename Element, class Tile>
inline FlashCost attention_hopper_cost(const AttentionShape &s, uint64_t grid) {
  const uint64_t heads = (uint64_t)s.batch * s.heads, blocks = ceil_div(s.queries, Tile::Rows),
                 rows = heads * s.queries;
  const FlashTiles visited = flash_tiles(s, Tile::Rows, Tile::Keys);
  const uint64_t pairs = visited.tiles * Tile::Rows * Tile::Keys, row_tiles = visited.tiles * Tile::Rows * 4;

  FlashCost cost = {};
  cost.nominal = 4 * Tile::Size * attention_pairs(s);
  add_tensor(cost.scores, Element(), 2 * pairs * Tile::Size);
  cost.softmax.fma = pairs + 2 * row_tiles;
  cost.softmax.special = pairs + row_tiles;
  cost.softmax.add = pairs - row_tiles;
  cost.softmax.mul = row_tiles + (visited.tiles - visited.blocks) * Tile::Rows * Tile::Size;
  add_tensor(cost.values, Element(), 2 * pairs * Tile::Size);

  ClosedForm outside = {};
  outside.launches = 1;
  outside.threads = grid * Tile::Threads;
  outside.add = 2 * 4 * heads * blocks * Tile::Rows;
  outside.mul = grid * 128 * Tile::Groups + rows * (1 + Tile::Size);
  outside.fma = outside.special = rows;
  outside.div = 4 * rows;
  outside.global_store = rows * (Tile::RowBytes + 4);
  outside.global_load = outside.shared_store = (heads * blocks * Tile::Rows + 2 * visited.tiles * Tile::Keys) * Tile::RowBytes;
  outside.unique = 2 * rows * Tile::RowBytes + sector_bytes(rows) +
                   2 * (uint64_t)s.batch * s.key_heads * visited.keys.count() * Tile::RowBytes;
  cost.whole = outside + cost.scores + cost.softmax + cost.values;
  return cost;
}

#endif
