/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A device for tests. Streams are queues run only by a wait, the newest stream first: the least
 * reliable order for a program. "Kernels" add given counts to their counters, as compiled code does.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "base/device.h"
#include "gpuprof/abi.h"

#include <stdint.h>

extern const struct gp_device_ops fake_device;

/* State for tests to read and change. */
extern struct fake_state {
  _Atomic int waits;   /* calls of synchronize() and read() */
  _Atomic int stores;  /* calls of store_ordered() */
  _Atomic int fences;         /* calls of fence() */
  _Atomic int fences_awaited; /* calls of await_fence() */
  int device;          /* the answer of current() */
  int capturing;       /* the answer of capturing() */
  int fail_allocation; /* allocate() fails */
  int allocations_left; /* not 0: how often allocate() succeeds, and one; release() adds one */
  int fail_read;       /* read() fails */
  int stopped;         /* the error of synchronize(), a fault; 0: none */
  int no_hardware;     /* measure() refuses */
  int fail_describe;   /* describe() fails, as when a driver shuts down */
  _Atomic int launches_begun, launches_ended;
  enum gp_time_source time_source;  /* GP_TIME_NONE: launches are not timed */
  uint64_t next_duration_ns;        /* of the next launch */
  uint64_t next_unique_bytes;       /* of the next launch; UINT64_MAX: not told */
  int clones;                       /* calls of launch_clone() with a launch */
  int clone_parameters;             /* of the kernel whose clone is launched */
  uint32_t clone_groups;            /* of its counters; 0: two */
  const uint64_t *clone_unit;       /* counters of the clones' unit */
  const char *clone_problem;        /* the answer of launch_clone(); null: it launches */
  unsigned clone_threads;           /* the answer of most_threads() */
  uint32_t block_threads;           /* of fake_launch_cloned() and _failing(); 0: 1 */
  int watches;                      /* watch_writes() succeeds */
  uint64_t shared_memory;           /* gp_memory.shared of all allocations */
  _Atomic int instrumented;         /* calls of launch_instrumented() with a launch */
  const char *instrumented_problem;        /* the answer of launch_instrumented(); null: it launches */
  int counters_argument;            /* the place of the counters' address among its arguments; 0: it takes none */
  _Atomic uint64_t given;           /* that address, of the latest */
  void (*while_launching)(void);    /* called within the latest */
  _Atomic int numbers_asked;        /* calls of stream_number() */
  int address_clones;               /* executed address clones, and the arguments of the latest */
  uint64_t marked_pointer;
  uint32_t marked_grid[3];
  uint64_t slots_needed;            /* below them an address clone finds its table full */
  uint64_t used;                    /* the answer of used(): a bit for each device */
  uint64_t millijoules[2];          /* the answers of energy() */
  uint64_t energy_step;             /* added to millijoules[0] by each energy() */
  unsigned other_processes;
  const char *energy_problem;
  int late_times;                   /* times come at flush() rather than at launch_end() */
} fake;

#define FAKE_KERNELS 8
#define FAKE_COUNTERS_KEPT ((size_t)1 << 20)

/* A translation unit: host objects, and a descriptor in "device memory". */
struct fake_unit {
  struct gpuprof_host_unit host;
  char shadow; /* host shadow of the descriptor */
  struct gpuprof_device_unit descriptor;
  uint64_t counters[FAKE_KERNELS];
  char functions[FAKE_KERNELS]; /* host stubs */
  int wrapper;
  void **handle;
};

/* Registers a unit with its sheet, and kernels of these names (null after the last). */
void fake_register(struct fake_unit *unit, const char *sheet, const char *const *kernels);
void fake_unregister(struct fake_unit *unit);
/* For set_up(): makes the fake device the process's, without a report and with
 * errors as the only messages, and registers the unit. Nonzero if gpuprof is off. */
int fake_begin(struct fake_unit *unit, const char *sheet, const char *const *kernels);

/* Launches kernel `index` of the unit through gp_launch() with one block of `threads`; each run adds counts[g] to group g. */
int fake_launch(struct fake_unit *unit, int index, void *stream, uint32_t threads, const uint64_t *counts, uint32_t groups);
/* A launch of one-thread blocks of a kernel without counters of its own: its clone counts it. */
int fake_launch_cloned(struct fake_unit *unit, int index, void *stream, uint32_t blocks, void **arguments);
/* As fake_launch(), but the launch itself fails with `error`. */
int fake_launch_failing(struct fake_unit *unit, int index, int error);

#endif
