/* Attention on tensor cores by mma.sync (sm_80 and later), fp16 or bf16, the score matrix never in memory.
 * Shapes, and which keys a row sees, are in attention_shape.h; output as query, logsumexp [batch][heads][queries] floats.
 *
 *   S = scale·Q·Kᵀ      P = exp(S − m), m the row's largest score      O = P·V / Σ P      logsumexp = m + ln Σ P
 *
 * A block takes Rows rows of a head, a warp 32 of them. Keys and values come tile by tile, the next while this one is used.
 * The softmax is kept up to date tile by tile (online softmax: Milakov and Gimelshein 2018; FlashAttention: Dao et al.
 * 2022), in base 2. P = 2^(c·QKᵀ − c·m) with c = scale·log2(e) is one multiply-add and one ex2. P is rounded to an element
 * before it is multiplied, its sum is not. The scale must be positive.
 *
 * Counts. T: tiles that the blocks of all heads visit, those with a key that a row of the block sees; a tile is computed
 * whole, masked or not. E = T·Rows·Keys pairs, C = 4·T·Rows (each row's state is held by 4 lanes), R rows, B blocks, L keys
 * loaded; M = 512·Warps·Size/16 bytes, a matrix of 16 columns for each warp:
 *   attention.scores    tensor 2·E·Size;  shared load T·M·(Keys/16 + 2, or + 0 with the query in registers)
 *   attention.softmax   fma E + 2·C, special E + C, add E − C, mul C·(1 + Size/4)
 *   attention.values    tensor 2·E·Size;  shared load T·M·Keys/16
 *   outside the three   mul 32·B·Warps + R·(1 + Size), add 8·B·Rows, div 4·R, fma R, special R
 *                       global load 2·Size·(R + 2·L), store R·(2·Size + 4)
 *                       shared store 2·Size·(B·Rows + 2·T·Keys), load 2·M·B with the query in registers
 *   unique              query, output, logsumexp, and the keys and values loaded
 * Nominal work is 4·Size for each pair of a row and a key that it sees.
 */
#ifndef GPUPROF_KERNELS_ATTENTION_FLASH_CUH
#define GPUPROF_KERNELS_ATTENTION_FLASH_CUH

#include "../closed_form.h"
#include "../tensor_core.cuh"
#include "attention_shape.h"

#include <math.h>

/* Below any score; a power of two, so that its product with the scale is exact. */
static constexpr float kFlashNone = -0x1p100f;
static constexpr float kLog2E = 1.44269504088896340736f;

/* A kernel's tile. Rows of a warp are kFlashRows. */
template <int Size_, int Keys_, int Warps_, int Blocks_, bool QueryInRegisters_> struct FlashTile {
  enum { Size = Size_, Keys = Keys_, Warps = Warps_, Blocks = Blocks_, QueryInRegisters = QueryInRegisters_ };
  enum {
    Threads = 32 * Warps,
    Rows = 32 * Warps,
    RowBytes = 2 * Size,
    KeyBytes = Keys * RowBytes,
    StageBytes = 2 * KeyBytes, /* keys and values */
    QueryBytes = Rows * RowBytes,
    QueryAt =
        QueryInRegisters ? StageBytes : 2 * StageBytes, /* registers: gone before the second stage comes */
    SharedBytes = QueryInRegisters ? StageBytes + (StageBytes > QueryBytes ? StageBytes : QueryBytes)
                                   : 2 * StageBytes + QueryBytes,
  };
};

/* threadIdx.x, read here: what follows from it is computed again in each turn of a loop, and takes no registers meanwhile. */
__device__ __forceinline__ int flash_thread() {
  int thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

/* Rows of 16-byte chunks, swizzled: eight rows of a column of chunks lie in eight different groups of banks. */
template <class Tile, int Rows>
__device__ __forceinline__ void flash_copy(unsigned to, const char *from, int first, int end) {
  enum { Chunks = Tile::RowBytes / 16, Step = Tile::Threads / Chunks };
  const int thread = flash_thread(), chunk = thread % Chunks, row = thread / Chunks;
  const unsigned place = to + row * Tile::RowBytes + (chunk ^ row % 8) * 16;
  const char *source = from + (size_t)(first + row) * Tile::RowBytes + chunk * 16;
  if (first + Rows <= end) {
#pragma unroll
    for (int i = 0; i < Rows; i += Step)
      copy_async(place + i * Tile::RowBytes, source + i * Tile::RowBytes);
  } else {
#pragma unroll
    for (int i = 0; i < Rows; i += Step)
      if (first + row + i < end)
        copy_async(place + i * Tile::RowBytes, source + i * Tile::RowBytes);
      else
        store_zeroes(place + i * Tile::RowBytes);
  }
}

/* A lane's address within a swizzled matrix: 16-byte chunk `column` of a row, for flash_at to move from. */
template <class Tile> __device__ __forceinline__ unsigned flash_lane(int row, int column) {
  return row * Tile::RowBytes + (column ^ row % 8) * 16;
}
/* The same lane's address so many times 16 columns on, and a multiple of 8 rows on; column is 0 or 1 above. */
template <class Tile> __device__ __forceinline__ unsigned flash_at(unsigned lane, int columns, int rows) {
  return (lane ^ columns % 4 * 32) + columns / 4 * 128 + rows * Tile::RowBytes;
}

struct FlashArguments {
  const void *query, *key, *value;
  void *output;
  float *logsumexp;
  AttentionShape shape;
  float scale;
};

/* Grid: (ceil(queries / Tile::Rows), heads, batch), Tile::Threads threads, Tile::SharedBytes of dynamic shared memory. */
#pragma gpuprof region("attention.flash") phase(forward) category(attention)
template <typename Element, class Tile>
__global__ void __launch_bounds__(Tile::Threads, Tile::Blocks)
    attention_flash(const FlashArguments arguments) {
  enum { Size = Tile::Size, Keys = Tile::Keys, Depth = Size / 16, Columns = Keys / 8, Outputs = Size / 8 };
  extern __shared__ __align__(1024) char flash_memory[];
  const AttentionShape &shape = arguments.shape;
  const unsigned memory = shared_address(flash_memory);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int block = shape.right < kAttentionAll ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const int first_row = block * Tile::Rows, offset = shape.keys - shape.queries;
  const size_t head = (size_t)blockIdx.z * shape.heads + blockIdx.y;
  const size_t key_head = (size_t)blockIdx.z * shape.key_heads + blockIdx.y / (shape.heads / shape.key_heads);
  const char *query = (const char *)arguments.query + head * shape.queries * Tile::RowBytes;
  const char *key = (const char *)arguments.key + key_head * shape.keys * Tile::RowBytes;
  const char *value = (const char *)arguments.value + key_head * shape.keys * Tile::RowBytes;

  /* Keys that some row of the block sees, and those that all see. */
  const int last_row = min(first_row + Tile::Rows, shape.queries) - 1;
  const int seen_begin = max(first_row + offset - shape.left, 0),
            seen_end = min(last_row + offset + shape.right + 1, shape.keys);
  const int all_begin = last_row + offset - shape.left,
            all_end = min(first_row + offset + shape.right + 1, shape.keys);
  const int begin = seen_begin / Keys, end = seen_end > seen_begin ? (seen_end + Keys - 1) / Keys : begin;

  /* Rows of queries and of values, and columns of keys. */
  const unsigned left = flash_lane<Tile>(lane % 16, lane / 16),
                 right = flash_lane<Tile>(lane % 8 + lane / 16 * 8, lane / 8 % 2);
  const unsigned query_place = memory + Tile::QueryAt + warp * 32 * Tile::RowBytes + left;

  flash_copy<Tile, Tile::Rows>(memory + Tile::QueryAt, query, first_row, shape.queries);
  copy_commit();
  if (begin < end) {
    flash_copy<Tile, Keys>(memory, key, begin * Keys, shape.keys);
    flash_copy<Tile, Keys>(memory + Tile::KeyBytes, value, begin * Keys, shape.keys);
  }
  copy_commit();

  unsigned q[2][Tile::QueryInRegisters ? Depth : 1][4];
  if (Tile::QueryInRegisters) {
    copy_wait<1>();
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
      for (int k = 0; k < Depth; ++k)
        load_matrices(q[half][k], flash_at<Tile>(query_place, k, 16 * half));
  }

  float output[2][Outputs][4] = {}, maximum[2][2], total[2][2];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    maximum[i / 2][i % 2] = kFlashNone, total[i / 2][i % 2] = 0.0f;
  const float scale = arguments.scale * kLog2E;

  for (int tile = begin; tile < end; ++tile) {
    const unsigned keys = memory + (tile - begin) % 2 * Tile::StageBytes, values = keys + Tile::KeyBytes;
    copy_wait<0>();
    __syncthreads();
    if (tile + 1 < end) {
      const unsigned next = memory + (tile + 1 - begin) % 2 * Tile::StageBytes;
      flash_copy<Tile, Keys>(next, key, (tile + 1) * Keys, shape.keys);
      flash_copy<Tile, Keys>(next + Tile::KeyBytes, value, (tile + 1) * Keys, shape.keys);
      copy_commit();
    }

    float score[2][Columns][4] = {};
#pragma gpuprof region("attention.scores") phase(forward) category(attention)
    {
#pragma unroll
      for (int k = 0; k < Depth; ++k) {
        unsigned a[2][4];
        if (!Tile::QueryInRegisters) {
          load_matrices(a[0], flash_at<Tile>(query_place, k, 0));
          load_matrices(a[1], flash_at<Tile>(query_place, k, 16));
        }
#pragma unroll
        for (int j = 0; j < Columns; j += 2) {
          unsigned b[4];
          load_matrices(b, flash_at<Tile>(keys + right, k, 8 * j));
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            const unsigned(&rows)[4] =
                Tile::QueryInRegisters ? q[half][Tile::QueryInRegisters ? k : 0] : a[half];
            tensor_product<Element>(score[half][j], rows, b[0], b[1]);
            tensor_product<Element>(score[half][j + 1], rows, b[2], b[3]);
          }
        }
      }
    }

    const int first_key = tile * Keys;
    if (first_key < all_begin || first_key + Keys > all_end) {
      const int thread = flash_thread(), own = first_row + thread / 32 * 32 + thread % 32 / 4 + offset;
      const int column = first_key + thread % 4 * 2;
#pragma unroll
      for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          const int row = own + half * 16 + i * 8;
          const int from = row - shape.left - column, to = min(row + shape.right + 1, shape.keys) - column;
#pragma unroll
          for (int j = 0; j < Columns; ++j)
#pragma unroll
            for (int c = 0; c < 2; ++c)
              if (8 * j + c < from || 8 * j + c >= to)
                score[half][j][2 * i + c] = -INFINITY;
        }
    }

#pragma gpuprof region("attention.softmax") phase(forward) category(attention)
    {
#pragma unroll
      for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float largest = maximum[half][i];
#pragma unroll
          for (int j = 0; j < Columns; ++j)
            largest = fmaxf(largest, fmaxf(score[half][j][2 * i], score[half][j][2 * i + 1]));
          largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 1));
          largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, 2));
          const float minuend = largest * scale;
          const float correction = power_of_two(fmaf(maximum[half][i], scale, -minuend));
          maximum[half][i] = largest;
          float sum[2];
#pragma unroll
          for (int j = 0; j < Columns; ++j)
#pragma unroll
            for (int c = 0; c < 2; ++c) {
              float &weight = score[half][j][2 * i + c];
              weight = power_of_two(fmaf(weight, scale, -minuend));
              sum[c] = j ? sum[c] + weight : weight;
            }
          total[half][i] = fmaf(total[half][i], correction, sum[0] + sum[1]);
#pragma unroll
          for (int j = 0; j < Outputs; ++j) {
            output[half][j][2 * i] *= correction;
            output[half][j][2 * i + 1] *= correction;
          }
        }
    }

#pragma gpuprof region("attention.values") phase(forward) category(attention)
    {
#pragma unroll
      for (int k = 0; k < Keys / 16; ++k) {
        unsigned weights[2][4];
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            const float(&pair)[4] = score[half][2 * k + i / 2];
            weights[half][i] = tensor_pair<Element>(pair[i % 2 * 2], pair[i % 2 * 2 + 1]);
          }
#pragma unroll
        for (int j = 0; j < Outputs; j += 2) {
          unsigned b[4];
          load_matrices_transposed(b, flash_at<Tile>(values + left, j / 2, 16 * k));
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            tensor_product<Element>(output[half][j], weights[half], b[0], b[1]);
            tensor_product<Element>(output[half][j + 1], weights[half], b[2], b[3]);
          }
        }
      }
    }
  }

  Element *to = (Element *)arguments.output + head * shape.queries * Size;
#pragma unroll
  for (int half = 0; half < 2; ++half)
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      float sum = total[half][i];
      sum += __shfl_xor_sync(~0u, sum, 1);
      sum += __shfl_xor_sync(~0u, sum, 2);
      const int row = first_row + warp * 32 + half * 16 + i * 8 + lane / 4;
      if (row >= shape.queries)
        continue;
      if (lane % 4 == 0)
        arguments.logsumexp[head * shape.queries + row] =
            fmaf(maximum[half][i], scale, logarithm_of_two(sum)) * (1.0f / kLog2E);
      const float inverse = 1.0f / fmaxf(sum, 1e-30f); // 0 of a row that sees nothing: its output is 0
#pragma unroll
      for (int j = 0; j < Outputs; ++j)
        *(unsigned *)(to + (size_t)row * Size + 8 * j + lane % 4 * 2) =
            tensor_pair<Element>(output[half][j][2 * i] * inverse, output[half][j][2 * i + 1] * inverse);
    }
}

/* ---- Counts ---- */

/* The parts of a launch: the three regions, and all of it. `nominal` is the usual figure, 4·Size operations for each pair of
 * a row and a key that it sees. */
struct FlashCost {
  ClosedForm scores, softmax, values, whole;
  uint64_t nominal;
};

/* Keys that rows first … last − 1 see together. */
struct FlashRange {
  int64_t begin, end;
  uint64_t count() const { return end - begin; }
};
inline FlashRange flash_seen(const AttentionShape &s, int64_t first, int64_t last) {
  const int64_t offset = (int64_t)s.keys - s.queries, begin = first + offset - s.left,
                end = last + offset + s.right;
  const FlashRange seen = {begin > 0 ? begin : 0, end < s.keys ? end : s.keys};
  return {seen.begin, seen.end > seen.begin ? seen.end : seen.begin};
}

/* Sectors of a range of each row of an array [rows][length] of elements. */
inline uint64_t flash_sectors(const FlashRange &range, uint64_t length, uint64_t rows,
                              uint64_t element_bytes) {
  uint64_t sectors = 0, next = 0; // the first sector not yet counted
  for (uint64_t row = 0; range.count() && row < rows; ++row) {
    const uint64_t first = (row * length + range.begin) * element_bytes / 32,
                   begin = first > next ? first : next;
    next = ((row * length + range.end) * element_bytes - 1) / 32 + 1;
    sectors += next > begin ? next - begin : 0;
  }
  return sectors;
}

/* Pairs of a row and a key that it sees, in all heads. */
inline uint64_t attention_pairs(const AttentionShape &s) {
  uint64_t pairs = 0;
  for (int64_t row = 0; row < s.queries; ++row)
    pairs += flash_seen(s, row, row + 1).end - flash_seen(s, row, row + 1).begin;
  return pairs * s.batch * s.heads;
}

inline void add_tensor(ClosedForm &cost, Fp16, uint64_t operations) { cost.tensor_fp16 += operations; }
inline void add_tensor(ClosedForm &cost, Bf16, uint64_t operations) { cost.tensor_bf16 += operations; }

/* What the blocks of all heads visit, with tiles of `keys` keys: blocks that see a key, their tiles, the keys loaded; and which
 * keys of a head are loaded by some block. */
struct FlashTiles {
  uint64_t blocks, tiles, loaded;
  FlashRange keys;
};
inline FlashTiles flash_tiles(const AttentionShape &s, int64_t rows_of_block, int64_t keys) {
  FlashTiles visited = {0, 0, 0, {s.keys, 0}};
  for (int64_t first = 0; first < s.queries; first += rows_of_block) {
    const int64_t last = first + rows_of_block < s.queries ? first + rows_of_block : s.queries;
    const FlashRange seen = flash_seen(s, first, last);
    if (seen.begin == seen.end)
      continue;
    const int64_t begin = seen.begin / keys, end = (seen.end + keys - 1) / keys;
    const int64_t from = begin * keys, to = end * keys < s.keys ? end * keys : s.keys;
    ++visited.blocks;
    visited.tiles += end - begin;
    visited.loaded += to - from;
    visited.keys.begin = from < visited.keys.begin ? from : visited.keys.begin;
    visited.keys.end = to > visited.keys.end ? to : visited.keys.end;
  }
  const uint64_t heads = (uint64_t)s.batch * s.heads;
  visited.blocks *= heads, visited.tiles *= heads, visited.loaded *= heads;
  visited.keys.end = visited.keys.end > visited.keys.begin ? visited.keys.end : visited.keys.begin;
  return visited;
}

template <typename Element, class Tile> inline FlashCost attention_flash_cost(const AttentionShape &s) {
  const uint64_t heads = (uint64_t)s.batch * s.heads, blocks = ceil_div(s.queries, Tile::Rows),
                 rows = heads * s.queries;
  const FlashTiles visited = flash_tiles(s, Tile::Rows, Tile::Keys);
  const uint64_t tiles = visited.tiles, loaded = visited.loaded;
  const uint64_t pairs = tiles * Tile::Rows * Tile::Keys, row_tiles = tiles * Tile::Rows * 4,
                 matrices = 512 * Tile::Warps;

  FlashCost cost = {};
  cost.nominal = 4 * Tile::Size * attention_pairs(s);
  add_tensor(cost.scores, Element(), 2 * pairs * Tile::Size);
  cost.scores.shared_load =
      tiles * matrices * (Tile::Size / 16) * (Tile::Keys / 16 + (Tile::QueryInRegisters ? 0 : 2));
  cost.softmax.fma = pairs + 2 * row_tiles;
  cost.softmax.special = pairs + row_tiles;
  cost.softmax.add = pairs - row_tiles;
  cost.softmax.mul = row_tiles * (1 + Tile::Size / 4);
  add_tensor(cost.values, Element(), 2 * pairs * Tile::Size);
  cost.values.shared_load = tiles * matrices * (Tile::Size / 16) * (Tile::Keys / 16);

  ClosedForm outside = {};
  outside.launches = 1;
  outside.threads = heads * blocks * Tile::Threads;
  outside.add = 2 * 4 * heads * blocks * Tile::Rows;
  outside.mul = outside.threads + rows * (1 + Tile::Size);
  outside.fma = outside.special = rows;
  outside.div = 4 * rows;
  outside.global_load = (rows + 2 * loaded) * Tile::RowBytes;
  outside.global_store = rows * (Tile::RowBytes + 4);
  outside.shared_load = Tile::QueryInRegisters ? heads * blocks * matrices * 2 * (Tile::Size / 16) : 0;
  outside.shared_store = heads * blocks * Tile::QueryBytes + tiles * Tile::StageBytes;
  outside.unique = 2 * rows * Tile::RowBytes + sector_bytes(rows) +
                   2 * (uint64_t)s.batch * s.key_heads * visited.keys.count() * Tile::RowBytes;
  cost.whole = outside + cost.scores + cost.softmax + cost.values;
  return cost;
}

#endif
