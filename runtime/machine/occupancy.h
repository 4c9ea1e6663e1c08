/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Theoretical occupancy: how many blocks of a kernel a multiprocessor holds at once, and which resource limits them.
 * Pure functions.
 */
#ifndef GP_OCCUPANCY_H
#define GP_OCCUPANCY_H

#include <stdint.h>

#define GP_CARVEOUTS 10
#define GP_CARVEOUT_UNSET (-1)

/* Of a multiprocessor (sm_limits.inc); sizes in bytes. */
struct gp_sm_limits {
  unsigned architecture, threads, blocks;
  uint32_t shared, block_shared, reserved, granularity;
  unsigned barriers;
  uint32_t carveouts[GP_CARVEOUTS]; /* rising, from 0 or the first size on */
};

/* The limits of an architecture (90 for sm_90), or null if the table lacks it. */
const struct gp_sm_limits *gp_sm_limits(unsigned architecture);

/* The use of one block. */
struct gp_block_use {
  unsigned threads, registers; /* registers of a thread */
  uint64_t shared;             /* static and dynamic bytes, without the reserved ones */
  unsigned barriers;           /* 0: not known */
  int carveout; /* preferred percentage of shared memory, or GP_CARVEOUT_UNSET */
};

/* In the order in which a limiter is named if several allow equally few blocks. */
enum gp_limiter {
  GP_LIMIT_REGISTERS, GP_LIMIT_SHARED, GP_LIMIT_BLOCK_SIZE, GP_LIMIT_BLOCKS, GP_LIMIT_BARRIERS, GP_LIMITERS,
  GP_LIMIT_NONE = GP_LIMITERS /* every warp of the multiprocessor is used */
};
extern const char *const gp_limiter_names[GP_LIMITERS + 1];

struct gp_occupancy {
  unsigned limits[GP_LIMITERS]; /* blocks that each resource allows; UINT32_MAX: any number */
  unsigned blocks, warps;       /* on a multiprocessor at once; 0: the block does not fit at all */
  unsigned most_warps;
  double ratio; /* warps over most_warps */
  enum gp_limiter limiter;
};

struct gp_occupancy gp_occupancy_of(const struct gp_sm_limits *sm, const struct gp_block_use *use);

#endif
