/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Joins what CUPTI delivers apart and in any order: which launch has a correlation id, and when that kernel
 * ran. */
#ifndef GP_CORRELATION_H
#define GP_CORRELATION_H

#include <stdint.h>

struct gp_correlated {
  uint64_t launch_id, start_ns, duration_ns;
};

/* Both return 1 and fill *out when the other half was there; the entry is then gone. Thread-safe.
 * Halves that never find the other (kernels nobody tied to a launch) are forgotten once many newer ones have
 * come. */
int gp_correlation_launch(uint32_t correlation, uint64_t launch_id, struct gp_correlated *out);
int gp_correlation_kernel(uint32_t correlation, uint64_t start_ns, uint64_t duration_ns,
                          struct gp_correlated *out);

/* Entries that wait for their other half. */
uint64_t gp_correlation_waiting(void);
/* Forgets all entries. */
void gp_correlation_reset(void);

#endif
