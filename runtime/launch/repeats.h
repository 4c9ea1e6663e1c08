/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launches that a thread has made before: of the same kernel, in the same context and configuration, with the same bytes of
 * the arguments that clones read. Only their number is counted, by the thread alone. It is added to the records, with all
 * that follows from it, before they are read. The functions with `own` are for the thread itself.
 */
#ifndef GP_REPEATS_H
#define GP_REPEATS_H

#include "base/device.h"
#include "core/launch_shapes.h"

#include <stdatomic.h>
#include <stdint.h>

struct gp_clone_tally;
struct gp_context;
struct gp_footprints;
struct gp_launch_thread;
struct gp_record;

/* What a launch is counted for; null: nothing. */
struct gp_launch_tallies {
  struct gp_clone_tally *clone;
  struct gp_footprints *footprints;
  uint64_t latest_write; /* 0, or it holds while this is gp_memory_latest_write() */
};

struct gp_repeat {
  struct gp_record *record;
  struct gp_launch_tallies tallies;
  struct gp_launch_shape shape;
  uint64_t generation; /* core/unlocked_launches.h */
  int gives_counters;  /* its twin runs, and gets the address of its counters */
  int is_used;         /* since a new one last looked for its place */
  _Atomic uint64_t made;
  uint64_t settled; /* part of `made`; guarded by the lock of repeats */
  uint64_t hash;
  uint32_t key_bytes;
  unsigned char key[];
};

/* The launch in this context as made before; null: it was not, or what it was counted for may have changed. */
struct gp_repeat *gp_repeats_find(struct gp_launch_thread *own, const struct gp_launch *launch, const struct gp_context *context);
/* The launch has been made for `record`. The second one that is the same is kept, with what is left of `like`: all but
 * the numbers, the shape and the key. */
void gp_repeats_add(struct gp_launch_thread *own, const struct gp_launch *launch, const struct gp_repeat *like);

/* It has been made once more. */
void gp_repeats_made(struct gp_launch_thread *own, struct gp_repeat *repeat);

/* Brings the records up to date. */
void gp_repeats_settle(void);
/* Launches of all threads counted so. */
uint64_t gp_repeats_count(void);
/* In the child of a fork that counts for itself: forgets what is not settled. */
void gp_repeats_begin_anew(void);

#endif
