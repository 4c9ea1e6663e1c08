/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waiting of the host for the device: what the exported CUDA functions tell of their calls. The lists of these
 * functions are exports/cudart_waits.inc and exports/driver_waits.inc. Thread-safe.
 */
#ifndef GP_HOST_WAITS_H
#define GP_HOST_WAITS_H

#include <stdatomic.h>
#include <stdint.h>

/* A call of this kind waits always, or only if it takes longer than GP_SHORT_CALL_NS. */
enum gp_waits { GP_WAITS_NEVER, GP_WAITS_ALWAYS, GP_WAITS_IF_LONG };
/* Issuing an asynchronous copy takes 2 to 5 us; waiting for pageable memory takes longer than this. */
#define GP_SHORT_CALL_NS 10000u

/* One call under way. */
struct gp_host_wait {
  const char *call; /* the function's name; null: the call is not counted */
  uint64_t start_ns; /* gp_now() */
};

/* Use gp_host_wait_begin() and gp_host_wait_end(). */
void gp_host_wait_started(struct gp_host_wait *wait, const char *call);
void gp_host_wait_ended(const struct gp_host_wait *wait, enum gp_waits waits);

/* Around a call, on the calling thread. `waits` is a constant: functions that never wait get no code. Calls
 * within a waiting call belong to it. */
static inline void gp_host_wait_begin(struct gp_host_wait *wait, const char *call, enum gp_waits waits) {
  if (waits != GP_WAITS_NEVER)
    gp_host_wait_started(wait, call);
}
static inline void gp_host_wait_end(const struct gp_host_wait *wait, enum gp_waits waits) {
  if (waits != GP_WAITS_NEVER && wait->call)
    gp_host_wait_ended(wait, waits);
}

/* The calling thread has waited in a call outside of the lists: for a launch on a device whose launches end before
 * they return. */
void gp_host_waited(uint64_t waited_ns);

/* Called at the end of each wait, on the thread that waited. One listener; null: none. */
typedef void gp_host_wait_listener(const char *call, uint64_t start_ns, uint64_t end_ns);
void gp_host_waits_listen(gp_host_wait_listener *listener);

/* Sums over all threads. */
struct gp_host_wait_sums {
  uint64_t calls, ns;
};
struct gp_host_wait_sums gp_host_waits(void);
/* In a forked child: they begin at 0. */
void gp_host_waits_begin_anew(void);

#endif
