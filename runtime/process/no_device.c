// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/no_device.h"

#include "exports/cuda_functions.h"

enum { NO_DEVICE = 100 }; /* cudaErrorNoDevice, CUDA_ERROR_NO_DEVICE */

/* ---- CUDA ---- */
/* Parameters keep their names in cudart.inc, and these functions read none of them. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GP_CUDART(name, parameters, arguments, cpu)                                                          \
  static int no_##name parameters { return NO_DEVICE; }
#define GP_CUDART_TEXT(name, parameters, arguments, cpu)                                                     \
  static const char *no_##name parameters { return "no CUDA-capable device is detected"; }
#define GP_CUDART_VERSION(name, base, parameters, arguments, cpu)                                            \
  static int no_##name parameters { return NO_DEVICE; }
#include "exports/cudart.inc"
#pragma GCC diagnostic pop

static const struct gp_cudart table = {
#define GP_CUDART(name, parameters, arguments, cpu) .name = no_##name,
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) .name = no_##base,
#define GP_CUDART_VERSION(name, base, parameters, arguments, cpu) .name = no_##name,
#include "exports/cudart.inc"
};

static const struct gp_cudart *runtime(void) { return &table; }

static int no_driver(void) { return NO_DEVICE; }
static void *driver(const char *name) {
  (void)name;
  int (*function)(void) = no_driver;
  return *(void **)&function;
}

static const struct gp_cuda_functions cuda = {.name = "this machine", .runtime = runtime, .driver = driver};

/* ---- The core's seam ---- */
static int describe(int device, struct gp_device_info *info) { return (void)device, (void)info, NO_DEVICE; }
static int current(int *device) { return (void)device, NO_DEVICE; }
static int choose(int device) { return (void)device, NO_DEVICE; }
static int allocate(uint64_t *address, size_t bytes) { return (void)address, (void)bytes, NO_DEVICE; }
static int release(uint64_t address) { return (void)address, NO_DEVICE; }
static int read_memory(void *host, uint64_t address, size_t bytes) {
  return (void)host, (void)address, (void)bytes, NO_DEVICE;
}
static int write_memory(uint64_t address, const void *host, size_t bytes) {
  return (void)address, (void)host, (void)bytes, NO_DEVICE;
}
static int zero(uint64_t address, size_t bytes) { return (void)address, (void)bytes, NO_DEVICE; }
static int memory_in_use(uint64_t *bytes) { return (void)bytes, NO_DEVICE; }
static int store_ordered(uint64_t address, uint64_t value, void *stream) {
  return (void)address, (void)value, (void)stream, NO_DEVICE;
}
static int symbol(const void *shadow, uint64_t *address, size_t *bytes) {
  return (void)shadow, (void)address, (void)bytes, NO_DEVICE;
}
static int allocation(uint64_t address, struct gp_memory_range *memory) {
  return (void)address, (void)memory, NO_DEVICE;
}
static int synchronize(void) { return NO_DEVICE; }
static int capturing(void *stream) { return (void)stream, 0; }
static void launch_begin(const struct gp_launch *launch) { (void)launch; }
static void launch_end(const struct gp_launch *launch, int error) { (void)launch, (void)error; }
static const char *launch_clone(const struct gp_launch *launch, const char *suffix) {
  return (void)launch, (void)suffix, "there is no device";
}
static const char *launch_instrumented(const struct gp_launch *launch, const char *suffix, int *error) {
  return (void)launch, (void)suffix, (void)error, "there is no device";
}
static void flush(void) {}
static const char *error_text(int error) { return (void)error, "no CUDA-capable device is detected"; }

const struct gp_device_ops gp_no_device = {
    .kind = "none",
    .cuda = &cuda,
    .describe = describe,
    .current = current,
    .select = choose,
    .allocate = allocate,
    .release = release,
    .read = read_memory,
    .write = write_memory,
    .zero = zero,
    .memory_in_use = memory_in_use,
    .store_ordered = store_ordered,
    .symbol = symbol,
    .allocation = allocation,
    .synchronize = synchronize,
    .capturing = capturing,
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .launch_clone = launch_clone,
    .launch_instrumented = launch_instrumented,
    .flush = flush,
    .error_text = error_text,
};
