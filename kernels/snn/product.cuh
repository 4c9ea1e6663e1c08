/* One tile of a matrix product in fp32: C = A·B by fused multiply-adds, both factors through shared memory,
 * the next tile loaded into registers while this one is multiplied. A block of 256 threads makes
 * 16·RowsOfThread x 64 values.
 *
 * A and B are functions (row, k) and (k, column) that return a value, 0 outside; `store` takes (row, column,
 * value) of the whole tile. Loads of A run along k; those of B along columns, or along k with BAlongDepth.
 *
 * Counts of one tile over a depth K in D = ceil(K/16) turns, with M = 16·RowsOfThread rows:
 *   fma D·M·64·16;   shared store 64·D·(M + 64), load 16384·D·(RowsOfThread + 4)
 * What A, B and `store` touch comes to it: each value of A and B once a tile.
 */
#ifndef GPUPROF_KERNELS_PRODUCT_CUH
#define GPUPROF_KERNELS_PRODUCT_CUH

#include "../closed_form.h"

enum {
  kProductThreads = 256,
  kProductSide = 16, /* threads across a tile's rows, and across its columns */
  kProductDepth = 16,
  kProductColumnsOfThread = 4,
  kProductColumns = kProductSide * kProductColumnsOfThread,
  kProductPadding = 4 /* floats: rows of a tile begin in other banks, and stay aligned to 16 bytes */
};

/* Registers with this thread's share of the next tiles. */
template <int RowsOfThread, bool BAlongDepth> struct ProductTiles {
  enum {
    kRows = kProductSide * RowsOfThread,
    kOfA = kRows * kProductDepth / kProductThreads,
    kOfB = kProductColumns * kProductDepth / kProductThreads
  };
  float a[kOfA], b[kOfB];

  __device__ __forceinline__ static int a_row(int j) {
    return (threadIdx.x + kProductThreads * j) / kProductDepth;
  }
  __device__ __forceinline__ static int a_depth() { return threadIdx.x % kProductDepth; }
  __device__ __forceinline__ static int b_column(int j) {
    int place = threadIdx.x + kProductThreads * j;
    return BAlongDepth ? place / kProductDepth : place % kProductColumns;
  }
  __device__ __forceinline__ static int b_depth(int j) {
    int place = threadIdx.x + kProductThreads * j;
    return BAlongDepth ? place % kProductDepth : place / kProductColumns;
  }

  template <class A, class B>
  __device__ __forceinline__ void load(const A &from_a, const B &from_b, int row, int column, int depth,
                                       int end) {
#pragma unroll
    for (int j = 0; j < kOfA; ++j)
      a[j] = depth + a_depth() < end ? from_a(row + a_row(j), depth + a_depth()) : 0.0f;
#pragma unroll
    for (int j = 0; j < kOfB; ++j)
      b[j] = depth + b_depth(j) < end ? from_b(depth + b_depth(j), column + b_column(j)) : 0.0f;
  }
};

template <int RowsOfThread, bool BAlongDepth, class A, class B, class Store>
__device__ __forceinline__ void product_tile(const A &from_a, const B &from_b, const Store &store, int row,
                                             int column, int begin, int end) {
  typedef ProductTiles<RowsOfThread, BAlongDepth> Tiles;
  __shared__ __align__(16) float a[kProductDepth][Tiles::kRows + kProductPadding];
  __shared__ __align__(16) float b[kProductDepth][kProductColumns + kProductPadding];
  const int own_row = threadIdx.x / kProductSide * RowsOfThread;
  const int own_column = threadIdx.x % kProductSide * kProductColumnsOfThread;
  float sum[RowsOfThread][kProductColumnsOfThread];
#pragma unroll
  for (int i = 0; i < RowsOfThread; ++i)
#pragma unroll
    for (int j = 0; j < kProductColumnsOfThread; ++j)
      sum[i][j] = 0.0f;

  Tiles next;
  next.load(from_a, from_b, row, column, begin, end);
  for (int depth = begin; depth < end; depth += kProductDepth) {
    __syncthreads();
#pragma unroll
    for (int j = 0; j < Tiles::kOfA; ++j)
      a[Tiles::a_depth()][Tiles::a_row(j)] = next.a[j];
#pragma unroll
    for (int j = 0; j < Tiles::kOfB; ++j)
      b[Tiles::b_depth(j)][Tiles::b_column(j)] = next.b[j];
    __syncthreads();
    next.load(from_a, from_b, row, column, depth + kProductDepth, end);
#pragma unroll
    for (int k = 0; k < kProductDepth; ++k) {
      float left[RowsOfThread], right[kProductColumnsOfThread];
#pragma unroll
      for (int i = 0; i < RowsOfThread; ++i)
        left[i] = a[k][own_row + i];
#pragma unroll
      for (int j = 0; j < kProductColumnsOfThread; ++j)
        right[j] = b[k][own_column + j];
#pragma unroll
      for (int i = 0; i < RowsOfThread; ++i)
#pragma unroll
        for (int j = 0; j < kProductColumnsOfThread; ++j)
          sum[i][j] = fmaf(left[i], right[j], sum[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < RowsOfThread; ++i)
#pragma unroll
    for (int j = 0; j < kProductColumnsOfThread; ++j)
      store(row + own_row + i, column + own_column + j, sum[i][j]);
}

/* Existing values of this block's tile: the block's multiplications for each step of its depth. */
template <int RowsOfThread> __device__ __forceinline__ int product_tile_values(int rows, int columns) {
  const int height = rows - (int)blockIdx.y * kProductSide * RowsOfThread;
  const int width = columns - (int)blockIdx.x * kProductColumns;
  return (height < kProductSide * RowsOfThread ? height : kProductSide * RowsOfThread) *
         (width < kProductColumns ? width : kProductColumns);
}

/* Threads, arithmetic and shared memory of all tiles of a product; `slices` divide the depth into parts of
 * `slice`. */
inline ClosedForm product_cost(uint64_t rows, uint64_t columns, uint64_t depth, uint64_t slice,
                               uint64_t rows_of_thread) {
  ClosedForm cost = {};
  uint64_t tile_rows = kProductSide * rows_of_thread, turns = 0;
  for (uint64_t begin = 0; begin < depth; begin += slice)
    turns += ceil_div(depth - begin < slice ? depth - begin : slice, kProductDepth);
  uint64_t tiles = ceil_div(rows, tile_rows) * ceil_div(columns, kProductColumns);
  cost.launches = 1;
  cost.threads = tiles * ceil_div(depth, slice) * kProductThreads;
  cost.fma = tiles * turns * tile_rows * kProductColumns * kProductDepth;
  cost.shared_store = 4 * kProductDepth * tiles * turns * (tile_rows + kProductColumns);
  cost.shared_load =
      4 * kProductDepth * kProductThreads * tiles * turns * (rows_of_thread + kProductColumnsOfThread);
  return cost;
}

#endif
