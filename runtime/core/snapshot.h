/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The moment that a document is of: no launch begins or ends while counts are read, as far as that can be had. */
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
  unsigned running;  /* launches that were inside the hook */
  int exact;         /* none ran, and none began meanwhile */
};

/* Between the two the calling thread gathers what the document says. One thread at a time. `excused`: gate.h. */
void gp_snapshot_begin(enum gp_occasion occasion, unsigned excused);
struct gp_snapshot gp_snapshot_end(void);

/* Below: about the snapshot that the calling thread is taking, if it is taking one. */

/* It may neither wait for the device nor launch anything. */
int gp_snapshot_is_passing(void);
/* Launches are still running, as far as is known: what they do is counted in part. */
int gp_snapshot_is_torn(void);
/* What clones have counted may be taken from the device for good (1 also where no snapshot is being taken). */
int gp_snapshot_has_settled(void);
/* Device memory, as gp_device_ops.read(); without waiting where the snapshot is passing. */
int gp_snapshot_read(void *host, uint64_t address, size_t bytes);

#endif
