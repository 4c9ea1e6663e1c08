// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What libgpuprof-communication calls. */
#include "gpuprof/communication_abi.h"

#include "base/clock.h"
#include "base/exported.h"
#include "base/ranks.h"
#include "base/state.h"
#include "core/communication.h"
#include "core/regions.h"

#include <stdio.h>

#define REGION "communication"

GP_EXPORT int __gpuprof_communication_begin(struct gpuprof_communication_call *call) {
  if (gp_state() != GP_ON)
    return 0;
  call->region = gp_region_open(REGION, REGION, REGION);
  call->begin_ns = gp_now();
  return 1;
}

/* Calls and bytes stand in the region too, so that they are known by region, and compared from run to run. */
static void count_in_region(const char *function, uint64_t bytes) {
  struct gp_context *context = gp_regions_counted();
  char name[96];
  if (!context)
    return;
  gp_context_count(context, function, 1);
  if (bytes == GPUPROF_NO_BYTES)
    return;
  const int known = bytes != GPUPROF_UNKNOWN_BYTES;
  snprintf(name, sizeof name, known ? "%s.bytes" : "%s.unknown_size", function);
  gp_context_count(context, name, known ? (int64_t)bytes : 1);
}

static int is_common(uint64_t ranks) { return ranks > 1 && (int64_t)ranks == gp_ranks()->world_size; }

GP_EXPORT void __gpuprof_communication_end(const struct gpuprof_communication_call *call, const char *function, uint64_t bytes,
                                           uint64_t ranks) {
  const uint64_t ns = gp_now() - call->begin_ns;
  gp_communication_add(function, bytes, ns, is_common(ranks));
  count_in_region(function, bytes);
  __gpuprof_region_exit(call->region);
}
