/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels written by hand for tests of the CPU device: C
 * functions calling the entries as compiled kernels do. */
#ifndef CPU_KERNEL_H
#define CPU_KERNEL_H

#include "common/errors.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "memory/arena.h"

typedef struct gpuprof_cpu_thread thread;

/* Runs `body` as a kernel with one argument, a pointer. */
static inline int run_kernel(void (*body)(thread *, void **), uint32_t blocks, uint32_t threads,
                             void *argument) {
  struct gpuprof_cpu_kernel kernel = {.name = "hand_written", .thread = body};
  const uint32_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
  void *arguments[] = {&argument};
  return gp_cpu_run(&kernel, grid, block, arguments, 0, GP_CPU_SHARED_DEFAULT);
}

static inline uint32_t thread_number(const thread *t) { return t->ctaid_x * t->ntid_x + t->tid_x; }

#define ARGUMENT(type) (*(type **)arguments[0])

#endif
