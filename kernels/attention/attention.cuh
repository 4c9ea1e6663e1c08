/* Attention on tensor cores as functions of the host: the tiles that are fast on Hopper GPUs, and their launches.
 * All return CUDA's error, 0 for none. Sizes are 64 and 128, elements Fp16 and Bf16.
 */
#ifndef GPUPROF_KERNELS_ATTENTION_CUH
#define GPUPROF_KERNELS_ATTENTION_CUH

#include "attention_backward.cuh"
#include "attention_flash.cuh"

template <int Size> struct AttentionTiles;
template <> struct AttentionTiles<64> {
  typedef FlashTile<64, 64, 4, 2, true> Forward;
  typedef BackwardTile<64, 2, 32, 4, 2> OfKeys;
  typedef BackwardTile<64, 2, 64, 4, 2> OfQueries;
};
template <> struct AttentionTiles<128> {
  typedef FlashTile<128, 64, 4, 2, false> Forward;
  typedef BackwardTile<128, 1, 64, 4, 2> OfKeys;
  typedef BackwardTile<128, 2, 32, 4, 2> OfQueries;
};

/* A block gets more than 48 KB of shared memory only if the kernel asked for them. */
template <class Kernel> inline int attention_shared(Kernel *kernel, int bytes) {
  return (int)cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}

template <typename Element, int Size>
inline int attention_forward(const FlashArguments &arguments, cudaStream_t stream) {
  typedef typename AttentionTiles<Size>::Forward Tile;
  const AttentionShape &s = arguments.shape;
  const dim3 grid((s.queries + Tile::Rows - 1) / Tile::Rows, s.heads, s.batch);
  if (const int error = attention_shared(attention_flash<Element, Tile>, Tile::SharedBytes))
    return error;
  attention_flash<Element, Tile><<<grid, Tile::Threads, Tile::SharedBytes, stream>>>(arguments);
  return (int)cudaGetLastError();
}

/* Arrays of the backward pass; `rows` is its own, one for each query. */
struct AttentionGradients {
  const void *query, *key, *value, *output, *output_gradient;
  const float *logsumexp;
  BackwardRow *rows;
  void *query_gradient, *key_gradient, *value_gradient;
  AttentionShape shape;
  float scale;
};

template <typename Element, class Tile, bool ForKeys>
inline int attention_gradient(const BackwardArguments &arguments, cudaStream_t stream) {
  const AttentionShape &s = arguments.shape;
  const dim3 grid((s.queries + Tile::Rows - 1) / Tile::Rows, ForKeys ? s.key_heads : s.heads, s.batch);
  if (const int error = attention_shared(attention_backward<Element, Tile, ForKeys>, Tile::SharedBytes))
    return error;
  attention_backward<Element, Tile, ForKeys><<<grid, Tile::Threads, Tile::SharedBytes, stream>>>(arguments);
  return (int)cudaGetLastError();
}

inline BackwardArguments attention_of_keys(const AttentionGradients &a) {
  return {{a.key, a.value},
          {a.query, a.output_gradient},
          a.rows,
          {a.key_gradient, a.value_gradient},
          backward_shape(a.shape),
          a.scale};
}
inline BackwardArguments attention_of_queries(const AttentionGradients &a) {
  return {{a.query, a.output_gradient}, {a.key, a.value}, a.rows,
          {a.query_gradient, nullptr},  a.shape,          a.scale};
}

template <typename Element, int Size>
inline int attention_gradients(const AttentionGradients &a, cudaStream_t stream) {
  typedef AttentionTiles<Size> Tiles;
  const int rows = a.shape.batch * a.shape.heads * a.shape.queries, of_block = kBackwardRowsBlock / 32;
  attention_backward_rows<Element, Size><<<(rows + of_block - 1) / of_block, kBackwardRowsBlock, 0, stream>>>(
      (const Element *)a.output, (const Element *)a.output_gradient, a.logsumexp, a.rows, rows);
  if (const int error =
          attention_gradient<Element, typename Tiles::OfKeys, true>(attention_of_keys(a), stream))
    return error;
  return attention_gradient<Element, typename Tiles::OfQueries, false>(attention_of_queries(a), stream);
}

#endif
