// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions called by compiled kernels besides barriers and warp operations: memory, time, printf and stops.
 */
#include "common/errors.h"
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "engine/format.h"
#include "memory/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void *__gpuprof_cpu_self(void) { return &gp_cpu_worker->current->state; }

uint64_t __gpuprof_cpu_grid_workspace(void) {
  struct gp_cpu_launch *launch = gp_cpu_worker->launch;
  return launch->cooperative ? (uint64_t)&launch->workspace : 0;
}

void __gpuprof_cpu_yield(void *thread) {
  struct gp_lane *lane = ((struct gpuprof_cpu_thread *)thread)->fiber;
  if (lane)
    gp_lane_yield(lane);
}

void __gpuprof_cpu_nanosleep(void *thread, uint32_t ns) {
  (void)ns; /* the work of the other lanes takes longer */
  __gpuprof_cpu_yield(thread);
}

uint32_t __gpuprof_cpu_vprintf(void *format, void *arguments) {
  uint32_t count = 0;
  size_t bytes = 0;
  char *text = gp_format_device(format, arguments, &bytes, &count);
  if (text)
    fwrite(text, 1, bytes, stdout);
  free(text);
  return count;
}

void *__gpuprof_cpu_malloc(uint64_t bytes) {
  void *memory = malloc(bytes);
  if (memory)
    memset(memory, gp_cpu_fresh_byte(), bytes);
  return memory;
}

void __gpuprof_cpu_free(void *pointer) { free(pointer); }

void __gpuprof_cpu_assert_fail(void *message, void *file, uint32_t line, void *function) {
  gp_cpu_stop(GP_ERROR_ASSERT, "%s:%u: %s: assertion `%s' failed", file ? (const char *)file : "?", line,
              function ? (const char *)function : "?", message ? (const char *)message : "?");
}

void __gpuprof_cpu_trap(void *reason) {
  gp_cpu_stop(GP_ERROR_LAUNCH_FAILURE, "trap: %s",
              reason ? (const char *)reason : "the kernel stopped itself");
}

void __gpuprof_cpu_unsupported(void *what, void *file, uint32_t line) {
  gp_cpu_stop(GP_ERROR_NOT_SUPPORTED, "%s:%u: the CPU device cannot run %s; run this kernel on a GPU",
              file && *(const char *)file ? (const char *)file : "?", line,
              what ? (const char *)what : "an instruction");
}

uint64_t __gpuprof_cpu_clock(void) { return __builtin_ia32_rdtsc(); }

uint64_t __gpuprof_cpu_globaltimer(void) { return nanoseconds(CLOCK_REALTIME); }

uint32_t __gpuprof_cpu_is_shared(void *thread, void *address) {
  (void)thread;
  return gp_worker_owns_shared(gp_cpu_worker, (uint64_t)address);
}

uint32_t __gpuprof_cpu_is_global(void *thread, void *address) {
  return !__gpuprof_cpu_is_shared_of_cluster(thread, address) &&
         !gp_worker_owns_stack(gp_cpu_worker, (uint64_t)address);
}
