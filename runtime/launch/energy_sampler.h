/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPUPROF_ENERGY=1: measured joules. A thread of gpuprof's own reads the device's energy counter, which the driver
 * updates about ten times a second. Each window between two updates is attributed to the regions open in it, by the share
 * of the window for which they were open. Nothing happens on the way of a launch.
 */
#ifndef GP_ENERGY_SAMPLER_H
#define GP_ENERGY_SAMPLER_H

#include <stdint.h>

struct gp_context;

/* A region's joules are known from so much open time and so many windows on: fewer updates would be mostly the error of the
 * first and the last one. */
#define GP_ENERGY_SECONDS 1.0
#define GP_ENERGY_WINDOWS 10u

/* Sums over windows. */
struct gp_energy {
  double joules, seconds;
  uint64_t windows;
};

/* Of a region path. */
struct gp_context_energy {
  struct gp_energy sum;
  uint64_t open; /* its ticks at the end of the latest window */
};

struct gp_energy_totals {
  int wanted;
  struct gp_energy run, idle; /* idle: windows without a launch under way */
  uint64_t dropped;           /* windows in which a counter went back, as after a reset of the GPU */
  uint64_t contexts_missed;   /* region paths beyond those attributed */
  unsigned other_processes;   /* most seen at once on the GPUs */
  const char *problem;        /* null, or why nothing is measured: half a sentence */
};

/* Starts the thread, at the first launch. */
void gp_energy_begin(void);
/* Ends the thread after the next update of the counter, or after some 200 ms without one. */
void gp_energy_finish(void);
struct gp_energy_totals gp_energy_totals(void);
/* The energy of a region path; zeroes if none is known. The caller holds no lock. */
struct gp_energy gp_energy_of(const struct gp_context *context);

/* Tests: one look at the counters by their own thread. Returns 1 if it ended a window. */
int gp_energy_look(void);
/* Tests: forgets all windows. */
void gp_energy_forget(void);

#endif
