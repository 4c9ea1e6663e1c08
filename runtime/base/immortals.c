// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/immortals.h"

#include "base/lock_order.h"
#include "base/own_cost.h"
#include "prefault.h"

#include <stdlib.h>

#define ALIGNMENT 16u
#define SMALLEST_CHUNK ((size_t)4 << 10)
#define LARGEST_CHUNK ((size_t)1 << 20)
#define MAPPED_AT_ONCE ((size_t)64 << 10)

static int add_chunk(struct gp_immortals *from, size_t least) {
  size_t bytes = from->next_chunk ? from->next_chunk : SMALLEST_CHUNK;
  bytes = bytes < least ? least : bytes;
  char *chunk = calloc(1, bytes);
  if (!chunk)
    return -1;
  gp_own_memory_add(GP_OWN_HOST, (int64_t)bytes);
  from->free = chunk;
  from->left = bytes;
  from->mapped = 0;
  from->next_chunk = bytes < LARGEST_CHUNK ? 2 * bytes : bytes;
  return 0;
}

/* Maps the pages of the next `bytes`, and of some behind them. */
static void map_ahead(struct gp_immortals *from, size_t bytes) {
  const size_t ahead = bytes < MAPPED_AT_ONCE ? MAPPED_AT_ONCE : bytes;
  const size_t end = ahead < from->left ? ahead : from->left;
  gp_prefault(from->free, end);
  from->mapped = end;
}

void *gp_immortal(struct gp_immortals *from, size_t bytes) {
  if (from->lock)
    gp_assert_held(from->lock);
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > from->left && add_chunk(from, bytes))
    return NULL;
  if (bytes > from->mapped)
    map_ahead(from, bytes);
  void *object = from->free;
  from->free += bytes;
  from->left -= bytes;
  from->mapped -= bytes;
  return object;
}
