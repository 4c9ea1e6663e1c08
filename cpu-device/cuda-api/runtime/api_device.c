// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Devices, their properties and limits, versions, errors. */
#include "common/devices.h"
#include "common/errors.h"
#include "common/identity.h"
#include "common/launching.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "engine/emulator.h"
#include "exports/driver_functions.h"
#include "memory/mappings.h"
#include "sheet/modules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CUDA_12 = 12000, CUDA_13 = 13000, NONE = -1 };

/* ---- Properties ---------------------------------------------------------------------------------------- */

enum property {
#define GP_PROPERTY(field, bytes, offset_12, offset_13, attribute, value) PROPERTY_##field,
#include "cuda-api/runtime/properties.inc"
  PROPERTIES
};

static const struct {
  int bytes, offset_12, offset_13, attribute;
} layout[PROPERTIES] = {
#define GP_PROPERTY(field, bytes, offset_12, offset_13, attribute, value)                                    \
  {bytes, offset_12, offset_13, attribute},
#include "cuda-api/runtime/properties.inc"
};

/* Benchmarks clear as many bytes before each launch: a server's processor has ten times an H200's. */
#define H200_L2_BYTES 62914560

static void get_values(int64_t values[PROPERTIES], int device) {
  uint64_t free_bytes, memory;
  gp_arena_totals(0, &free_bytes, &memory);
  const int64_t devices = gp_cpu_device_count();
  const long last_level = sysconf(_SC_LEVEL3_CACHE_SIZE), second_level = sysconf(_SC_LEVEL2_CACHE_SIZE);
  const int64_t cache = last_level > 0 ? last_level : second_level > 0 ? second_level : 1 << 20;
  const int64_t cache_bytes = cache < H200_L2_BYTES ? cache : H200_L2_BYTES;
  const int64_t workers = gp_cpu_worker_count(), clock_khz = (int64_t)(gp_cpu_clock_hz() / 1000);
  const int64_t all[PROPERTIES] = {
#define GP_PROPERTY(field, bytes, offset_12, offset_13, attribute, value) (int64_t)(value),
#include "cuda-api/runtime/properties.inc"
  };
  memcpy(values, all, sizeof all);
}

/* The layout known to the caller follows from the headers used to compile the program. */
static size_t properties_bytes(uint32_t version) {
  return version >= CUDA_13 ? 1008 : version >= CUDA_12 || !version ? 1032 : 728;
}

int gp_cpu_cudaGetDeviceProperties(void *properties, int device) {
  if (!properties)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(device))
    return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  uint32_t version = gp_modules_cuda_version();
  int64_t values[PROPERTIES];
  get_values(values, device);
  memset(properties, 0, properties_bytes(version));
  gp_cpu_device_name(properties, 256);
  for (int i = 0; i < PROPERTIES; i++) {
    int offset = version >= CUDA_13 ? layout[i].offset_13 : layout[i].offset_12;
    if (offset != NONE && (size_t)(offset + layout[i].bytes) <= properties_bytes(version))
      memcpy((char *)properties + offset, &values[i], (size_t)layout[i].bytes);
  }
  return gp_cpu_answer(0);
}

enum { LAST_ATTRIBUTE = 147 };

int gp_cpu_cudaDeviceGetAttribute(int *value, int attribute, int device) {
  int64_t values[PROPERTIES];
  if (!value || attribute <= 0 || attribute > LAST_ATTRIBUTE)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(device))
    return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  get_values(values, device);
  *value = 0; /* attributes missing in the list are absent from this device */
  for (int i = 0; i < PROPERTIES; i++)
    if (layout[i].attribute == attribute)
      *value = (int)values[i];
  return gp_cpu_answer(0);
}

/* ---- Devices ------------------------------------------------------------------------------------------- */

int gp_cpu_cudaGetDeviceCount(int *count) {
  if (!count)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  *count = gp_cpu_device_count();
  return gp_cpu_answer(0);
}

int gp_cpu_cudaGetDevice(int *device) {
  if (!device)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  *device = gp_cpu_device();
  return gp_cpu_answer(0);
}

int gp_cpu_cudaSetDevice(int device) {
  if (!gp_cpu_device_exists(device))
    return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  gp_cpu_device_set(device);
  return gp_cpu_answer(0);
}

int gp_cpu_cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
  (void)device_flags, (void)flags;
  return gp_cpu_answer(gp_cpu_device_exists(device) ? 0 : GP_ERROR_INVALID_DEVICE);
}

int gp_cpu_cudaSetValidDevices(int *devices, int count) {
  if (!devices || count < 0)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  for (int i = 0; i < count; i++)
    if (!gp_cpu_device_exists(devices[i]))
      return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  return gp_cpu_answer(0);
}

/* All devices are alike. */
int gp_cpu_cudaChooseDevice(int *device, const void *properties) {
  if (!device || !properties)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  *device = 0;
  return gp_cpu_answer(0);
}

/* Devices have made-up bus addresses: the bus numbers are the device numbers. */
enum { BUS_ID_BYTES = 13 };

int gp_cpu_cudaDeviceGetPCIBusId(char *text, int length, int device) {
  if (!text || length < BUS_ID_BYTES)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(device))
    return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  snprintf(text, BUS_ID_BYTES, "0000:%02X:00.0", device & 0xff);
  return gp_cpu_answer(0);
}

int gp_cpu_cudaDeviceGetByPCIBusId(int *device, const char *text) {
  unsigned domain, bus, slot, function = 0;
  if (!device || !text ||
      (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
       (domain = 0, sscanf(text, "%x:%x.%x", &bus, &slot, &function) != 3)))
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  if (domain || slot || function || !gp_cpu_device_exists((int)bus))
    return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  *device = (int)bus;
  return gp_cpu_answer(0);
}

/* ---- Flags --------------------------------------------------------------------------------------------- */

enum {
  SCHEDULE_SPIN = 1,
  SCHEDULE_YIELD = 2,
  SCHEDULE_BLOCKING = 4,
  SCHEDULES = 7,
  MAP_HOST = 8,
  FLAGS = 31 | 128
};

static _Atomic unsigned device_flags;

int gp_cpu_cudaSetDeviceFlags(unsigned flags) {
  unsigned schedule = flags & SCHEDULES;
  if (flags & ~(unsigned)FLAGS || (schedule & (schedule - 1)))
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  device_flags = flags;
  return gp_cpu_answer(0);
}

/* All memory is mapped. */
int gp_cpu_cudaGetDeviceFlags(unsigned *flags) {
  if (!flags)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  *flags = device_flags | MAP_HOST;
  return gp_cpu_answer(0);
}

int gp_cpu_cudaThreadExit(void) { return gp_cpu_cudaDeviceReset(); }

int gp_cpu_cudaDeviceReset(void) {
  int device = gp_cpu_device();
  gp_cpu_wait();
  gp_mappings_reset(device);
  gp_arena_release_all(device);
  gp_cpu_device_forget_variables(device);
  gp_cpu_mend(device);
  return 0;
}

/* ---- Limits and configurations: remembered, without effect --------------------------------------------- */

/* cudaLimit. A lane's stack always has its full size: queries return the requested value. */
enum {
  LIMIT_STACK,
  LIMIT_PRINTF,
  LIMIT_HEAP,
  LIMIT_SYNC_DEPTH,
  LIMIT_PENDING,
  LIMIT_L2_FETCH,
  LIMIT_L2_PERSISTING,
  LIMITS
};
static _Atomic size_t limits[LIMITS] = {[LIMIT_STACK] = 1024,
                                        [LIMIT_PRINTF] = 7 << 20,
                                        [LIMIT_HEAP] = 8 << 20,
                                        [LIMIT_PENDING] = 2048,
                                        [LIMIT_L2_FETCH] = 64};

static int check_limit(int limit) {
  return limit < 0 || limit >= LIMITS ? GP_ERROR_INVALID_VALUE
         : limit == LIMIT_SYNC_DEPTH  ? GP_ERROR_UNSUPPORTED_LIMIT
                                      : 0;
}

int gp_cpu_cudaDeviceSetLimit(int limit, size_t value) {
  int error = check_limit(limit);
  if (!error && limit == LIMIT_STACK && value > GP_CPU_STACK_BYTES)
    error = GP_ERROR_INVALID_VALUE;
  if (!error)
    limits[limit] = value;
  return gp_cpu_result(error);
}

int gp_cpu_cudaDeviceGetLimit(size_t *value, int limit) {
  int error = value ? check_limit(limit) : GP_ERROR_INVALID_VALUE;
  if (!error)
    *value = limits[limit];
  return gp_cpu_result(error);
}

enum { CACHE_CONFIGURATIONS = 4, BANK_CONFIGURATIONS = 3, FOUR_BYTE_BANKS = 1 };
static _Atomic int cache_configuration;

int gp_cpu_cudaDeviceSetCacheConfig(int configuration) {
  if (configuration < 0 || configuration >= CACHE_CONFIGURATIONS)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  cache_configuration = configuration;
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceGetCacheConfig(int *configuration) {
  if (!configuration)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *configuration = cache_configuration;
  return gp_cpu_result(0);
}

/* Since compute capability 5.0 banks have four bytes, whatever is set. */
int gp_cpu_cudaDeviceSetSharedMemConfig(int configuration) {
  return gp_cpu_result(configuration < 0 || configuration >= BANK_CONFIGURATIONS ? GP_ERROR_INVALID_VALUE
                                                                                 : 0);
}

int gp_cpu_cudaDeviceGetSharedMemConfig(int *configuration) {
  if (!configuration)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *configuration = FOUR_BYTE_BANKS;
  return gp_cpu_result(0);
}

int gp_cpu_cudaCtxResetPersistingL2Cache(void) { return gp_cpu_result(0); }

/* Their old names. */
int gp_cpu_cudaThreadSetLimit(int limit, size_t value) { return gp_cpu_cudaDeviceSetLimit(limit, value); }
int gp_cpu_cudaThreadGetLimit(size_t *value, int limit) { return gp_cpu_cudaDeviceGetLimit(value, limit); }
int gp_cpu_cudaThreadSetCacheConfig(int configuration) {
  return gp_cpu_cudaDeviceSetCacheConfig(configuration);
}
int gp_cpu_cudaThreadGetCacheConfig(int *configuration) {
  return gp_cpu_cudaDeviceGetCacheConfig(configuration);
}
int gp_cpu_cudaThreadSynchronize(void) { return gp_cpu_cudaDeviceSynchronize(); }

/* ---- Peers: every device reaches all memory; permissions are only recorded ----------------------------- */

static _Atomic bool enabled[GP_CPU_DEVICES][GP_CPU_DEVICES];

int gp_cpu_cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(device) || !gp_cpu_device_exists(peer))
    return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  *can = device != peer;
  return gp_cpu_answer(0);
}

int gp_cpu_cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  int device = gp_cpu_device();
  if (flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(peer))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  if (peer == device)
    return gp_cpu_result(GP_ERROR_PEER_UNSUPPORTED);
  return gp_cpu_result(atomic_exchange(&enabled[device][peer], true) ? GP_ERROR_PEER_ENABLED : 0);
}

int gp_cpu_cudaDeviceDisablePeerAccess(int peer) {
  if (!gp_cpu_device_exists(peer))
    return gp_cpu_result(GP_ERROR_INVALID_DEVICE);
  return gp_cpu_result(atomic_exchange(&enabled[gp_cpu_device()][peer], false) ? 0
                                                                               : GP_ERROR_PEER_NOT_ENABLED);
}

enum { P2P_RANK = 1, P2P_ACCESS, P2P_ATOMICS, P2P_ARRAYS, P2P_PARTIAL_ATOMICS };

int gp_cpu_cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
  if (!value || attribute < P2P_RANK || attribute > P2P_PARTIAL_ATOMICS)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  if (!gp_cpu_device_exists(from) || !gp_cpu_device_exists(to) || from == to)
    return gp_cpu_answer(GP_ERROR_INVALID_DEVICE);
  *value = attribute != P2P_RANK;
  return gp_cpu_answer(0);
}

/* ---- Versions, profiler, errors ------------------------------------------------------------------------ */

/* The version of the headers: programs find the version they were compiled for. */
int gp_cpu_cudaRuntimeGetVersion(int *version) {
  uint32_t compiled = gp_modules_cuda_version();
  if (!version)
    return gp_cpu_answer(GP_ERROR_INVALID_VALUE);
  *version = compiled ? (int)compiled : CUDA_12;
  return gp_cpu_answer(0);
}

int gp_cpu_cudaDriverGetVersion(int *version) { return gp_cpu_cudaRuntimeGetVersion(version); }

/* CUDA 11 has no status. */
int gp_cpu_cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *status) {
  uint32_t version = gp_modules_cuda_version();
  (void)flags;
  return gp_cpu_answer(gp_driver_address(name, function, version && version < CUDA_12 ? NULL : status));
}

int gp_cpu_cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                            unsigned long long flags, int *status) {
  (void)version, (void)flags;
  return gp_cpu_answer(gp_driver_address(name, function, status));
}

int gp_cpu_cudaProfilerStart(void) { return gp_cpu_answer(0); }
int gp_cpu_cudaProfilerStop(void) { return gp_cpu_answer(0); }

int gp_cpu_cudaGetLastError(void) { return gp_cpu_last_error(1); }
int gp_cpu_cudaPeekAtLastError(void) { return gp_cpu_last_error(0); }
const char *gp_cpu_cudaGetErrorName(int error) { return gp_cpu_error_name(error); }
const char *gp_cpu_cudaGetErrorString(int error) { return gp_cpu_error_text(error); }
