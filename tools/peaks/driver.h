/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver's library, opened when it is needed: no CUDA toolkit is needed to build or to run. */
#ifndef GP_TOOL_DRIVER_H
#define GP_TOOL_DRIVER_H

#include "common/text.h"

/* Numbers of enum CUdevice_attribute. */
#define DRIVER_ATTRIBUTES(X)                                                                                 \
  X(SM_COUNT, 16)                                                                                            \
  X(CLOCK_KHZ, 13)                                                                                           \
  X(MEMORY_CLOCK_KHZ, 36)                                                                                    \
  X(MEMORY_BUS_BITS, 37)                                                                                     \
  X(L2_BYTES, 38)                                                                                            \
  X(CAPABILITY_MAJOR, 75)                                                                                    \
  X(CAPABILITY_MINOR, 76)

enum driver_attribute {
#define DRIVER_ATTRIBUTE_ID(id, number) DRIVER_##id = number,
  DRIVER_ATTRIBUTES(DRIVER_ATTRIBUTE_ID)
#undef DRIVER_ATTRIBUTE_ID
};

struct gpu {
  int index;
  char name[128], uuid[48]; /* "GPU-01234567-…", as NVML prints it */
  int driver_version;       /* of CUDA, 13000 */
  unsigned sm_count, capability, clock_khz, memory_clock_khz, memory_bus_bits;
  size_t l2_bytes, free_bytes;
  char bus[24]; /* "0000:17:00.0" */
};

/* Opens the library and counts the GPUs. Returns null, or the reason why there is none. */
const char *driver_open(int *count);
/* Describes a GPU and makes it the current one. Returns null or a reason. */
const char *driver_select(int index, struct gpu *gpu);
void driver_release(const struct gpu *gpu);

/* Memory of the GPU; 0 where there is no room. */
uint64_t driver_allocate(size_t bytes);
void driver_free(uint64_t address);
bool driver_put(uint64_t address, const void *bytes, size_t count);
bool driver_get(void *bytes, uint64_t address, size_t count);
bool driver_set_words(uint64_t address, uint32_t word, size_t bytes);

struct driver_kernel {
  void *module, *function;
};
/* Compiles PTX. False: `reason` says why not, in the driver's words. */
bool driver_compile(struct driver_kernel *kernel, const char *ptx, struct text *reason);
void driver_unload(struct driver_kernel *kernel);

struct driver_launch {
  unsigned blocks, threads;
  uint64_t out, in, clocks, size;
  uint32_t iterations;
};
/* Runs a kernel and measures it by events; `meanwhile` is called while it runs. False: `reason` says why not. */
bool driver_run(const struct driver_kernel *kernel, const struct driver_launch *launch,
                void (*meanwhile)(void *), void *closure, double *milliseconds, struct text *reason);

#endif
