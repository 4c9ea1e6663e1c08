/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Launched kernels and their counters: one record for each kernel, host context and device. */
#ifndef GP_KERNELS_H
#define GP_KERNELS_H

#include "base/device.h"
#include "core/distribution.h"
#include "core/hardware_plan.h"
#include "core/launch_shapes.h"
#include "core/regions.h"
#include "core/stream_order.h"
#include "machine/kernel_resources.h"
#include "sheet/units.h"

#include <pthread.h>

/* Maximum number of modules with instances of one kernel (an inline or template kernel in several files). */
#define GP_INSTANCES 8

/* One instance of a kernel: its unit, and its index in the unit's sheet. */
struct gp_kernel_instance {
  struct gp_unit *_Atomic unit; /* a unit of the same sheet may take its place while a document is made */
  uint32_t index;
};

/* The binding of one kernel's counters on one device. */
struct gp_target {
  struct gp_record *record; /* null: counters are off */
  unsigned launching;       /* launches with them that have left the kernel's lock for the driver's call */
  unsigned given;           /* the same for launches that got the address of their counters: no switch concerns them */
  int resetting;            /* the device's memory ends once they are over: further ones wait */
  unsigned switching;       /* launches that wait to switch them: further launches with them wait, too */
  struct gp_stream_order order;
};

/* Remarks on a kernel that may hold for each of its launches. */
enum gp_kernel_remark { GP_REMARK_UNIQUE, GP_REMARK_INSTRUMENTED, GP_KERNEL_REMARKS };

struct gp_kernel {
  struct gp_link link; /* kernels.c: while its module is gone */
  struct gp_kernel *next, *chain;
  _Atomic(const void *) host; /* null once its module is gone */
  char *name;       /* mangled */
  pthread_mutex_t lock; /* held from the switch of the counters until the launch is enqueued (gp_launch_plan.frees_lock) */
  pthread_cond_t launched; /* a target's `launching` or `switching` has become 0 */
  size_t instance_count;
  struct gp_kernel_instance instances[GP_INSTANCES];
  const char *uncounted; /* reason for no instances after a look-up without success */
  unsigned clone_threads[GP_DEVICES]; /* clones.c: maximum threads of its clone's blocks; 0: not asked yet */
  unsigned formula_failures; /* clones.c: launches in a row that its formula could not count; guarded by its lock */
  uint32_t looked; /* bit d: instances were looked up on device d */
  size_t unit_count; /* of its modules, also those whose sheet does not have it */
  struct gp_target targets[GP_DEVICES];
  struct gp_target twin_targets[GP_DEVICES]; /* of the instrumented twins of kernels counted by clones */
  struct gp_record *records; /* newest first */
  struct gp_table by_context; /* the same, by context and device; guarded by `lock` */
  struct gp_table warmups;    /* warmup.c: its launches by region and device; guarded by `lock` */
  uint32_t number;            /* in order of first launch */
  const char *told[GP_KERNEL_REMARKS]; /* reasons told last; guarded by `lock` */
  _Atomic int bounded_twin_told; /* that it runs (launch/twin_launch.c) */
  int asked_resources;        /* of the device; guarded by `lock` */
  int code_looked;            /* kernel_code.c: its machine code was looked for; guarded by gp_records_lock() */
  struct gp_kernel_resources resources; /* guarded by gp_records_lock() */
  /* Below: its range in NVTX tools; guarded by gp_records_lock(). */
  char *shown_name; /* null: not shown yet */
  uint64_t shown_launches;
  struct gpuprof_region_site nvtx; /* stands for this kernel in NVTX calls */
};

/* A function of another unit (-fgpu-rdc), reached from a record's kernel by one chain of calls. */
struct gp_callee {
  struct gp_callee *next; /* of the same record */
  const struct gp_callee *caller; /* null: the kernel's instance */
  size_t instance;
  size_t call;  /* index in the caller's sheet */
  struct gp_kernel_instance at; /* unit null: its file was compiled without the plugin; it is not counted */
  uint64_t counters, step_id; /* like those of a record */
  uint64_t *saved;
};

struct gp_record {
  struct gp_link link;    /* in gp_kernel.by_context */
  struct gp_record *next; /* of the same kernel */
  struct gp_record *next_in_context;
  struct gp_record *older, *newer; /* counters.c: neighbours with counters on the same device */
  size_t kept_bytes;               /* counters.c: of its counters there */
  struct gp_kernel *kernel;
  struct gp_context *context;
  int device;
  uint64_t counters[GP_INSTANCES]; /* device addresses; 0: this instance is not counted */
  uint64_t *saved[GP_INSTANCES];   /* counts brought home, in the form of gp_counters_read(); null: none */
  uint64_t step_ids[GP_INSTANCES]; /* of the first region with steps, for time_steps.h; 0: not known yet */
  struct gp_clone_tally *tallies; /* clones.c: its launches' counts; only added to, under gp_records_lock() */
  struct gp_clone_result *remembered, *direct; /* clones.c: of its latest launch; of unremembered launches */
  /* addresses.c: the sectors of its launches; of its latest launch */
  struct gp_footprints *footprints, *latest_footprints;
  struct gp_callee *callees;
  const char *uncounted;        /* reason for missing counters; or null */
  int reset; /* its counters were brought home, or ended with the device: allocate them anew */
  uint64_t launches_saved;      /* launches with counts in `saved`, or lost at a reset; part of `launches` */
  struct gp_warmup_tally *warmup; /* of its region; null without GPUPROF_WARMUP */
  uint64_t sampled;               /* launches put to gp_sampling_of(); guarded by kernel->lock */
  /* Below: guarded by gp_records_lock(). */
  uint64_t launches, threads;
  uint64_t plain_launches, plain_threads; /* of them: of the plain kernel alone, for their times; nothing counted them */
  uint64_t untimed_launches;              /* of them: timed by none, since a twin ran among plain kernels */
  uint64_t digest;                        /* of the configurations of its launches, in their order (times_file.h) */
  struct gp_distribution time;
  enum gp_time_source source;
  uint64_t unique_bytes, unique_launches;
  uint64_t requests, request_sectors, request_launches;
  struct gp_hardware_sum *hardware; /* null: nothing was measured */
  struct gp_launch_shapes *shapes;  /* null: of no launch */
};

/* How many records there are. */
size_t gp_records_count(void);

void gp_kernel_lock(struct gp_kernel *kernel);
void gp_kernel_unlock(struct gp_kernel *kernel);

/* The kernel of a host stub, made at its first launch; null for an unregistered function. */
struct gp_kernel *gp_kernel_of(const void *host_function);
/* All kernels, newest first; next pointers never change once set. */
struct gp_kernel *gp_kernels(void);
/* After a fork: the locks of kernels are free. */
void gp_kernels_in_child(void);
/* The same: no launch of the parent is counted here. */
void gp_kernels_begin_anew(void);
void gp_records_lock(void);
void gp_records_unlock(void);

/* Binds the kernel's counters to `context` on `device`, in the order of `stream` (context null: counters
 * off). Returns the record for the next launch on the stream, or null. The caller holds kernel->lock. */
struct gp_record *gp_kernel_bind_counters(struct gp_kernel *kernel, struct gp_context *context, int device, void *stream);
/* Binds the counters of the instrumented twins (GPUPROF_IN_KERNEL_SUFFIX) to the kernel's record (null: off),
 * in the order of `stream`. Twins replace the kernel if clones cannot count. Returns 0 or a device error. The
 * caller holds kernel->lock. */
int gp_kernel_bind_instrumented(struct gp_kernel *kernel, struct gp_record *record, int device, void *stream);
/* The record of a launch that gets the address of its counters as an argument: binds nothing, hence waits for no other
 * launch. Null without memory. The caller holds kernel->lock. */
struct gp_record *gp_kernel_give_counters(struct gp_kernel *kernel, struct gp_context *context, int device);
/* Allocates the counters of instrumented twins of kernels with light clones. Returns 0 or a device error. The caller holds
 * kernel->lock. */
int gp_kernel_allocate_instrumented(struct gp_record *record);
/* Around a launch with the counters bound for it, or `given` to it: frees kernel->lock, and takes it again. Meanwhile other
 * threads launch the kernel: with bound counters, which a switch waits for, only with the same. */
void gp_kernel_let_launch(struct gp_kernel *kernel, int device, int given);
void gp_kernel_has_launched(struct gp_kernel *kernel, int device, int given);
/* 1 while a launch with its counters is under way without the lock, which the caller holds. */
int gp_kernel_is_launching(const struct gp_kernel *kernel, int device);
/* Behind a launch with the counters bound for it. The caller holds kernel->lock, and they are bound still. */
void gp_kernel_launched(struct gp_kernel *kernel, int device, void *stream);
/* The record of the launch that follows, for a launch of the plain kernel: its counters are off if it has some. The
 * caller holds kernel->lock. */
struct gp_record *gp_kernel_bind_nothing(struct gp_kernel *kernel, struct gp_context *context, int device, void *stream);
/* Asks the device once what the machine code of the kernel needs. The caller holds kernel->lock. */
void gp_kernel_ask_resources(struct gp_kernel *kernel, const void *function);
/* Looks for the kernel's instances in the units of its modules, once for each device. The caller holds no
 * lock. */
void gp_kernel_look(struct gp_kernel *kernel, int device);
/* The same for a caller holding kernel->lock. gp_kernel_bind_counters() calls it, too. */
void gp_kernel_find_instances(struct gp_kernel *kernel, int device);
/* The same for a caller holding kernel->lock. */
struct gp_record *gp_kernel_record_locked(struct gp_kernel *kernel, struct gp_context *context, int device);
/* The record for launches in `context` on `device`; null without memory. The caller holds no lock. */
struct gp_record *gp_kernel_record(struct gp_kernel *kernel, struct gp_context *context, int device);
/* Part of gp_device_resets() (launch/device_reset.h): saves the counts of counters on `device`. After an
 * error the counts of the kernel stay those of the previous reset, and the error is reported. */
void gp_kernels_device_resets(int device);

/* The stub's module, or the unit, is being unloaded: no more stores to its descriptor. */
void gp_kernels_forget_function(const void *host_function);
void gp_kernels_forget_unit(const struct gp_unit *unit);

/* Switches off the kernel's counters bound to the record; the caller holds kernel->lock. */
void gp_kernel_turn_off(struct gp_kernel *kernel, const struct gp_record *record);
/* A function callable by other units, in any defining unit; unit null without one. */
struct gp_kernel_instance gp_kernels_find_function(const char *name, int device);

/* True the first time for a constant reason: making and comparing a sentence at each launch would cost as much as
 * the launch. The caller holds kernel->lock. */
int gp_kernel_tells(struct gp_kernel *kernel, enum gp_kernel_remark remark, const char *why);

/* Null, or the reason why nothing counts launches of the record. */
static inline const char *gp_record_uncounted(const struct gp_record *record) {
  return record->kernel->instance_count ? record->uncounted : record->kernel->uncounted;
}

static inline const struct gp_sheet_kernel *gp_instance_sheet(const struct gp_kernel_instance *instance) {
  return &instance->unit->sheet->kernels[instance->index];
}

/* The sheet that states how the kernel's instrumented kernel takes the address of its counters; null: it takes none. */
static inline const struct gp_sheet_kernel *gp_kernel_counters_argument(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_sheet(&kernel->instances[i])->takes_counters)
      return gp_instance_sheet(&kernel->instances[i]);
  return NULL;
}

/* True if launches can be given their counters. Of a kernel in several modules it is not known which one runs. */
static inline int gp_kernel_takes_counters(const struct gp_kernel *kernel) {
  return kernel->instance_count == 1 && kernel->unit_count == 1 && gp_kernel_counters_argument(kernel) != NULL;
}

/* ---- Kernels counted by clones: queried several times a launch ---- */

static inline int gp_instance_is_cloned(const struct gp_kernel_instance *instance) {
  return gp_instance_sheet(instance)->clone.kind != GP_CLONE_NONE;
}

/* True if all instances have a clone. */
static inline int gp_kernel_is_cloned(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (!gp_instance_is_cloned(&kernel->instances[i]))
      return 0;
  return kernel->instance_count > 0;
}

/* True if some instance has a clone. */
static inline int gp_kernel_has_clone(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_is_cloned(&kernel->instances[i]))
      return 1;
  return 0;
}

/* True if some instance is counted by an instrumented twin (the sheet's `twin`), in every counted launch. */
static inline int gp_kernel_has_twin(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_sheet(&kernel->instances[i])->has_twin)
      return 1;
  return 0;
}

/* True if the kernel itself has counters, in some instance. */
static inline int gp_kernel_counts_itself(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (!gp_instance_is_cloned(&kernel->instances[i]) && !gp_instance_sheet(&kernel->instances[i])->has_twin)
      return 1;
  return 0;
}

/* True if some instance has a light clone. */
static inline int gp_kernel_has_light_clone(const struct gp_kernel *kernel) {
  for (size_t i = 0; i < kernel->instance_count; i++)
    if (gp_instance_sheet(&kernel->instances[i])->clone.kind == GP_CLONE_LIGHT)
      return 1;
  return 0;
}

/* True if clones find the counts of all launches from the launch alone. */
static inline int gp_kernel_counts_are_free(const struct gp_kernel *kernel) {
  return gp_kernel_is_cloned(kernel) && !gp_kernel_has_light_clone(kernel);
}

#endif
