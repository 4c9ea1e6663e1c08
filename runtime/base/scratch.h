/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory for one document: handed out in one direction, given back as a whole. Some of it is kept for the
 * next document: the pages of a document written each second are mapped once.
 */
#ifndef GP_SCRATCH_H
#define GP_SCRATCH_H

#include <stddef.h>

struct gp_scratch_block;

/* All zero: nothing was asked for. For one thread. */
struct gp_scratch {
  struct gp_scratch_block *blocks; /* the first one is in use, earlier ones follow */
  struct gp_scratch_block *spare;
  size_t used; /* of the first block */
};

/* Zeroed; null when memory is exhausted. */
void *gp_scratch_get(struct gp_scratch *scratch, size_t bytes);
/* A larger copy of an array of so many bytes: the rest is zeroed. Null when memory is exhausted. */
void *gp_scratch_grow(struct gp_scratch *scratch, const void *array, size_t bytes, size_t grown);
/* Maps memory for so many bytes more in small parts, so that they are handed out without delay. Best effort. */
void gp_scratch_reserve(struct gp_scratch *scratch, size_t bytes);
/* Gives all of it back. */
void gp_scratch_free(struct gp_scratch *scratch);

#endif
