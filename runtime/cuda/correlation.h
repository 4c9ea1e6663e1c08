/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Joins two halves of CUPTI's records, delivered separately and in any order: the launch of a correlation id,
 * and the work of the device. Copies are joined like launches. */
#ifndef GP_CORRELATION_H
#define GP_CORRELATION_H

#include "timeline/timeline.h"

#include <stdint.h>

struct gp_correlated {
  uint64_t launch_id; /* or the id of a copy */
  struct gp_device_work work;
};

/* Both return 1 and fill *out if the other half was there; the entry is then removed. Thread-safe. Halves
 * without a partner (work never tied to a launch) are forgotten after many newer ones. */
int gp_correlation_launch(uint32_t correlation, uint64_t launch_id, struct gp_correlated *out);
/* `name`: of a kernel, or null. It must stay valid. */
int gp_correlation_work(uint32_t correlation, const struct gp_device_work *work, const char *name, struct gp_correlated *out);

/* Takes kernels that are given up, since no launch came for them: those of libraries and graphs. Null: nobody does. */
typedef void gp_correlation_taker(const struct gp_device_work *work, const char *name);
void gp_correlation_give(gp_correlation_taker *taker);
/* At the end: gives up all kernels still waiting. */
void gp_correlation_give_all(void);

/* Number of entries waiting for their other half. */
uint64_t gp_correlation_waiting(void);
/* Forgets all entries. */
void gp_correlation_reset(void);

#endif
