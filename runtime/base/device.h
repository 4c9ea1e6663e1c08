/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime's interface to a device: one table of functions for the GPU (runtime/cuda), one for the CPU
 * device (cpu-device), one for tests. Every function returns 0 for success; gp_device_ops.error_text()
 * describes an error.
 */
#ifndef GP_DEVICE_H
#define GP_DEVICE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Devices of one process with separate counters; launches on others are not counted. */
#define GP_DEVICES 16

enum gp_time_source { GP_TIME_NONE, GP_TIME_CUPTI, GP_TIME_EVENT, GP_TIME_CPU };

/* One launch, as called by the host. */
struct gp_launch {
  uint64_t id;          /* unique in the process, from 1 */
  const void *function; /* host stub */
  uint32_t grid[3], block[3];
  uint64_t dynamic_shared_bytes;
  void *stream;
  void **arguments; /* one pointer each, as for cudaLaunchKernel; null: there are none */
  int has_argument_block; /* they are one block of memory of unknown layout instead */
  int cooperative;
  const void *attributes; /* of cudaLaunchKernelExC: cudaLaunchAttribute[attribute_count] */
  unsigned attribute_count;
  int device;
  int overlaps; /* of a clone: it may begin while what was launched before it on the stream ends */
};

/* An allocation. If the same memory may also lie at other addresses, `shared` is not 0. It is equal for all
 * allocations of possibly the same memory. `is_of_device`: memory of a device, for its launches and copies alone
 * (cudaMalloc). */
struct gp_memory_range {
  uint64_t start, bytes;
  uint64_t shared;
  int is_of_device;
};

/* Memory of a pool: what it took from the device, and what the program holds of it. */
struct gp_pool_usage {
  uint64_t reserved_bytes, reserved_peak_bytes, used_bytes, used_peak_bytes;
};

struct gp_device_info {
  char kind[8]; /* "gpu" or "cpu" */
  char name[128];
  char uuid[64];
  char driver[80]; /* version of the kernel module, or "" */
  int index;
  uint32_t sm_count;
  uint32_t architecture; /* of its multiprocessors: 90 for sm_90; 0: they are not a GPU's */
  uint64_t clock_hz;
};

struct gp_cuda_functions;
struct gp_hardware_plan;
struct gp_hardware_sum;
struct gp_kernel_resources;

struct gp_device_ops {
  const char *kind;
  /* Capabilities. */
  int has_time;         /* launches are timed like a GPU's */
  int replays_graphs;   /* each launch of a captured kernel passes the hook again */
  int may_skip_kernels; /* GPUPROF_COUNTS_ONLY */
  int marks_sectors;    /* kernels report unique bytes by themselves (gp_launch_unique) */
  /* facts of a launch (launch/launch_times.h) come within its call, on its thread, or never */
  int tells_in_call;
  int works_in_children; /* a forked child may go on with it */
  const struct gp_cuda_functions *cuda; /* for the exported names (exports/cuda_functions.h) */
  int (*describe)(int device, struct gp_device_info *info);
  int (*current)(int *device);
  int (*select)(int device);
  /* Device memory. Addresses are device addresses; allocate() zeroes. read() and write() wait for all earlier work. */
  int (*allocate)(uint64_t *address, size_t bytes);
  /* Maximum bytes of counters on it before the oldest are brought home (counters.h); this waits for the
   * device. 0: no limit. */
  size_t counters_kept;
  /* The counter slot of worker `number` (abi.h), UINT32_MAX behind the last. Null: any slot may hold
   * counts. */
  uint32_t (*slot)(uint32_t number);
  int (*release)(uint64_t address);
  int (*read)(void *host, uint64_t address, size_t bytes);
  /* As read(), but for the present content: neither waits for work nor delays work. Null: as read(). */
  int (*peek)(void *host, uint64_t address, size_t bytes);
  int (*write)(uint64_t address, const void *host, size_t bytes);
  /* As write(), but to memory that no work uses yet: waits for none. Null: as write(). */
  int (*poke)(uint64_t address, const void *host, size_t bytes);
  int (*zero)(uint64_t address, size_t bytes);
  /* Bytes of the current device's memory in use, by any process. */
  int (*memory_in_use)(uint64_t *bytes);
  /* The default memory pool of a device. Null: unknown. */
  int (*pool)(int device, struct gp_pool_usage *usage);
  /* Stores a 64-bit value at a device address, ordered with the work of `stream`, without waiting. */
  int (*store_ordered)(uint64_t address, uint64_t value, void *stream);
  /* A fence is a place in the work of a stream, behind what is there now; setting it again moves it. A null fence is
   * made first. Nothing waits but the later work of the stream that awaits it. Null: launches end within their
   * calls. */
  int (*fence)(void **fence, void *stream);
  int (*await_fence)(void *fence, void *stream);
  int (*fence_passed)(void *fence); /* 1: all work before it has ended */
  void (*drop_fence)(void *fence);
  /* A number that no other stream has, also once this one is destroyed; for the calling thread. */
  uint64_t (*stream_number)(void *stream);
  /* Address of a device variable from its host shadow. */
  int (*symbol)(const void *shadow, uint64_t *address, size_t *bytes);
  /* The allocation containing a device address. Not 0 if none is known. */
  int (*allocation)(uint64_t address, struct gp_memory_range *memory);
  /* From now on whatever writes to memory of a device, but the launches that the core knows, is told to
   * core/memory_writes.h, before and after the call. Null, or not 0: it cannot. */
  int (*watch_writes)(void);
  int (*synchronize)(void);
  /* 1 if with this error of synchronize() the device has stopped: kernels under way did not reach their ends, and later
   * ones do not run. Null: launches tell it in their call. */
  int (*is_fault)(int error);
  /* 1 if every launch is known to have ended; does not wait. Null: launches end before they return. */
  int (*idle)(void);
  /* 1 while `stream` is being captured into a graph. */
  int (*capturing)(void *stream);
  /* The same for a caller that puts nothing of its own into a stream: 0 also while another stream keeps calls from this one.
   * Null: as capturing(). */
  int (*captured)(void *stream);
  /* Around every launch, on the launching thread. Times arrive later through gp_launch_time(). */
  void (*launch_begin)(const struct gp_launch *launch);
  void (*launch_end)(const struct gp_launch *launch, int error);
  /* Around a copy or fill of the program, on the calling thread: ties the device's record of it to this number
   * (timeline/timeline.h). Null: the device does copies within their calls, or tells no times of them. */
  void (*work_begin)(uint64_t id);
  void (*work_end)(int error);
  /* Maximum threads of a block of a kernel beside the launch's (a suffix of abi.h; "": the kernel itself); 0:
   * unknown. Null: every block can be launched. */
  unsigned (*most_threads)(const struct gp_launch *launch, const char *suffix);
  /* Resident blocks on a multiprocessor of a kernel beside that of a host stub, as
   * cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags() tells; negative: unknown. Null: as of the kernel. */
  int (*sibling_blocks)(const void *function, const char *suffix, int block_size, size_t dynamic_shared_bytes, unsigned flags);
  /* Launches a clone beside the kernel (a suffix of abi.h), from the kernel's module, on the launch's stream
   * and untimed; the arguments are the clone's. Returns null, or the reason why it could not. */
  const char *(*launch_clone)(const struct gp_launch *launch, const char *suffix);
  /* Launches an instrumented kernel beside the kernel (a suffix of abi.h) in its place, with arguments of its
   * own. Returns null and the launch's result in *error, or the reason why there is nothing to launch. */
  const char *(*launch_instrumented)(const struct gp_launch *launch, const char *suffix, int *error);
  /* The host stub of a kernel launched by another handle of it, or null. In the latter case name() returns
   * the name of the kernel launched by the handle, or null. */
  const void *(*stub)(const void *handle);
  const char *(*name)(const void *handle);
  /* Fills `sum` with the hardware counters of one launch, made by `run`. `run` is called as often as needed,
   * once at a time; afterwards all memory is restored. Returns null, or the reason for a failure as half a
   * sentence. */
  const char *(*measure)(const struct gp_hardware_plan *plan, int (*run)(void *closure), void *closure,
                         struct gp_hardware_sum *sum);
  /* What the machine code of a launched kernel needs (machine/kernel_resources.h), on the current device. Null: it is
   * no machine code of a GPU. */
  int (*resources)(const void *function, struct gp_kernel_resources *resources);
  /* Maximum number of constants made by a thread of the kernel with instructions of half arithmetic. Null:
   * none. */
  uint64_t (*constants)(const char *kernel);
  /* True if the kernel's machine code is known to load shared memory by less than 16 bytes at a time. Null: never. */
  int (*loads_words)(const char *kernel);
  /* Calls `run`, waits for its launches and restores all device memory. Returns null, the half sentence
   * returned by `run`, or the reason why it cannot. A null pointer: it never can. */
  const char *(*undo)(const char *(*run)(void *closure), void *closure);
  /* Devices of this process on which something was launched, a bit each. Null with energy(). */
  uint64_t (*used)(void);
  /* Millijoules used by a device since some moment, and the number of other processes on it. Returns null, or the reason
   * for a failure as half a sentence. Null: it has no counter of energy. */
  const char *(*energy)(int device, uint64_t *millijoules, unsigned *other_processes);
  /* Delivers all outstanding times. */
  void (*flush)(void);
  const char *(*error_text)(int error);
};

/* The device of this process, chosen once (GPUPROF_DEVICE, or else a working GPU, or else the CPU device). */
extern _Atomic(const struct gp_device_ops *) gp_chosen_device; /* null: not chosen yet */
const struct gp_device_ops *gp_choose_device(void);
static inline const struct gp_device_ops *gp_device(void) {
  const struct gp_device_ops *device = atomic_load_explicit(&gp_chosen_device, memory_order_acquire);
  return device ? device : gp_choose_device();
}

/* What no work changes, and what none uses yet: nothing is waited for. */
static inline int gp_device_peek(void *host, uint64_t address, size_t bytes) {
  const struct gp_device_ops *device = gp_device();
  return device->peek ? device->peek(host, address, bytes) : device->read(host, address, bytes);
}
static inline int gp_device_poke(uint64_t address, const void *host, size_t bytes) {
  const struct gp_device_ops *device = gp_device();
  return device->poke ? device->poke(address, host, bytes) : device->write(address, host, bytes);
}

/* Tests: makes gp_device() return `device`; null: choose again. */
void gp_device_override(const struct gp_device_ops *device);

#endif
