/* Embedding of tokens: rows of a table, and the gradient of the table.
 *
 *   forward    y_r = table[token_r], rounded to elements
 *   backward   dtable[token_r] += dy_r, by float atomics: rows of one token are added in no fixed order
 *
 * Shapes: table, dtable [tokens][columns] floats, y, dy [rows][columns] elements, tokens [rows] ints. Columns are a multiple of 8;
 * any grid of any threads.
 *
 * Closed form for R rows of C columns, elements of 2 bytes: a thread takes 8 columns
 *   forward    global load 4·R·C + R·C/2, store 2·R·C
 *   backward   accumulate R·C;  global load 2·R·C + R·C/2, atomic 4·R·C
 * Unique bytes depend on the tokens.
 */
#ifndef GPUPROF_KERNELS_TRANSFORMER_EMBEDDING_CUH
#define GPUPROF_KERNELS_TRANSFORMER_EMBEDDING_CUH

#include "../snn/neurons.cuh"

/* `body` with a row and its first column, for each eight columns of all rows. */
template <typename Body> __device__ __forceinline__ void for_embeddings(size_t rows, unsigned columns, Body body) {
  const size_t of_row = columns / 8, step = (size_t)gridDim.x * blockDim.x;
  for (size_t unit = (size_t)blockIdx.x * blockDim.x + threadIdx.x; unit < rows * of_row; unit += step)
    [[clang::always_inline]] body(unit / of_row, unit % of_row * 8);
}

#pragma gpuprof region("embedding.forward") phase(forward) category(embedding)
template <typename Element>
__global__ void embedding_forward(const float *__restrict__ table, const int *__restrict__ tokens, Element *__restrict__ y,
                                  size_t rows, unsigned columns) {
  for_embeddings(rows, columns, [=](size_t row, size_t column) {
    const float4 *from = (const float4 *)(table + (size_t)tokens[row] * columns + column);
    const float4 low = from[0], high = from[1];
    const float values[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    SnnPack<Element>::store(y + row * columns + column, values);
  });
}

#pragma gpuprof region("embedding.backward") phase(backward) category(embedding)
template <typename Element>
__global__ void embedding_backward(const Element *__restrict__ dy, const int *__restrict__ tokens, float *__restrict__ dtable,
                                   size_t rows, unsigned columns) {
  for_embeddings(rows, columns, [=](size_t row, size_t column) {
    SnnPack<Element> pack;
    float values[8];
    pack.load(dy + row * columns + column);
    pack.read(values);
    float *to = dtable + (size_t)tokens[row] * columns + column;
#pragma unroll
    for (int i = 0; i < 8; ++i)
      atomicAdd(to + i, values[i]);
  });
}

inline ClosedForm embedding_forward_cost(uint64_t rows, uint64_t columns, uint64_t threads) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = threads;
  cost.global_load = 4 * rows * columns + rows * columns / 2;
  cost.global_store = 2 * rows * columns;
  return cost;
}

inline ClosedForm embedding_backward_cost(uint64_t rows, uint64_t columns, uint64_t threads) {
  ClosedForm cost = {};
  cost.launches = 1;
  cost.threads = threads;
  cost.accumulate = rows * columns;
  cost.global_load = 2 * rows * columns + rows * columns / 2;
  cost.global_atomic = 4 * rows * columns;
  return cost;
}

#endif
