/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernel times from CUPTI's activity records. CUPTI is opened at run time. After any failure, or if another
 * tool owns CUPTI, gpuprof uses events instead (events.h).
 */
#ifndef GP_CUPTI_H
#define GP_CUPTI_H

#include <stdint.h>

/* Subscribes and starts kernel records; call before the first context exists. */
void gp_cupti_start(void);
/* 1 while kernel records are being collected for this process. */
int gp_cupti_active(void);
/* 1 while it is not known whether records will come: CUPTI was started after the first context was made, and has
 * delivered none yet. Launches are then timed by events, too. */
int gp_cupti_is_unproven(void);

/* Around a launch, on the launching thread: ties the kernel's record to the launch id. */
void gp_cupti_launch_begin(uint64_t launch_id);
void gp_cupti_launch_end(int error);

/* Around a copy or fill, on the calling thread. */
void gp_cupti_work_begin(uint64_t id);
void gp_cupti_work_end(void);
/* Copies on this stream are gpuprof's own. */
void gp_cupti_own_stream(int device, void *stream);

/* Around the launch of a graph that must have no record of its own, under the lock of graphs: 0 before, 1 behind. Its kernels then
 * have records, as those of all graphs launched meanwhile. */
void gp_cupti_keep_graphs(int keep);

/* gp_device_ops.watch_writes */
int gp_cupti_watch_writes(void);

/* At the end of the program: kernels without a launch of the program go to the trace. */
void gp_cupti_tell_others(void);

/* Delivers the records of all finished work. */
void gp_cupti_flush(void);

/* 1 if the records of all launches have come; does not wait for a running one. */
int gp_cupti_idle(void);

/* The reason why kernel times do not come from CUPTI, as half a sentence; null if they do. */
const char *gp_cuda_time_source_reason(void);

#endif
