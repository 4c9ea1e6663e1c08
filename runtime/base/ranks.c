// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/ranks.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

/* Variables of one launcher; null: it has none. The first launcher with a rank decides, so a launcher started by another one
 * stands before it: torchrun under Slurm, mpirun under Slurm. */
static const struct launcher {
  const char *name, *rank, *world_size, *local_rank, *local_size;
} launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
    {"PALS", "PALS_RANKID", NULL, "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
    {"jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK", "JSM_NAMESPACE_LOCAL_SIZE"},
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", NULL},
    {"PMIx", "PMIX_RANK", "SLURM_NTASKS", "SLURM_LOCALID", NULL},
    {"Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", NULL},
};

/* A whole number from 0, or GP_NO_RANK. */
static int64_t number_in(gp_variable *variable, const char *name) {
  const char *text = name ? variable(name) : NULL;
  char *end;
  if (!text || !isdigit((unsigned char)text[0]))
    return GP_NO_RANK;
  errno = 0;
  const long long number = strtoll(text, &end, 10);
  return *end || errno ? GP_NO_RANK : number;
}

struct gp_ranks gp_ranks_read(gp_variable *variable) {
  struct gp_ranks ranks = {NULL, GP_NO_RANK, GP_NO_RANK, GP_NO_RANK, GP_NO_RANK};
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !ranks.launcher; i++) {
    const struct launcher *l = &launchers[i];
    const int64_t rank = number_in(variable, l->rank);
    if (rank != GP_NO_RANK)
      ranks = (struct gp_ranks){l->name, rank, number_in(variable, l->world_size), number_in(variable, l->local_rank),
                                number_in(variable, l->local_size)};
  }
  return ranks;
}

static struct gp_ranks own;
static pthread_once_t known = PTHREAD_ONCE_INIT;

static const char *variable_of_process(const char *name) { return secure_getenv(name); }
static void read_own(void) { own = gp_ranks_read(variable_of_process); }

const struct gp_ranks *gp_ranks(void) {
  pthread_once(&known, read_own);
  return &own;
}
