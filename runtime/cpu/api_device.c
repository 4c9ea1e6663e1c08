/* Devices, their properties and limits, versions, errors. There is one device, number 0. */
#include "cpu/api.h"
#include "cpu/emulator.h"
#include "cpu/errors.h"
#include "cpu/identity.h"
#include "modules.h"

#include <string.h>

enum { CUDA_12 = 12000, CUDA_13 = 13000, NONE = -1 };

/* ---- Properties ---------------------------------------------------------------------------------------- */

enum property {
#define GP_PROPERTY(field, bytes, offset_12, offset_13, attribute, value) PROPERTY_##field,
#include "cpu/properties.inc"
  PROPERTIES
};

static const struct {
  int bytes, offset_12, offset_13, attribute;
} layout[PROPERTIES] = {
#define GP_PROPERTY(field, bytes, offset_12, offset_13, attribute, value)                                    \
  {bytes, offset_12, offset_13, attribute},
#include "cpu/properties.inc"
};

static void get_values(int64_t values[PROPERTIES]) {
  uint64_t free_bytes, memory;
  gp_arena_totals(&free_bytes, &memory);
  const int64_t workers = gp_cpu_worker_count(), clock_khz = (int64_t)(gp_cpu_clock_hz() / 1000);
  const int64_t all[PROPERTIES] = {
#define GP_PROPERTY(field, bytes, offset_12, offset_13, attribute, value) (int64_t)(value),
#include "cpu/properties.inc"
  };
  memcpy(values, all, sizeof all);
}

/* Which layout the caller has is known from the headers that the program was compiled with. */
static size_t properties_bytes(uint32_t version) {
  return version >= CUDA_13 ? 1008 : version >= CUDA_12 || !version ? 1032 : 728;
}

int gp_cpu_cudaGetDeviceProperties(void *properties, int device) {
  if (!properties)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (device)
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  uint32_t version = gp_modules_cuda_version();
  int64_t values[PROPERTIES];
  get_values(values);
  memset(properties, 0, properties_bytes(version));
  gp_cpu_device_name(properties, 256);
  for (int i = 0; i < PROPERTIES; i++) {
    int offset = version >= CUDA_13 ? layout[i].offset_13 : layout[i].offset_12;
    if (offset != NONE)
      memcpy((char *)properties + offset, &values[i], (size_t)layout[i].bytes);
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceGetAttribute(int *value, int attribute, int device) {
  int64_t values[PROPERTIES];
  if (!value || attribute <= 0)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (device)
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  get_values(values);
  *value = 0; /* what is not in the list, this device does not have */
  for (int i = 0; i < PROPERTIES; i++)
    if (layout[i].attribute == attribute)
      *value = (int)values[i];
  return gp_cpu_result(0);
}

/* ---- The one device ------------------------------------------------------------------------------------ */

int gp_cpu_cudaGetDeviceCount(int *count) {
  if (!count)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *count = 1;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGetDevice(int *device) {
  if (!device)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *device = 0;
  return gp_cpu_result(0);
}

int gp_cpu_cudaSetDevice(int device) { return gp_cpu_result(device ? GP_ERROR_INVALID_DEVICE : 0); }

int gp_cpu_cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  return gp_cpu_cudaSetDevice(device);
}

static _Atomic unsigned device_flags;

int gp_cpu_cudaSetDeviceFlags(unsigned flags) {
  device_flags = flags;
  return gp_cpu_result(0);
}

int gp_cpu_cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *flags = device_flags;
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceSynchronize(void) {
  gp_cpu_wait();
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceReset(void) {
  gp_cpu_wait();
  gp_arena_release_all();
  gp_cpu_mend();
  return 0;
}

/* ---- Limits and configurations: remembered, without effect --------------------------------------------- */

enum { LIMITS = 7, LIMIT_STACK = 0, LIMIT_PRINTF = 1, LIMIT_HEAP = 2 };
static _Atomic size_t limits[LIMITS] = {
    [LIMIT_STACK] = GP_CPU_STACK_BYTES, [LIMIT_PRINTF] = 1 << 20, [LIMIT_HEAP] = 8 << 20};

int gp_cpu_cudaDeviceSetLimit(int limit, size_t value) {
  if (limit < 0 || limit >= LIMITS || (limit == LIMIT_STACK && value > GP_CPU_STACK_BYTES))
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (limit != LIMIT_STACK)
    limits[limit] = value;
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceGetLimit(size_t *value, int limit) {
  if (!value || limit < 0 || limit >= LIMITS)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *value = limits[limit];
  return gp_cpu_result(0);
}

static _Atomic int cache_configuration, shared_configuration;

static int remember(_Atomic int *place, int value) {
  *place = value;
  return gp_cpu_result(0);
}

static int recall(const _Atomic int *place, int *value) {
  if (!value)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *value = *place;
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceSetCacheConfig(int configuration) {
  return remember(&cache_configuration, configuration);
}
int gp_cpu_cudaDeviceGetCacheConfig(int *configuration) {
  return recall(&cache_configuration, configuration);
}
int gp_cpu_cudaDeviceSetSharedMemConfig(int configuration) {
  return remember(&shared_configuration, configuration);
}
int gp_cpu_cudaDeviceGetSharedMemConfig(int *configuration) {
  return recall(&shared_configuration, configuration);
}

int gp_cpu_cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (device || peer)
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  *can = 0;
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  (void)peer, (void)flags;
  return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
}

int gp_cpu_cudaDeviceDisablePeerAccess(int peer) {
  (void)peer;
  return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
}

/* ---- Versions, profiler, errors ------------------------------------------------------------------------ */

/* The version of the headers, so that programs find what they were compiled for. */
int gp_cpu_cudaRuntimeGetVersion(int *version) {
  uint32_t compiled = gp_modules_cuda_version();
  if (!version)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *version = compiled ? (int)compiled : CUDA_12;
  return gp_cpu_result(0);
}

int gp_cpu_cudaDriverGetVersion(int *version) { return gp_cpu_cudaRuntimeGetVersion(version); }

int gp_cpu_cudaProfilerStart(void) { return gp_cpu_result(0); }
int gp_cpu_cudaProfilerStop(void) { return gp_cpu_result(0); }

int gp_cpu_cudaGetLastError(void) { return gp_cpu_last_error(1); }
int gp_cpu_cudaPeekAtLastError(void) { return gp_cpu_last_error(0); }
const char *gp_cpu_cudaGetErrorName(int error) { return gp_cpu_error_name(error); }
const char *gp_cpu_cudaGetErrorString(int error) { return gp_cpu_error_text(error); }
