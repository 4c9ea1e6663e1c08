/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What libgpuprof-communication, which stands between a program and MPI or NCCL, calls of libgpuprof. */
#ifndef GPUPROF_COMMUNICATION_ABI_H
#define GPUPROF_COMMUNICATION_ABI_H

#include <stdint.h>

/* The bytes of a call that names none, as a wait. */
#define GPUPROF_NO_BYTES UINT64_MAX
/* The bytes of a call that moves data without saying how much. */
#define GPUPROF_UNKNOWN_BYTES (UINT64_MAX - 1)

/* A call under way. */
struct gpuprof_communication_call {
  uint64_t begin_ns;
  uint32_t region;
};

/* Opens a region `communication`. Returns 0 where nothing is counted: then there is no end to tell. */
int __gpuprof_communication_begin(struct gpuprof_communication_call *call);
/* `function` lives as long as the process. `ranks`: of a call that no rank leaves before all have entered it; else 0. */
void __gpuprof_communication_end(const struct gpuprof_communication_call *call, const char *function, uint64_t bytes,
                                 uint64_t ranks);

#endif
