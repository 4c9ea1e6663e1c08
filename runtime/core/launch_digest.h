/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The configurations of launches in their order, as one number: two runs of a program that launch the same have the same. */
#ifndef GP_LAUNCH_DIGEST_H
#define GP_LAUNCH_DIGEST_H

#include "base/device.h"

#include <stdint.h>

/* Of the grid, the block, and the dynamic shared memory of one launch; 0 unless launches of two runs are compared. */
uint64_t gp_launch_digest_of(const struct gp_launch *launch);
/* Adds a launch behind those added before. */
void gp_launch_digest_add(uint64_t *digest, uint64_t launch);

#endif
