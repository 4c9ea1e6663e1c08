/* Embedding of tokens and positions, and its gradients.
 *
 *   forward    y_t = token_table[tokens_t] + position_table[t mod length]        (Position: else without the second)
 *   backward   dtoken_table[tokens_t] += dy_t: float atomics, whose order is free
 *              dposition_table[p] = Σ dy_t over the tokens t at position p
 *
 * y, dy [count][columns] elements; tables [entries][columns] elements; gradients are floats. `count` is a multiple of
 * length, below 2³². RowAligned: columns·E is a multiple of 16. Block (threads, rows), any grid.
 *
 * Closed form: n tokens of C columns, L = ⌈C/N⌉·N lanes of packs (N = 16/E; 1 if unaligned), T threads of a row:
 *   forward             Position: add n·L;   global load 4·n·T + E·n·C (Position: 2·E·n·C), store E·n·C
 *   backward, tokens    accumulate n·C;      global load 4·n·T + E·n·C, atomic 4·n·C
 *   backward, positions add n·L;             global load E·n·C, store 4·length·C
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_TOKEN_EMBEDDING_CUH
#define GPUPROF_KERNELS_TRANSFORMER_TOKEN_EMBEDDING_CUH

#include "rows.cuh"

struct TokenEmbeddingShape {
  size_t count, length;
  unsigned columns;
};

enum { kEmbeddingTokens = 4 }; /* whose rows a thread loads at once */

#pragma gpuprof region("token_embedding.forward") phase(forward) category(embedding)
template <bool Position, RowLayout Layout, typename Element>
__global__ void token_embedding_forward(const int *__restrict__ tokens,
                                        const Element *__restrict__ token_table,
                                        const Element *__restrict__ position_table, Element *__restrict__ y,
                                        TokenEmbeddingShape shape) {
  typedef RowUnit<Element, Layout> Unit;
  const size_t step = (size_t)gridDim.x * blockDim.y;
  for (size_t t = (size_t)blockIdx.x * blockDim.y + threadIdx.y; t < shape.count;
       t += kEmbeddingTokens * step) {
    const Element *of_token[kEmbeddingTokens], *of_position[kEmbeddingTokens];
#pragma unroll
    for (int i = 0; i < kEmbeddingTokens; ++i)
      if (t + i * step < shape.count) {
        const unsigned at =
            (unsigned)(t + i * step) % (unsigned)shape.length; // 64 bits take many times as long
        of_token[i] = token_table + (size_t)tokens[t + i * step] * shape.columns;
        of_position[i] = position_table + (size_t)at * shape.columns;
      }
    for (unsigned unit = threadIdx.x; unit < Unit::units(shape.columns); unit += blockDim.x) {
      RowPack<Element> pack[kEmbeddingTokens], added_pack[kEmbeddingTokens];
#pragma unroll
      for (int i = 0; i < kEmbeddingTokens; ++i)
        if (t + i * step < shape.count) {
          pack[i] = Unit::load(of_token[i], unit, shape.columns);
          if (Position)
            added_pack[i] = Unit::load(of_position[i], unit, shape.columns);
        }
#pragma unroll
      for (int i = 0; i < kEmbeddingTokens; ++i)
        if (t + i * step < shape.count) {
          float values[Unit::kLanes], added[Unit::kLanes];
          Unit::read(pack[i], unit, shape.columns, values);
          if (Position) {
            Unit::read(added_pack[i], unit, shape.columns, added);
#pragma unroll
            for (int k = 0; k < Unit::kLanes; ++k)
              values[k] = values[k] + added[k];
          }
          Unit::store(y + (t + i * step) * shape.columns, unit, shape.columns, values);
        }
    }
  }
}

/* Adds to `dtable`, one element a thread after another, so that the atomics of a warp fall together. */
#pragma gpuprof region("token_embedding.backward") phase(backward) category(embedding)
template <typename Element>
__global__ void token_embedding_backward(const int *__restrict__ tokens, const Element *__restrict__ dy,
                                         float *dtable, TokenEmbeddingShape shape) {
  for (size_t t = (size_t)blockIdx.x * blockDim.y + threadIdx.y; t < shape.count;
       t += (size_t)gridDim.x * blockDim.y) {
    float *to = dtable + (size_t)tokens[t] * shape.columns;
    for (unsigned c = threadIdx.x; c < shape.columns; c += blockDim.x)
      atomicAdd(to + c, snn_float(dy[t * shape.columns + c]));
  }
}

#pragma gpuprof region("position_embedding.backward") phase(backward) category(embedding)
template <RowLayout Layout, typename Element>
__global__ void position_embedding_backward(const Element *__restrict__ dy, float *__restrict__ dtable,
                                            TokenEmbeddingShape shape) {
  typedef RowUnit<Element, Layout> Unit;
  for (size_t p = (size_t)blockIdx.x * blockDim.y + threadIdx.y; p < shape.length;
       p += (size_t)gridDim.x * blockDim.y)
    for (unsigned unit = threadIdx.x; unit < Unit::units(shape.columns); unit += blockDim.x) {
      float sum[Unit::kLanes], values[Unit::kLanes];
#pragma unroll
      for (int k = 0; k < Unit::kLanes; ++k)
        sum[k] = __uint_as_float(row_zero());
      for (size_t t = p; t < shape.count; t += shape.length) {
        Unit::read(Unit::load(dy + t * shape.columns, unit, shape.columns), unit, shape.columns, values);
#pragma unroll
        for (int k = 0; k < Unit::kLanes; ++k)
          sum[k] = row_computed(sum[k] + values[k]);
      }
#pragma unroll
      for (int k = 0; k < Unit::kLanes; ++k)
        if (unit * Unit::kLanes + k < shape.columns)
          dtable[p * shape.columns + unit * Unit::kLanes + k] = sum[k];
    }
}

/* ---- Cost: unique bytes of a table are those of the rows that tokens name ---- */

inline uint64_t token_embedding_lanes(RowLayout layout, const TokenEmbeddingShape &shape,
                                      uint64_t element_bytes) {
  const uint64_t lanes = layout == RowAligned ? 16 / element_bytes : 1;
  return ceil_div(shape.columns, lanes) * lanes;
}
inline uint64_t token_table_bytes(const TokenEmbeddingShape &shape, const int *tokens, uint64_t entries,
                                  uint64_t element_bytes) {
  bool *named = new bool[entries]();
  for (size_t t = 0; t < shape.count; ++t)
    named[tokens[t]] = true;
  const uint64_t bytes = ragged_bytes(entries, shape.columns, element_bytes, [&](uint64_t entry) {
    return named[entry] ? (uint64_t)shape.columns : 0;
  });
  delete[] named;
  return bytes;
}

inline ClosedForm token_embedding_forward_cost(bool position, RowLayout layout,
                                               const TokenEmbeddingShape &shape, const int *tokens,
                                               uint64_t entries, uint64_t threads, uint64_t all_threads,
                                               uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t values = shape.count * shape.columns;
  cost.launches = 1;
  cost.threads = all_threads;
  cost.add = position ? shape.count * token_embedding_lanes(layout, shape, element_bytes) : 0;
  cost.global_load = 4 * shape.count * threads + (position ? 2 : 1) * element_bytes * values;
  cost.global_store = element_bytes * values;
  cost.unique = sector_bytes(shape.count) + token_table_bytes(shape, tokens, entries, element_bytes) +
                (position ? sector_bytes_of(shape.length * shape.columns, element_bytes) : 0) +
                sector_bytes_of(values, element_bytes);
  return cost;
}

inline ClosedForm token_embedding_backward_cost(const TokenEmbeddingShape &shape, const int *tokens,
                                                uint64_t entries, uint64_t threads, uint64_t all_threads,
                                                uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t values = shape.count * shape.columns;
  cost.launches = 1;
  cost.threads = all_threads;
  cost.accumulate = values;
  cost.global_load = 4 * shape.count * threads + element_bytes * values;
  cost.global_atomic = 4 * values;
  cost.unique = sector_bytes(shape.count) + token_table_bytes(shape, tokens, entries, 4) +
                sector_bytes_of(values, element_bytes);
  return cost;
}

inline ClosedForm position_embedding_backward_cost(RowLayout layout, const TokenEmbeddingShape &shape,
                                                   uint64_t all_threads, uint64_t element_bytes) {
  ClosedForm cost = {};
  const uint64_t values = shape.count * shape.columns;
  cost.launches = 1;
  cost.threads = all_threads;
  cost.add = shape.count * token_embedding_lanes(layout, shape, element_bytes);
  cost.global_load = element_bytes * values;
  cost.global_store = 4 * shape.length * shape.columns;
  cost.unique = sector_bytes_of(values, element_bytes) + sector_bytes(shape.length * shape.columns);
  return cost;
}

#endif
