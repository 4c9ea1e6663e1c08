/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Clusters of blocks: state shared by the blocks of one cluster while they run. All of them run on one thread
 * of the machine, each in a worker of its own: nothing here needs atomics. A block outside of clusters is a
 * cluster by itself.
 */
#ifndef GP_CPU_CLUSTER_H
#define GP_CPU_CLUSTER_H

#include "engine/emulator.h"

/* Makes a block a cluster by itself. Call it when the block begins. */
void gp_cluster_alone(struct gp_worker *);
/* Makes begun blocks without any executed code one cluster; their ranks are their places in the list. */
void gp_cluster_join(struct gp_worker *const *blocks, uint32_t count);
/* Called for a returned lane, or for a block if blocks run as work-item loops. */
void gp_cluster_lane_returned(struct gp_lane *);
/* Called if no lane of the block can run. True: one can run after other blocks of the cluster arrive at its
 * barrier. The block is `blocked` until then. */
bool gp_cluster_block_waits(struct gp_worker *);
/* True if no block of the cluster can run any more, although some have not ended. */
bool gp_cluster_is_stuck(const struct gp_cluster *);
/* For a stuck cluster: true if this block has to report it. It has threads waiting elsewhere, or no block has
 * any. */
bool gp_cluster_tells(const struct gp_worker *);

/* The block of the cluster owning the shared memory at the address; null: none. */
const struct gp_worker *gp_cluster_owner(const struct gp_worker *, uint64_t address);
/* Translates `own`, an address in the shared memory of a block of the running block's cluster, to the block
 * `rank`. Null: no such block, or no shared memory. */
char *gp_cluster_address(const void *own, uint32_t rank);
/* True if the address was given for a missing block of the cluster. */
bool gp_cluster_is_nowhere(uint64_t address);

#endif
