/* Sizes of attention, and which keys a row sees. Plain C++, no CUDA. */
#ifndef GPUPROF_KERNELS_ATTENTION_SHAPE_H
#define GPUPROF_KERNELS_ATTENTION_SHAPE_H

/* Arrays are [batch][heads][length][size]. Query head h goes with key head h / (heads / key_heads).
 * Row r sees keys from r + offset − left to r + offset + right that exist, with offset = keys − queries. The last
 * row is aligned with the last key. Causal attention has right = 0. A row that sees no key has output 0. */
struct AttentionShape {
  int batch, heads, key_heads; /* heads is a multiple of key_heads */
  int queries, keys;
  int left, right; /* kAttentionAll: no bound */
};
enum { kAttentionAll = 1 << 29 };

#endif
