// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sparse products: half of each group of A's elements is held; metadata names the held ones. */
#include "gpuprof/cpu_matrix.h"
#include "units/matrix.h"

enum { GROUP_BITS = 4, INDEX_BITS = 2, QUAD = 4 };

/* Metadata are four bits for each group of elements. For elements of 16 and 32 bits, a row's metadata are
 * halves of words; the upper halves belong to the row 8 further down. For smaller elements, neighbouring
 * lanes hold words of the two rows. The selector names the first lanes of each four holding any. */
static uint32_t group_bits(const uint32_t metadata[32], bool halves, uint32_t bits_of_row, uint32_t selector,
                           uint32_t row, uint32_t bit) {
  const uint32_t *quad = metadata + row % 8 * QUAD, upper = row / 8;
  if (!halves)
    return quad[2 * selector + bit / 32 * 2 + upper] >> bit % 32 & 15;
  return quad[selector * bits_of_row / 16 + bit / 16] >> (16 * upper + bit % 16) & 15;
}

uint32_t gp_matrix_sparse_column(uint32_t type, uint32_t k, const uint32_t metadata[32], uint32_t selector,
                                 uint32_t row, uint32_t column) {
  const bool words = type == GPUPROF_MATRIX_tf32,
             nibbles = type == GPUPROF_MATRIX_s4 || type == GPUPROF_MATRIX_u4;
  /* Elements of a group, and elements selected by one index: one of two for words, two pairs of four for
   * nibbles. */
  const uint32_t group = words ? 2 : nibbles ? 8 : 4, together = nibbles ? 2 : 1, held = group / 2;
  const uint32_t number = column / held, in_group = column % held;
  const bool halves = words || type == GPUPROF_MATRIX_f16 || type == GPUPROF_MATRIX_bf16;
  const uint32_t bits =
      group_bits(metadata, halves, k / group * GROUP_BITS, selector, row, number * GROUP_BITS);
  if (words) /* 0b0100 the first, 0b1110 the second */
    return number * group + (bits >> 1 & 1);
  const uint32_t index = bits >> in_group / together * INDEX_BITS & 3;
  return number * group + index * together + in_group % together;
}
