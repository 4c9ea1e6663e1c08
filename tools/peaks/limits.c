// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/limits.h"

#include "report/chip_rates.h"

#include <string.h>

#define L2_PORT_BYTES                                                                                        \
  64 /* of a multiprocessor: what is faster came from reads that neighbours had in flight */

static double find(const char *const *names, const double *rates, int count, const char *name) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(names[i], name))
      return rates[i];
  return 0;
}

/* Where mma.sync is slower than another instruction, what it reached. The tolerance of limits has room for a little more. */
static double tensor_limit(const struct gp_chip_rates *rates, const struct benchmark *benchmark) {
  const struct gp_mma_sync_rates *mma_sync = benchmark_is_mma_sync(benchmark) ? gp_mma_sync_rates(rates->capability) : NULL;
  const double own = mma_sync ? find(gp_tensor_names, mma_sync->tensor, GP_TENSOR_COUNT, benchmark->ceiling) : 0;
  return own > 0 ? own : find(gp_tensor_names, rates->tensor, GP_TENSOR_COUNT, benchmark->ceiling);
}

double limit_per_clock(const struct benchmark *benchmark, unsigned capability) {
  const struct gp_chip_rates *rates = gp_chip_rates(capability);
  if (!rates)
    return 0;
  switch (benchmark->group) {
  case GROUP_CORE:
    return find(gp_core_names, rates->core, GP_CORE_COUNT, benchmark->ceiling);
  case GROUP_TENSOR:
    return tensor_limit(rates, benchmark);
  case GROUP_INTEGER:
    return find(gp_integer_names, rates->integer, GP_INTEGER_COUNT, benchmark->ceiling);
  case GROUP_SPECIAL:
    return rates->special;
  case GROUP_L1:
  case GROUP_SHARED:
    return rates->shared_bytes;
  case GROUP_L2:
    return L2_PORT_BYTES;
  case GROUP_DRAM:
    break;
  }
  return 0;
}

double limit_of_memory(const struct gpu *gpu) {
  return 2e3 * gpu->memory_clock_khz * gpu->memory_bus_bits / 8; /* two transfers a clock */
}
