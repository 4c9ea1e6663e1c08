/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Unique bytes from kernels beside kernels (abi.h): address clones, which mark what the kernel touches
 * without doing its work, and copies, which mark in the kernel's place. What a free address clone marks is a
 * function of the launch: so it runs when somebody asks, and once for all launches that are alike. Memory is
 * bounded. Thread-safe.
 */
#ifndef GP_ADDRESSES_H
#define GP_ADDRESSES_H

#include "base/device.h"
#include "core/kernels.h"

#include <stdint.h>

/* 1 while launches are not timed, since kernels mark (GPUPROF_UNIQUE). */
int gp_addresses_untimed(void);

/* Whether a copy that marks is to be launched in the place of the kernel. */
int gp_addresses_in_place(const struct gp_kernel *kernel, const struct gp_launch *launch);
/* Launches it, waits for it and adds what it touched to the record. 0, and in *error what the launch answers;
 * not 0, with nothing done, where it cannot: the report says why. */
int gp_addresses_launch_copy(struct gp_record *record, const struct gp_launch *launch, int *error);

/* After a launch of the kernel itself: what it touched, by its address clone. Notes a launch whose bytes can
 * be found later; else, where the setting asks for it, runs the clone now. */
void gp_addresses_launched(struct gp_record *record, const struct gp_launch *launch);

/* Adds what is known by now of the record's launches to `copy`, which is a copy of it: unique bytes and
 * launches. Runs clones that have not run yet, and waits for them. */
void gp_addresses_add(struct gp_record *copy);

/* Modules or a device's memory are about to go: runs the clones that have not run yet. */
void gp_addresses_find_all(void);

/* Tests: forgets how long finding unique bytes has taken so far, which a limit ends. */
void gp_addresses_reset_time(void);

#endif
