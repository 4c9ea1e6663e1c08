/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels counted by clones (abi.h). The kernel itself runs unchanged; the clone is launched beside it. Its
 * counts are remembered for all equal launches. Memory is bounded. Thread-safe.
 */
#ifndef GP_CLONES_H
#define GP_CLONES_H

#include "base/device.h"
#include "core/kernels.h"

#include <stdint.h>

/* Null, or the reason why the kernel's clone cannot be launched in blocks of this size; an instrumented
 * kernel can take its place. The caller holds kernel->lock. */
const char *gp_clones_objection(struct gp_kernel *kernel, const struct gp_launch *launch);

/* After a launch has been enqueued on its stream: counts it for the record. Launches the clone behind it,
 * unless the counts of such a launch are known already. Returns 1 if launches like it need nothing but to be added
 * to *tally (null: not even that), and if *latest_write is not 0, while that is gp_memory_latest_write(). */
int gp_clones_launched(struct gp_record *record, const struct gp_launch *launch, struct gp_clone_tally **tally,
                       uint64_t *latest_write);
/* So many launches more like the one of the tally. */
void gp_clones_repeated(struct gp_clone_tally *tally, uint64_t launches);

/* For a launch to happen later and perhaps often: launches the clone now, on the launch's stream. Null if no
 * clone counts the kernel, or if its counts are no function of the launch; the report has the latter. */
struct gp_clone_result *gp_clones_foresee(struct gp_kernel *kernel, const struct gp_launch *launch);
/* Counts occurrences of the foreseen launch. */
void gp_clones_happened(struct gp_record *record, struct gp_clone_result *result, uint64_t launches);

/* Number of the record's launches counted by clones with lost counts. The record may be a copy. */
uint64_t gp_clones_lost(const struct gp_record *record);

/* Adds the clones' counts for one instance of a record to counts[groups]; returns 0 or a device error. Waits
 * for the device. The record may be a copy. */
int gp_clones_read(const struct gp_record *record, size_t instance, uint64_t *counts);
/* All counts of one instance of a record: gp_counters_read(), and the clones' counts. */
int gp_record_read(const struct gp_record *record, size_t instance, uint64_t *counts);

/* cudaDeviceReset() is about to free the memory of `device`: reads its counts. */
void gp_clones_device_resets(int device);
/* A unit is about to be unregistered: reads the counts of its clones. */
void gp_clones_unit_leaves(void);

#endif
