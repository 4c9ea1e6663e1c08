/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernel times from CUPTI's activity records. CUPTI is opened at run time; anything that fails, and any other
 * tool that owns it, makes gpuprof do without (events.h).
 */
#ifndef GP_CUPTI_H
#define GP_CUPTI_H

#include <stdint.h>

/* Subscribes and starts kernel records; call before the first context exists. */
void gp_cupti_start(void);
/* 1 while kernel records are being collected for this process. */
int gp_cupti_active(void);

/* Around a launch, on the launching thread: ties the record to the launch id. */
void gp_cupti_launch_begin(uint64_t launch_id);
void gp_cupti_launch_end(int error);

/* The program launches by the driver's functions: their records are wanted too. */
void gp_cupti_watch_driver(void);

/* A launch was replayed for hardware counters: CUPTI will have no time for it, and that is as it should be. */
void gp_cupti_launch_measured(void);

/* Delivers the records of all work that has finished. */
void gp_cupti_flush(void);

/* 1 if the records of all launches have come; does not wait for one that runs. */
int gp_cupti_idle(void);

/* Why kernel times do not come from CUPTI, as half a sentence; null if they do. */
const char *gp_cuda_time_source_reason(void);

#endif
