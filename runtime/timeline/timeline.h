/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The time line: when devices worked, on which streams, and what the host did in the gaps. Work is told by the
 * device in any order, in bounded memory (busy.h). All times are gp_now(). Thread-safe.
 */
#ifndef GP_TIMELINE_H
#define GP_TIMELINE_H

#include "base/device.h"
#include "core/distribution.h"
#include "timeline/busy.h"
#include "timeline/copy_sums.h"
#include "timeline/host_history.h"

#include <stdint.h>

struct gp_record;

#define GP_TIMELINE_STREAMS 64 /* of a device; the work of further ones counts for the device alone */

enum gp_work_kind { GP_WORK_KERNEL, GP_WORK_COPY, GP_WORK_MEMSET, GP_WORK_GRAPH };

/* One piece of work of a device. */
struct gp_device_work {
  enum gp_work_kind kind;
  enum gp_time_source source;
  int device;
  uint32_t stream; /* its number, as told by the device, or of gp_timeline_stream() */
  uint64_t start, end;
  /* of a kernel, as far as the device tells them; else 0 */
  uint32_t registers, shared_bytes, local_bytes, grid[3], block[3];
};

/* The device worked for the program. */
void gp_timeline_work(const struct gp_device_work *work);
/* The device worked for gpuprof itself: not busy, but told apart. */
void gp_timeline_own_work(int device, uint64_t ns);
/* Number of a stream by its handle, for devices that tell no numbers. */
uint32_t gp_timeline_stream(const void *stream);

/* A launch of the calling thread was issued. */
void gp_timeline_launched(const struct gp_launch *launch, struct gp_record *record, uint64_t call_start, uint64_t call_end);
struct gp_issued {
  uint64_t call_end; /* 0: not known */
  const void *stream;
};
/* The time of a launch has arrived. `told`: the work as told before by the device; null: it is made of these facts. */
void gp_timeline_kernel(uint64_t id, const struct gp_record *record, const struct gp_issued *issued, uint64_t start,
                        uint64_t duration, enum gp_time_source source, const struct gp_device_work *told);
/* The same for a launch whose device told its time within the call. */
void gp_timeline_kernel_in_call(const struct gp_launch *launch, const struct gp_record *record, uint64_t start, uint64_t duration,
                                enum gp_time_source source);

/* ---- Copies and fills ---- */

/* One call of the program. */
struct gp_copy_call {
  uint64_t id; /* unique among copies, from 1 */
  const char *name;
  const struct gp_context *context;
  struct gp_copy copy;
  void *stream;
  int device;
  uint64_t start;
};
/* Around the call, on the calling thread. begin() fills id, context, device and start; it returns 0 if the call is
 * not counted. */
int gp_timeline_copy_begin(struct gp_copy_call *call);
void gp_timeline_copy_end(const struct gp_copy_call *call, int error);
/* The device's time of a copy. */
void gp_timeline_copy_time(uint64_t id, const struct gp_device_work *work);

/* Ids of copies among those of launches, for devices that tie both to their records. */
#define GP_COPY_ID_BIT (UINT64_C(1) << 62)

/* ---- Reading ---- */

struct gp_timeline_gap {
  uint64_t start, length;
  int explained;
  struct gp_host_activity host;
};

struct gp_timeline_stream {
  uint32_t number;
  uint64_t kernels, copies, graphs; /* graphs: launches that told no single nodes */
  struct gp_busy_sums sums;
};

struct gp_timeline_device {
  int index;
  enum gp_time_source source;
  uint64_t kernels, copies, graphs, own_ns;
  struct gp_busy_sums sums;
  struct gp_timeline_gap gaps[GP_BUSY_GAPS]; /* the longest, as in `sums` */
  struct gp_timeline_stream streams[GP_TIMELINE_STREAMS];
  size_t stream_count, stream_more; /* more: work on streams without room */
  uint64_t latency_count, latency_median, latency_p95, latency_max;
};

/* Fills *out for the device; returns 0 if it has done no work. */
int gp_timeline_read(int device, struct gp_timeline_device *out);
/* GPU time of gpuprof's own kernels and copies on all devices, and the time in which the program's work ran. Returns 0 where
 * some device has no times of the former: only CUPTI tells of them. */
int gp_timeline_own_ns(uint64_t *own, uint64_t *busy);

/* Called once: hears of waits, and starts the trace if one is wanted (GPUPROF_TRACE). */
void gp_timeline_start(void);
/* In the child of a fork that counts for itself: forgets all. */
void gp_timeline_begin_anew(void);

#endif
