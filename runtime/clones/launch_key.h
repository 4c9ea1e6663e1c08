/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The common bytes of launches with the same result, gathered and compared. */
#ifndef GP_LAUNCH_KEY_H
#define GP_LAUNCH_KEY_H

#include "core/kernels.h"

#define GP_LAUNCH_KEY_MAXIMUM 1024u /* bytes */

struct gp_launch_key {
  size_t bytes; /* 0: the content was longer than the maximum */
  unsigned char data[GP_LAUNCH_KEY_MAXIMUM];
};

/* Begins a key with the device, the grid and the block. Keys of different kinds are never equal. */
void gp_launch_key_begin(struct gp_launch_key *key, uint32_t kind, const struct gp_launch *launch);
/* Content beyond the maximum makes the key too long for good. */
void gp_launch_key_add(struct gp_launch_key *key, const void *data, size_t bytes);
uint64_t gp_launch_key_hash(const struct gp_kernel *kernel, const struct gp_launch_key *key);

#endif
