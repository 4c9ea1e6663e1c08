// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The tables handed over by libgpuprof-cpu.so to libgpuprof when it is opened (runtime/cpu/cpu_library.h). */
#include "core_calls.h"
#include "cpu/cpu_library.h"
#include "cuda-api/runtime/api_table.h"
#include "device_cpu.h"
#include "engine/entries.h"
#include "memory/arena.h"

#include <string.h>

static const void *const entries[] = {
#define GPUPROF_CPU_ENTRY(schedule, result, name, parameters) (const void *)name,
#include "gpuprof/cpu_entries.inc"
};

static const struct gp_cpu_library library = {.device = &gp_device_cpu, .entries = entries};

__attribute__((visibility("default"))) const struct gp_cpu_library *gp_cpu_open(const struct gp_core_calls *core) {
  if (strcmp(core->version, GPUPROF_VERSION) || core->bytes != sizeof *core)
    return NULL;
  gp_core_calls_open(core);
  gp_cpu_sectors = core->sectors;
  gp_cpu_api_open();
  return &library;
}
