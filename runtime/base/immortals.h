/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory for small objects that live as long as the process: they lie side by side, without what malloc() adds to each. */
#ifndef GP_IMMORTALS_H
#define GP_IMMORTALS_H

#include <stddef.h>

/* All zero but the lock: empty. */
struct gp_immortals {
  char *free;
  size_t left, next_chunk;
  size_t mapped; /* bytes behind `free` whose pages are mapped; at most `left` */
  const void *lock; /* that guards it; null: a single thread uses it */
};

/* `bytes` of zeroes, aligned to 16; null when memory is exhausted. The caller holds the lock that guards `from`. */
void *gp_immortal(struct gp_immortals *from, size_t bytes);

#endif
