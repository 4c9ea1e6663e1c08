/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Clusters of blocks: what the blocks of one share while they run. All of them run on one thread of the
 * machine, each in a worker of its own, so that nothing here needs atomics. A block that is in no cluster is
 * one by itself.
 */
#ifndef GP_CPU_CLUSTER_H
#define GP_CPU_CLUSTER_H

#include "engine/emulator.h"

/* Makes a block a cluster by itself. To be called when it begins. */
void gp_cluster_alone(struct gp_worker *);
/* Makes blocks that have begun, and have not run, one cluster; their ranks are their places in the list. */
void gp_cluster_join(struct gp_worker *const *blocks, uint32_t count);
/* A lane has returned, or, where blocks run as loops over their threads, a block. */
void gp_cluster_lane_returned(struct gp_lane *);
/* No lane of the block can run: true if one may when other blocks of the cluster come to its barrier. The
 * block is then `blocked` until they do. */
bool gp_cluster_block_waits(struct gp_worker *);
/* Can no block of the cluster run any more, though some have not ended? */
bool gp_cluster_is_stuck(const struct gp_cluster *);
/* It is stuck: is this block the one to say so, since it has threads that wait elsewhere, or none has? */
bool gp_cluster_tells(const struct gp_worker *);

/* The block of the cluster to whose shared memory the address belongs; null: none. */
const struct gp_worker *gp_cluster_owner(const struct gp_worker *, uint64_t address);
/* Where in the shared memory of the block `rank` of the running block's cluster lies what is at `own` in that
 * of another block of it; null: no such block, or no shared memory. */
char *gp_cluster_address(const void *own, uint32_t rank);
/* Was the address given for a block that the cluster does not have? */
bool gp_cluster_is_nowhere(uint64_t address);

#endif
