/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels that are counted by clones (abi.h): the kernel itself runs as it is, the clone is launched beside
 * it, and what it counted is remembered for all launches that are alike. Memory is bounded. Thread-safe.
 */
#ifndef GP_CLONES_H
#define GP_CLONES_H

#include "base/device.h"
#include "core/kernels.h"

#include <stdint.h>

/* Null, or why the kernel's clone cannot be launched in blocks of this size, where a copy with counters can take its place.
 * The caller holds kernel->lock. */
const char *gp_clones_objection(struct gp_kernel *kernel, const struct gp_launch *launch);

/* After a launch has been enqueued on its stream: counts it for the record. Launches the clone behind it,
 * unless the counts of such a launch are known already. */
void gp_clones_launched(struct gp_record *record, const struct gp_launch *launch);

/* What a launch will count that happens later and perhaps often: launches the clone now, on the launch's stream. Null where
 * no clone counts the kernel, or (the report says so) where its counts are no function of the launch. */
struct gp_clone_result *gp_clones_foresee(struct gp_kernel *kernel, const struct gp_launch *launch);
/* It happened once. */
void gp_clones_happened(struct gp_record *record, struct gp_clone_result *result);

/* Launches of the record that clones have counted, but whose counts are lost. The record may be a copy. */
uint64_t gp_clones_lost(const struct gp_record *record);

/* Adds what clones have counted for one copy of a record to counts[groups]; returns 0 or a device error.
 * Waits for the device. The record may be a copy. */
int gp_clones_read(const struct gp_record *record, size_t copy, uint64_t *counts);
/* All counts of one copy of a record: gp_counters_read(), and what clones have counted. */
int gp_record_read(const struct gp_record *record, size_t copy, uint64_t *counts);

/* cudaDeviceReset() is about to free the memory of `device`: takes the counts out of it. */
void gp_clones_device_resets(int device);
/* A unit is about to be unregistered: reads what clones of it have counted. */
void gp_clones_unit_leaves(void);

#endif
