/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Joins two halves of CUPTI's records, delivered separately and in any order: the launch of a correlation id,
 * and the time of its kernel. */
#ifndef GP_CORRELATION_H
#define GP_CORRELATION_H

#include <stdint.h>

struct gp_correlated {
  uint64_t launch_id, start_ns, duration_ns;
};

/* Both return 1 and fill *out if the other half was there; the entry is then removed. Thread-safe. Halves
 * without a partner (kernels never tied to a launch) are forgotten after many newer ones. */
int gp_correlation_launch(uint32_t correlation, uint64_t launch_id, struct gp_correlated *out);
int gp_correlation_kernel(uint32_t correlation, uint64_t start_ns, uint64_t duration_ns,
                          struct gp_correlated *out);

/* Number of entries waiting for their other half. */
uint64_t gp_correlation_waiting(void);
/* Forgets all entries. */
void gp_correlation_reset(void);

#endif
