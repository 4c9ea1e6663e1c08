// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/launch_key.h"

#include <assert.h>
#include <string.h>

void gp_launch_key_begin(struct gp_launch_key *key, uint32_t kind, const struct gp_launch *launch) {
  const uint32_t configuration[] = {kind,
                                    (uint32_t)launch->device,
                                    launch->grid[0],
                                    launch->grid[1],
                                    launch->grid[2],
                                    launch->block[0],
                                    launch->block[1],
                                    launch->block[2]};
  memcpy(key->data, configuration, sizeof configuration);
  key->bytes = sizeof configuration;
}

void gp_launch_key_add(struct gp_launch_key *key, const void *data, size_t bytes) {
  if (!key->bytes || key->bytes + bytes > GP_LAUNCH_KEY_MAXIMUM) {
    key->bytes = 0;
    return;
  }
  memcpy(key->data + key->bytes, data, bytes);
  key->bytes += bytes;
}

uint64_t gp_launch_key_hash(const struct gp_kernel *kernel, const struct gp_launch_key *key) {
  uint64_t hash = (uint64_t)(uintptr_t)kernel;
  assert(key->bytes <= GP_LAUNCH_KEY_MAXIMUM);
  for (size_t i = 0; i < key->bytes; i += 8) {
    uint64_t word = 0;
    memcpy(&word, key->data + i, key->bytes - i < 8 ? key->bytes - i : 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}
