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

/* Null for a capability that the table lacks. */
const struct gp_chip_rates *gp_chip_rates(unsigned capability);

#endif
