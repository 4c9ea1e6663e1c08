/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The place of this process among those of a parallel job, as its launcher says in the environment. */
#ifndef GP_RANKS_H
#define GP_RANKS_H

#include <stdint.h>

#define GP_NO_RANK (-1)

struct gp_ranks {
  const char *launcher; /* "Open MPI", "torchrun", …; null: the process has no rank */
  int64_t rank, world_size; /* GP_NO_RANK: the launcher does not say */
  int64_t local_rank, local_size; /* on this host */
};

/* Read once: another thread may change the environment later. */
const struct gp_ranks *gp_ranks(void);
/* Reads them from variables of an environment; exposed for tests. */
typedef const char *gp_variable(const char *name);
struct gp_ranks gp_ranks_read(gp_variable *variable);

#endif
