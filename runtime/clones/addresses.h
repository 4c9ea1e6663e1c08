/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unique bytes from kernels beside kernels (abi.h). Address clones mark the sectors of the kernel without
 * doing its work. Marking kernels run in the kernel's place. The marks of a free address clone are a function
 * of the launch: it runs on demand, and once for all equal launches. Memory is bounded. Thread-safe.
 */
#ifndef GP_ADDRESSES_H
#define GP_ADDRESSES_H

#include "base/device.h"
#include "core/kernels.h"

#include <stdint.h>

/* 1 while launches are not timed, since kernels mark sectors (GPUPROF_UNIQUE). */
int gp_addresses_untimed(void);

/* True if a marking kernel is to be launched in the kernel's place. */
int gp_addresses_in_place(const struct gp_kernel *kernel, const struct gp_launch *launch);
/* Launches the marking kernel, waits for it and adds its sectors to the record. Returns 0 and the launch's
 * result in *error. Not 0, without any effect, if it cannot: the report has the reason. */
int gp_addresses_launch_marking(struct gp_record *record, const struct gp_launch *launch, int *error);

/* Call it after a launch of the kernel itself, to find its sectors by the address clone. Notes a launch with
 * bytes to be found later. Otherwise runs the clone now, if the setting asks for it. Returns 1 if
 * launches like it need nothing but to be added to *tally (null: not even that). */
int gp_addresses_launched(struct gp_record *record, const struct gp_launch *launch, struct gp_footprints **tally);
/* So many launches more like the one of the tally. */
void gp_addresses_repeated(struct gp_footprints *tally, uint64_t launches);

/* Adds the known unique bytes and launches of the record to `copy`, a copy of it. Runs waiting clones, and
 * waits for them. */
void gp_addresses_add(struct gp_record *copy);

/* Modules or a device's memory are about to go: runs the waiting clones. */
void gp_addresses_find_all(void);

/* Tests: forgets the time spent so far on finding unique bytes; a limit bounds it. */
void gp_addresses_reset_time(void);

#endif
