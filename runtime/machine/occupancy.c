// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine/occupancy.h"

#include <stddef.h>

#define KIB 1024u
#define WARP 32u
#define REGISTERS 65536u
#define REGISTER_UNIT 256u /* of a warp */
#define PARTITIONS 4u
#define MOST_REGISTERS 256u /* of a thread */
#define MOST_THREADS 1024u  /* of a block */
#define ANY UINT32_MAX

const char *const gp_limiter_names[GP_LIMITERS + 1] = {"registers", "shared_memory", "block_size", "blocks", "barriers", "none"};

static const struct gp_sm_limits sms[] = {
#define GPUPROF_SM(architecture, threads, blocks, shared, block_shared, reserved, granularity, barriers, ...)                  \
  {architecture, threads, blocks, (shared)*KIB, (block_shared)*KIB, (reserved)*KIB, granularity, barriers, {__VA_ARGS__}},
#include "machine/sm_limits.inc"
};

const struct gp_sm_limits *gp_sm_limits(unsigned architecture) {
  for (size_t i = 0; i < sizeof sms / sizeof *sms; i++)
    if (sms[i].architecture == architecture)
      return &sms[i];
  return NULL;
}

static uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* ---- Resources ---- */

/* The launch check rounds a block's warps up to the partitions. */
static unsigned by_registers(const struct gp_block_use *use, unsigned warps) {
  const unsigned of_warp = (unsigned)round_up((uint64_t)use->registers * WARP, REGISTER_UNIT);
  if (use->registers > MOST_REGISTERS || (uint64_t)of_warp * round_up(warps, PARTITIONS) > REGISTERS)
    return 0;
  return of_warp ? REGISTERS / PARTITIONS / of_warp * PARTITIONS / warps : ANY;
}

/* The smallest carve-out of at least this size. */
static uint32_t carveout_of(const struct gp_sm_limits *sm, uint64_t bytes) {
  for (size_t i = 0; i < GP_CARVEOUTS && sm->carveouts[i] * KIB < sm->shared; i++)
    if (sm->carveouts[i] * KIB >= bytes)
      return sm->carveouts[i] * KIB;
  return sm->shared;
}

/* A preference gives way to a block that needs more. */
static unsigned by_shared(const struct gp_sm_limits *sm, const struct gp_block_use *use) {
  const uint64_t block = round_up(use->shared + sm->reserved, sm->granularity);
  if (block > (uint64_t)sm->block_shared + sm->reserved)
    return 0;
  if (!block)
    return ANY;
  const uint64_t preferred = use->carveout < 0 ? sm->shared : (uint64_t)use->carveout * sm->shared / 100;
  uint32_t available = carveout_of(sm, preferred);
  if (available < block)
    available = carveout_of(sm, block);
  return (unsigned)(available / block);
}

static unsigned by_block_size(const struct gp_sm_limits *sm, const struct gp_block_use *use, unsigned warps) {
  return use->threads > MOST_THREADS ? 0 : sm->threads / WARP / warps;
}

static unsigned by_barriers(const struct gp_sm_limits *sm, const struct gp_block_use *use) {
  return sm->barriers && use->barriers ? sm->blocks * sm->barriers / use->barriers : ANY;
}

/* ---- All together ---- */

static enum gp_limiter limiter_of(const struct gp_occupancy *occupancy) {
  unsigned limiter = 0;
  if (occupancy->warps == occupancy->most_warps)
    return GP_LIMIT_NONE;
  while (occupancy->limits[limiter] != occupancy->blocks)
    limiter++;
  return (enum gp_limiter)limiter;
}

struct gp_occupancy gp_occupancy_of(const struct gp_sm_limits *sm, const struct gp_block_use *use) {
  const unsigned warps = use->threads ? (use->threads + WARP - 1) / WARP : 1;
  struct gp_occupancy o = {.limits = {[GP_LIMIT_REGISTERS] = by_registers(use, warps),
                                      [GP_LIMIT_SHARED] = by_shared(sm, use),
                                      [GP_LIMIT_BLOCK_SIZE] = by_block_size(sm, use, warps),
                                      [GP_LIMIT_BLOCKS] = sm->blocks,
                                      [GP_LIMIT_BARRIERS] = by_barriers(sm, use)},
                           .blocks = ANY,
                           .most_warps = sm->threads / WARP};
  for (unsigned i = 0; i < GP_LIMITERS; i++)
    o.blocks = least(o.blocks, o.limits[i]);
  o.warps = o.blocks * warps;
  o.ratio = (double)o.warps / (double)o.most_warps;
  o.limiter = limiter_of(&o);
  return o;
}
