/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The moment of a document: as far as possible, no launch begins or ends while counts are read. */
#ifndef GP_SNAPSHOT_H
#define GP_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

enum gp_occasion {
  GP_AT_THE_END,    /* the program ends in the usual way */
  GP_ON_REQUEST,    /* gpuprof_flush() */
  GP_ON_THE_WAY,    /* the journal, while the program runs: disturbs nothing */
  GP_AT_A_SUDDEN_END /* the journal, while a signal handler or _exit() waits for it */
};

struct gp_snapshot {
  uint64_t taken_ns; /* gp_now() */
  unsigned running;  /* launches inside the hook */
  int exact;         /* none ran, and none began meanwhile */
};

/* Between the two calls the calling thread gathers the document's data. One thread at a time. `excused`:
 * gate.h. */
void gp_snapshot_begin(enum gp_occasion occasion, unsigned excused);
struct gp_snapshot gp_snapshot_end(void);

/* Below: facts of the calling thread's current snapshot, if there is one. */

/* It may neither wait for the device nor launch anything. */
int gp_snapshot_is_passing(void);
/* Launches are known to be still running: their work is counted in part. */
int gp_snapshot_is_torn(void);
/* Clones' counts may be removed from the device for good (1 also without a snapshot). */
int gp_snapshot_has_settled(void);
/* The device's error if it was found stopped (gp_device_ops.is_fault()); else 0. */
int gp_snapshot_fault(void);
/* Reads device memory like gp_device_ops.read(); without waiting during a passing snapshot. */
int gp_snapshot_read(void *host, uint64_t address, size_t bytes);

#endif
