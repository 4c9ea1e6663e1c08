/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When memory was last written that light clones read. What such a clone has counted holds for equal launches until then.
 * Only allocations with loads of a clone are watched (memory of cudaMalloc). Writes have numbers, in their order.
 * Thread-safe; while nothing is watched a launch takes two loads.
 */
#ifndef GP_MEMORY_WRITES_H
#define GP_MEMORY_WRITES_H

#include "base/device.h"

#include <stdatomic.h>
#include <stdint.h>

struct gp_kernel;

/* Places of allocations that have been taken; 0: nothing was ever watched. */
extern _Atomic uint32_t gp_memory_places;
static inline int gp_memory_is_watched(void) { return atomic_load_explicit(&gp_memory_places, memory_order_relaxed) > 0; }

/* The number of the latest write to what the kernel's clone reads in this launch; watches it from now on. Returns 0 where
 * that cannot be told: memory that others write, too; pointers from elsewhere; a kernel that may write there itself. The
 * caller knows the kernel's instances. */
int gp_memory_latest_write(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t *latest);

/* Before and after a launch: what the kernel may write is written. Null: it may write anywhere. */
void gp_memory_written_while_watched(const struct gp_kernel *kernel, const struct gp_launch *launch);
static inline void gp_memory_written_by(const struct gp_kernel *kernel, const struct gp_launch *launch) {
  if (gp_memory_is_watched())
    gp_memory_written_while_watched(kernel, launch);
}
/* Before and after other work: the allocation of this address is written, or any. */
void gp_memory_written(uint64_t address);
void gp_memory_written_anywhere(void);
/* The allocation of this address ends, or those of a whole context. */
void gp_memory_released(uint64_t address);
void gp_memory_all_released(void);
/* Memory may be written unseen from now on: nothing is told any more. `why` is half a sentence, and constant. */
void gp_memory_writes_unseen(const char *why);

/* In the child of a fork, and in tests: as at the start. */
void gp_memory_writes_begin_anew(void);

#endif
