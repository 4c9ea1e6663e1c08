/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches without the lock of their kernel: those that repeat one of their thread (launch/repeats.h). What would
 * make them wrong (a device's memory ends, counters are brought home, a module goes) begins a new generation. It then
 * waits for those under way, or leaves their kernel alone. Thread-safe.
 */
#ifndef GP_UNLOCKED_LAUNCHES_H
#define GP_UNLOCKED_LAUNCHES_H

#include <stdatomic.h>
#include <stdint.h>

struct gp_kernel;

/* One thread's place, on a cache line of its own. It lives for ever. */
struct gp_unlocked_launch {
  _Alignas(64) _Atomic(const struct gp_kernel *) kernel; /* of the launch under way; null: there is none */
  struct gp_unlocked_launch *next;
};

void gp_unlocked_launches_join(struct gp_unlocked_launch *own);

extern _Atomic uint64_t gp_launch_generation;
static inline uint64_t gp_launch_generation_now(void) { return atomic_load_explicit(&gp_launch_generation, memory_order_acquire); }

/* Around a launch known since this generation. Returns 0 if it has to take the lock. */
static inline int gp_unlocked_launch_begin(struct gp_unlocked_launch *own, const struct gp_kernel *kernel, uint64_t generation) {
  atomic_store(&own->kernel, kernel); /* before the generation is read: either side sees the other */
  if (atomic_load(&gp_launch_generation) == generation)
    return 1;
  atomic_store_explicit(&own->kernel, NULL, memory_order_release);
  return 0;
}
static inline void gp_unlocked_launch_end(struct gp_unlocked_launch *own) {
  atomic_store_explicit(&own->kernel, NULL, memory_order_release);
}

/* From now on launches take their kernels' locks first. */
void gp_unlocked_launches_stop(void);
/* Behind that: 1 while an earlier launch of the kernel is under way. */
int gp_unlocked_launches_run(const struct gp_kernel *kernel);
/* Behind that: returns once no earlier launch is under way. The caller is in none. */
void gp_unlocked_launches_await(void);
/* In the child of a fork: the launches of other threads are not its own. */
void gp_unlocked_launches_in_child(void);

#endif
