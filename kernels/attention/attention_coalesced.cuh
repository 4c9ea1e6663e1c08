/* Attention as three kernels with the score matrix in memory, written as such kernels should be. Products go by tiles through
 * shared memory, and the softmax reads a row once. attention_naive.cuh is the slow counterpart, a thread a score.
 *
 *   attention_coalesced_scores   S = Q·Kᵀ, tiles of 64 × 64; causal: without tiles behind the diagonal
 *   softmax_forward              of transformer/softmax.cuh, with scale and causal mask: W from S
 *   attention_coalesced_values   O = W·V; causal: without keys behind a tile's last row
 *
 * query, key, value, output [heads][length][size] elements; scores and weights [heads][length][length] elements. Sums are
 * fp32. Grids: (⌈length/64⌉ or ⌈size/64⌉, ⌈length/64⌉, heads), 256 threads.
 *
 * Closed form: product.cuh for each tile that is computed, D = ⌈depth/16⌉ turns: fma D·65536, shared store 8192·D,
 * load 131072·D;  global load E·(rows + columns)·depth of the tile's existing rows and columns, store E·rows·columns
 */
#ifndef GPUPROF_KERNELS_ATTENTION_COALESCED_CUH
#define GPUPROF_KERNELS_ATTENTION_COALESCED_CUH

#include "../snn/product.cuh"
#include "../transformer/softmax.cuh"

enum { kCoalescedRows = 4, kCoalescedTile = kProductSide * kCoalescedRows };

#pragma gpuprof region("attention.coalesced.scores") phase(forward) category(attention)
template <bool Causal, typename Element>
__global__ void __launch_bounds__(kProductThreads)
    attention_coalesced_scores(const Element *__restrict__ query, const Element *__restrict__ key,
                               Element *__restrict__ scores, int length, int size) {
  const int row = blockIdx.y * kCoalescedTile, column = blockIdx.x * kProductColumns;
  if (Causal && column > row + kCoalescedTile - 1)
    return;
  const Element *q = query + (size_t)blockIdx.z * length * size,
                *k = key + (size_t)blockIdx.z * length * size;
  Element *to = scores + (size_t)blockIdx.z * length * length;
  product_tile<kCoalescedRows, true>(
      [=](int r, int i) { return r < length ? snn_float(q[(size_t)r * size + i]) : 0.0f; },
      [=](int i, int c) { return c < length ? snn_float(k[(size_t)c * size + i]) : 0.0f; },
      [=](int r, int c, float value) {
        if (r < length && c < length)
          to[(size_t)r * length + c] = snn_element<Element>(value);
      },
      row, column, 0, size);
}

#pragma gpuprof region("attention.coalesced.values") phase(forward) category(attention)
template <bool Causal, typename Element>
__global__ void __launch_bounds__(kProductThreads)
    attention_coalesced_values(const Element *__restrict__ weights, const Element *__restrict__ value,
                               Element *__restrict__ output, int length, int size) {
  const int row = blockIdx.y * kCoalescedTile, column = blockIdx.x * kProductColumns;
  const Element *w = weights + (size_t)blockIdx.z * length * length,
                *v = value + (size_t)blockIdx.z * length * size;
  Element *to = output + (size_t)blockIdx.z * length * size;
  product_tile<kCoalescedRows, false>(
      [=](int r, int j) { return r < length ? snn_float(w[(size_t)r * length + j]) : 0.0f; },
      [=](int j, int c) { return c < size ? snn_float(v[(size_t)j * size + c]) : 0.0f; },
      [=](int r, int c, float sum) {
        if (r < length && c < size)
          to[(size_t)r * size + c] = snn_element<Element>(sum);
      },
      row, column, 0, Causal ? min(length, row + kCoalescedTile) : length);
}

/* ---- Cost ---- */

/* Adds a tile with `rows` × `columns` existing values over `depth`. */
inline void coalesced_add_tile(ClosedForm &cost, uint64_t rows, uint64_t columns, uint64_t depth,
                               uint64_t element_bytes) {
  const ClosedForm tile = product_cost(kCoalescedTile, kProductColumns, depth, depth, kCoalescedRows);
  cost.fma += tile.fma;
  cost.shared_load += tile.shared_load;
  cost.shared_store += tile.shared_store;
  cost.global_load += element_bytes * (rows + columns) * depth;
  cost.global_store += element_bytes * rows * columns;
}
inline uint64_t coalesced_inside(uint64_t first, uint64_t tile, uint64_t end) {
  return end - first < tile ? end - first : tile;
}

inline ClosedForm attention_coalesced_scores_cost(bool causal, uint64_t heads, uint64_t length, uint64_t size,
                                                  uint64_t element_bytes) {
  ClosedForm cost = {}, head = {};
  const uint64_t tiles = ceil_div(length, kCoalescedTile);
  for (uint64_t row = 0; row < length; row += kCoalescedTile)
    for (uint64_t column = 0; column < length; column += kProductColumns)
      if (!causal || column < row + kCoalescedTile)
        coalesced_add_tile(head, coalesced_inside(row, kCoalescedTile, length),
                           coalesced_inside(column, kProductColumns, length), size, element_bytes);
  for (uint64_t h = 0; h < heads; ++h)
    cost = cost + head;
  cost.launches = 1;
  cost.threads = heads * tiles * tiles * kProductThreads;
  cost.unique = 2 * sector_bytes_of(heads * length * size, element_bytes) +
                ragged_bytes(heads * length, length, element_bytes, [&](uint64_t row) {
                  const uint64_t seen = (row % length / kCoalescedTile + 1) * kCoalescedTile;
                  return causal && seen < length ? seen : length;
                });
  return cost;
}

inline ClosedForm attention_coalesced_values_cost(bool causal, uint64_t heads, uint64_t length, uint64_t size,
                                                  uint64_t element_bytes) {
  ClosedForm cost = {}, head = {};
  for (uint64_t row = 0; row < length; row += kCoalescedTile)
    for (uint64_t column = 0; column < size; column += kProductColumns) {
      const uint64_t depth = causal && row + kCoalescedTile < length ? row + kCoalescedTile : length;
      coalesced_add_tile(head, coalesced_inside(row, kCoalescedTile, length),
                         coalesced_inside(column, kProductColumns, size), depth, element_bytes);
    }
  for (uint64_t h = 0; h < heads; ++h)
    cost = cost + head;
  cost.launches = 1;
  cost.threads = heads * ceil_div(length, kCoalescedTile) * ceil_div(size, kProductColumns) * kProductThreads;
  cost.unique = 2 * sector_bytes_of(heads * length * size, element_bytes) +
                ragged_bytes(heads * length, length, element_bytes, [&](uint64_t row) {
                  const uint64_t seen = (row % length / kCoalescedTile + 1) * kCoalescedTile;
                  return causal && seen < length ? seen : length;
                });
  return cost;
}

#endif
