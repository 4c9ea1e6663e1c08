/* Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11): four random words of a
 * counter and a key, the same on every device and on the host. There is no state, so that any element can be
 * drawn by itself.
 */
#ifndef GPUPROF_KERNELS_SNN_PHILOX_H
#define GPUPROF_KERNELS_SNN_PHILOX_H

#include <stdint.h>

#if defined(__CUDACC__) || defined(__CUDA__)
#define PHILOX_FUNCTION __host__ __device__ __forceinline__
#else
#define PHILOX_FUNCTION inline
#endif

struct PhiloxBlock {
  uint32_t word[4];
};

/* Word `index` of the block by selects: a register file has no addresses. */
PHILOX_FUNCTION uint32_t philox_word(const PhiloxBlock &block, uint32_t index) {
  const uint32_t low = index & 1 ? block.word[1] : block.word[0],
                 high = index & 1 ? block.word[3] : block.word[2];
  return index & 2 ? high : low;
}

PHILOX_FUNCTION PhiloxBlock philox(uint64_t low_counter, uint64_t high_counter, uint64_t key) {
  PhiloxBlock c = {{(uint32_t)low_counter, (uint32_t)(low_counter >> 32), (uint32_t)high_counter,
                    (uint32_t)(high_counter >> 32)}};
  uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
#if defined(__clang__) || defined(__CUDACC__)
#pragma unroll
#endif
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = (uint64_t)0xd2511f53u * c.word[0], b = (uint64_t)0xcd9e8d57u * c.word[2];
    c = PhiloxBlock{{(uint32_t)(b >> 32) ^ c.word[1] ^ key0, (uint32_t)b,
                     (uint32_t)(a >> 32) ^ c.word[3] ^ key1, (uint32_t)a}};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return c;
}

#endif
