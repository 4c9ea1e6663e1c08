/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Steps of kernels: lines of counters claimed by the device, one store a device (gpuprof/abi.h). A store has
 * a fixed size while a launch runs. Between launches a larger one replaces it once half of its lines are
 * claimed.
 */
#ifndef GP_TIME_STEPS_H
#define GP_TIME_STEPS_H

#include "gpuprof/abi.h"

#include <stddef.h>
#include <stdint.h>

/* Prepares a kernel with `levels` regions with steps: writes its gpuprof_step_control to `address`.
 * `*first_id` is the id of the first level, set on the first call for a kernel (0 before). Returns 0 or a
 * device error. */
int gp_time_steps_prepare(int device, uint64_t address, uint32_t levels, uint64_t *first_id);
/* A kernel with steps is about to be launched on the current device, `device`. */
void gp_time_steps_before_launch(int device);
/* cudaDeviceReset() is about to free the memory of `device`: saves its counts. */
void gp_time_steps_device_resets(int device);

/* The counters of GPUPROF_STEP_LINE groups in one step. */
struct gp_step_line {
  uint64_t id; /* of the level */
  int64_t step;
  uint32_t line; /* of groups GPUPROF_STEP_LINE * line, … */
  uint64_t counts[GPUPROF_STEP_LINE];
};

struct gp_step_lines {
  struct gp_step_line
      *lines; /* sorted by id and step; several of one step and line are possible: their sum counts */
  size_t count, capacity;
};

/* Reads all lines of all devices. Returns 0, -1 when memory is exhausted, or a device error. */
int gp_time_steps_read(struct gp_step_lines *all);
void gp_time_steps_free(struct gp_step_lines *all);
/* The lines of one level: returns the first, and their number. */
const struct gp_step_line *gp_time_steps_of(const struct gp_step_lines *all, uint64_t id, size_t *count);

#endif
