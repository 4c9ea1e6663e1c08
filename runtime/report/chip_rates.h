/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a multiprocessor does in a clock, by compute capability. */
#ifndef GP_CHIP_RATES_H
#define GP_CHIP_RATES_H

#include "report/chips.h"

/* FLOPs, operations and bytes of one multiprocessor in one clock; 0 = unknown, or no such unit. */
struct gp_chip_rates {
  unsigned capability; /* 90 */
  double core[GP_CORE_COUNT], tensor[GP_TENSOR_COUNT], special, integer[GP_INTEGER_COUNT], shared_bytes;
};

/* The same of mma.sync, where the tensor cores have a faster instruction. */
struct gp_mma_sync_rates {
  unsigned capability;
  const char *fastest;
  double tensor[GP_TENSOR_COUNT];
};

/* Null for a capability that the table lacks. */
const struct gp_chip_rates *gp_chip_rates(unsigned capability);
/* Null where mma.sync is the fastest instruction. */
const struct gp_mma_sync_rates *gp_mma_sync_rates(unsigned capability);

#endif
