/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Counters of records: their memory on a device, and when and how it is read. A record of a kernel with 16
 * groups has 64 KB of counters. Beyond gp_device_ops.counters_kept bytes on a device, the oldest are added to
 * the record's `saved` and released. Its next launch allocates new ones.
 */
#ifndef GP_COUNTERS_H
#define GP_COUNTERS_H

#include "core/kernels.h"

/* The caller of the functions below holds the lock of the record's kernel. */

/* Gives the record's kernel counters if it needs some and has none. */
void gp_counters_allocate(struct gp_record *record);
/* Allocates those of one instance of the kernel. Returns 0 or a device error. */
int gp_counters_allocate_instance(struct gp_record *record, size_t instance);
int gp_counters_have_steps(const struct gp_record *record);
/* The memory of the record's device is about to be freed: keeps the counts. */
void gp_counters_device_resets(struct gp_record *record);

/* Number of rows filled by gp_counters_read(): the totals, and for each region with steps the counts of steps
 * without lines of their own (time_steps.h). */
size_t gp_count_rows(const struct gp_sheet_kernel *kernel);
/* Sums a record's counters of one instance over all slots into counts[rows][groups]; returns 0 or a device
 * error. Counts of clones are excluded (gp_record_read() in clones/clones.h). */
int gp_counters_read(const struct gp_record *record, size_t instance, uint64_t *counts);
int gp_counters_read_callee(const struct gp_callee *callee, uint64_t *counts);

/* While it is held, no counts are brought home: for reading a record. Taken after the lock of a kernel, and
 * before that of records. */
void gp_counters_lock(void);
void gp_counters_unlock(void);

/* Tests: bytes of counters on a device. */
size_t gp_counters_kept(int device);

#endif
