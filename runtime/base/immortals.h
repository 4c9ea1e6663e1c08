/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory for small objects living as long as the process: they are adjacent, without malloc()'s overhead for
 * each. */
#ifndef GP_IMMORTALS_H
#define GP_IMMORTALS_H

#include <stddef.h>

/* All zero but the lock: empty. */
struct gp_immortals {
  char *free;
  size_t left, next_chunk;
  size_t mapped; /* bytes of mapped pages behind `free`; at most `left` */
  const void *lock; /* its lock; null: a single thread uses it */
};

/* Returns `bytes` of zeroes, aligned to 16; null when memory is exhausted. The caller holds the lock of
 * `from`. */
void *gp_immortal(struct gp_immortals *from, size_t bytes);

#endif
