#include "core/immortals.h"

#include <stdlib.h>

#define ALIGNMENT 16u
#define SMALLEST_CHUNK ((size_t)4 << 10)
#define LARGEST_CHUNK ((size_t)1 << 20)

static int add_chunk(struct gp_immortals *from, size_t least) {
  size_t bytes = from->next_chunk ? from->next_chunk : SMALLEST_CHUNK;
  bytes = bytes < least ? least : bytes;
  char *chunk = calloc(1, bytes);
  if (!chunk)
    return -1;
  from->free = chunk;
  from->left = bytes;
  from->next_chunk = bytes < LARGEST_CHUNK ? 2 * bytes : bytes;
  return 0;
}

void *gp_immortal(struct gp_immortals *from, size_t bytes) {
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (bytes > from->left && add_chunk(from, bytes))
    return NULL;
  void *object = from->free;
  from->free += bytes;
  from->left -= bytes;
  return object;
}
