/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts arriving after a launch: its time, and the memory traffic reported by the device. Thread-safe. */
#ifndef GP_LAUNCH_TIMES_H
#define GP_LAUNCH_TIMES_H

#include "base/device.h"

#include <stdbool.h>
#include <stdint.h>

struct gp_device_work;
struct gp_execution;
struct gp_record;

/* Facts reported by a device within the call of a launch (gp_device_ops.tells_in_call). They need no lock on
 * their way. */
struct gp_launch_facts {
  uint64_t id, start_ns, duration_ns, unique_bytes, requests, request_sectors;
  enum gp_time_source source;
  bool has_time, has_unique, has_requests;
  bool drops_time; /* the record gets none */
  struct gp_launch_facts *around; /* of the launch enclosing this one */
};
void gp_launch_facts_begin(struct gp_launch_facts *facts, uint64_t id);
void gp_launch_facts_end(const struct gp_launch_facts *facts);
/* The caller holds gp_records_lock(). */
void gp_launch_facts_add(struct gp_record *record, const struct gp_launch_facts *facts);

/* Facts of launch `id` go to the record; the execution is referenced until the time arrives. The time goes to the time
 * line alone with `drops_time`. On the launching thread, as are the next two. */
void gp_launch_times_await(uint64_t id, struct gp_record *record, struct gp_execution *execution, bool drops_time);
/* Its call has returned. */
void gp_launch_times_issued(uint64_t id, const void *stream, uint64_t call_end);
/* The launch did not happen. */
void gp_launch_times_cancel(uint64_t id);
/* Number of launches without a time. */
uint64_t gp_launches_untimed(void);

/* Called by a device, from any thread. Times are gp_now(). */
void gp_launch_time(uint64_t launch_id, uint64_t start_ns, uint64_t duration_ns, enum gp_time_source source);
/* The same for work already told to the time line. */
void gp_launch_time_of_work(uint64_t launch_id, const struct gp_device_work *work);
/* 32 bytes for each sector of global memory touched at least once by the launch. */
void gp_launch_unique(uint64_t launch_id, uint64_t unique_bytes);
/* Requests of global memory by warps, and the sum of the 32-byte sectors touched by each. */
void gp_launch_requests(uint64_t launch_id, uint64_t requests, uint64_t sectors);
/* Called within a launch: the kernel has stopped with this error (`ran`), or the device cannot run it, for this reason.
 * The string stays. */
void gp_launch_failed(const char *error, int ran);
struct gp_launch_failure {
  const char *error; /* null: none */
  int ran;
};
/* The failure told on this thread since the last call. */
struct gp_launch_failure gp_launch_take_failure(void);

#endif
