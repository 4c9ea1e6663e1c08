// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/scratch.h"

#include "base/prefault.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)256 << 10)
#define KEPT_BLOCKS 128u /* for the next document: 32 MB */
#define ALIGNMENT 16u

struct gp_scratch_block {
  struct gp_scratch_block *next;
  size_t bytes; /* behind this header */
  _Alignas(ALIGNMENT) char memory[];
};

/* Taken and put back as a whole. */
static _Atomic(struct gp_scratch_block *) kept;

static void free_blocks(struct gp_scratch_block *block) {
  for (struct gp_scratch_block *next; block; block = next) {
    next = block->next;
    free(block);
  }
}

static struct gp_scratch_block *make_block(size_t bytes) {
  struct gp_scratch_block *block = malloc(sizeof *block + bytes);
  if (!block)
    return NULL;
  block->bytes = bytes;
  return block;
}

static struct gp_scratch_block *spare_block(struct gp_scratch *scratch) {
  if (!scratch->blocks)
    scratch->spare = atomic_exchange(&kept, NULL);
  struct gp_scratch_block *block = scratch->spare;
  if (block)
    scratch->spare = block->next;
  return block;
}

static int begin_block(struct gp_scratch *scratch, size_t bytes) {
  struct gp_scratch_block *block = bytes <= BLOCK_BYTES ? spare_block(scratch) : NULL;
  if (!block && (block = make_block(bytes < BLOCK_BYTES ? BLOCK_BYTES : bytes)) && scratch->blocks)
    gp_prefault(block->memory, block->bytes); /* a second one: the document is large */
  if (!block)
    return -1;
  block->next = scratch->blocks;
  scratch->blocks = block;
  scratch->used = 0;
  return 0;
}

void *gp_scratch_get(struct gp_scratch *scratch, size_t bytes) {
  if (bytes > PTRDIFF_MAX - ALIGNMENT)
    return NULL;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if ((!scratch->blocks || bytes > scratch->blocks->bytes - scratch->used) && begin_block(scratch, bytes))
    return NULL;
  void *memory = scratch->blocks->memory + scratch->used;
  scratch->used += bytes;
  return memset(memory, 0, bytes);
}

void *gp_scratch_grow(struct gp_scratch *scratch, const void *array, size_t bytes, size_t grown) {
  void *larger = gp_scratch_get(scratch, grown);
  if (larger && bytes)
    memcpy(larger, array, bytes);
  return larger;
}

void gp_scratch_reserve(struct gp_scratch *scratch, size_t bytes) {
  if (!scratch->blocks && begin_block(scratch, 0))
    return;
  struct gp_scratch_block **link = &scratch->spare;
  size_t room = scratch->blocks->bytes - scratch->used;
  for (; *link && room < bytes; link = &(*link)->next)
    room += (*link)->bytes;
  for (struct gp_scratch_block *block; room < bytes && (block = make_block(BLOCK_BYTES)); link = &block->next) {
    gp_prefault(block->memory, block->bytes);
    block->next = NULL;
    *link = block;
    room += block->bytes;
  }
}

/* Those of the usual size, up to a bound. */
static struct gp_scratch_block *worth_keeping(struct gp_scratch_block *block, struct gp_scratch_block *all, size_t *count) {
  for (struct gp_scratch_block *next; block; block = next) {
    next = block->next;
    if (block->bytes != BLOCK_BYTES || *count >= KEPT_BLOCKS) {
      free(block);
      continue;
    }
    block->next = all;
    all = block;
    ++*count;
  }
  return all;
}

void gp_scratch_free(struct gp_scratch *scratch) {
  size_t count = 0;
  struct gp_scratch_block *all = worth_keeping(scratch->spare, NULL, &count);
  all = worth_keeping(scratch->blocks, all, &count);
  *scratch = (struct gp_scratch){0};
  free_blocks(atomic_exchange(&kept, all));
}
