/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the runtime needs of a device. One table of functions for the GPU (runtime/cuda), one for the CPU device (cpu-device),
 * one for tests.
 * Every function returns 0 for success; an error is described by gp_device_ops.error_text().
 */
#ifndef GP_DEVICE_H
#define GP_DEVICE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Devices of one process whose counters are kept apart; launches on others are not counted. */
#define GP_DEVICES 16

enum gp_time_source { GP_TIME_NONE, GP_TIME_CUPTI, GP_TIME_EVENT, GP_TIME_CPU };

/* One launch, as the host called it. */
struct gp_launch {
  uint64_t id;          /* unique in the process, from 1 */
  const void *function; /* host stub */
  uint32_t grid[3], block[3];
  uint64_t dynamic_shared_bytes;
  void *stream;
  void **arguments; /* one pointer each, as cudaLaunchKernel takes them; null: there are none */
  int has_argument_block; /* they are one block of memory instead, whose layout is not known */
  int cooperative;
  const void *attributes; /* of cudaLaunchKernelExC: cudaLaunchAttribute[attribute_count] */
  unsigned attribute_count;
  int device;
};

/* An allocation. The same memory may lie at other addresses too: then `shared` is not 0, and it is that of all allocations
 * that may be the same memory. */
struct gp_memory_range {
  uint64_t start, bytes;
  uint64_t shared;
};

struct gp_device_info {
  char kind[8]; /* "gpu" or "cpu" */
  char name[128];
  char uuid[64];
  int index;
  uint32_t sm_count;
  uint64_t clock_hz;
};

struct gp_cuda_functions;
struct gp_hardware_plan;
struct gp_hardware_sum;

struct gp_device_ops {
  const char *kind;
  /* What it can do. */
  int has_time;         /* launches are timed as a GPU's are */
  int replays_graphs;   /* each launch of a captured kernel comes through the hook again */
  int may_skip_kernels; /* GPUPROF_COUNTS_ONLY */
  int marks_sectors;    /* kernels tell of unique bytes by themselves (gp_launch_unique) */
  int tells_in_call;    /* facts of a launch (launch/launch_times.h) come within its call, on its thread, or never */
  const struct gp_cuda_functions *cuda; /* for the exported names (exports/cuda_functions.h) */
  int (*describe)(int device, struct gp_device_info *info);
  int (*current)(int *device);
  int (*select)(int device);
  /* Device memory. Addresses are device addresses; allocate() zeroes. read() and write() wait for all earlier work. */
  int (*allocate)(uint64_t *address, size_t bytes);
  /* Bytes of counters that may lie on it before the oldest are brought home (counters.h), which waits for it; 0: any number. */
  size_t counters_kept;
  int (*release)(uint64_t address);
  int (*read)(void *host, uint64_t address, size_t bytes);
  /* As read(), but of what is there now: neither waits for work nor keeps work waiting. Null: as read(). */
  int (*peek)(void *host, uint64_t address, size_t bytes);
  int (*write)(uint64_t address, const void *host, size_t bytes);
  int (*zero)(uint64_t address, size_t bytes);
  /* Bytes of the current device's memory that are in use, by whomever. */
  int (*memory_in_use)(uint64_t *bytes);
  /* Stores a 64-bit value at a device address, ordered with the work of `stream`, without waiting. */
  int (*store_ordered)(uint64_t address, uint64_t value, void *stream);
  /* Address of a device variable from its host shadow. */
  int (*symbol)(const void *shadow, uint64_t *address, size_t *bytes);
  /* The allocation that a device address lies in. Not 0 where none is known. */
  int (*allocation)(uint64_t address, struct gp_memory_range *memory);
  int (*synchronize)(void);
  /* 1 if every launch is known to have ended; does not wait. Null: launches end before they return. */
  int (*idle)(void);
  /* 1 while `stream` is being captured into a graph. */
  int (*capturing)(void *stream);
  /* Around every launch, on the launching thread. Times arrive later through gp_launch_time(). */
  void (*launch_begin)(const struct gp_launch *launch);
  void (*launch_end)(const struct gp_launch *launch, int error);
  /* Threads that a block of a kernel beside the launch's (a suffix of abi.h) can have at most; 0: not known. Null: every
   * block can be launched. */
  unsigned (*most_threads)(const struct gp_launch *launch, const char *suffix);
  /* Launches a clone that lies beside the kernel (a suffix of abi.h), in the module that the kernel is launched from, on
   * the launch's stream and untimed; the arguments are the clone's. Null, or why it could not. */
  const char *(*launch_clone)(const struct gp_launch *launch, const char *suffix);
  /* Launches a copy that lies beside the kernel (a suffix of abi.h) in the kernel's place; the arguments are the copy's.
   * Null, and in *error what the launch answers; or why there is nothing to launch. */
  const char *(*launch_copy)(const struct gp_launch *launch, const char *suffix, int *error);
  /* The host stub of a kernel that is launched by another handle of it, or null; name() then says what a launch by that
   * handle has launched, or null. */
  const void *(*stub)(const void *handle);
  const char *(*name)(const void *handle);
  /* Fills `sum` with the hardware counters of one launch, which `run` makes: it is made as often as that takes, one at a
   * time, and afterwards all memory is as it was before. Returns null, or half a sentence that says why it cannot. */
  const char *(*measure)(const struct gp_hardware_plan *plan, int (*run)(void *closure), void *closure,
                         struct gp_hardware_sum *sum);
  /* How many constants a thread of the kernel makes with instructions of half arithmetic, at most. Null: none. */
  uint64_t (*constants)(const char *kernel);
  /* Calls `run`, waits for what it has launched and puts all device memory back as it was before. Returns null, or half a
   * sentence: what `run` answers, or why it cannot. Null: it never can. */
  const char *(*undo)(const char *(*run)(void *closure), void *closure);
  /* Delivers all times that are still on their way. */
  void (*flush)(void);
  const char *(*error_text)(int error);
};

/* The device that this process uses, chosen once (GPUPROF_DEVICE, else a GPU that works, else the CPU device). */
extern _Atomic(const struct gp_device_ops *) gp_chosen_device; /* null: not chosen yet */
const struct gp_device_ops *gp_choose_device(void);
static inline const struct gp_device_ops *gp_device(void) {
  const struct gp_device_ops *device = atomic_load_explicit(&gp_chosen_device, memory_order_acquire);
  return device ? device : gp_choose_device();
}

/* Tests: makes gp_device() answer `device`; null: choose again. */
void gp_device_override(const struct gp_device_ops *device);

#endif
