// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The driver's attributes of an address, and fills of two dimensions. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/driver/cpu_driver.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/runtime/program_module.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/memory.h"

#include <string.h>

/* The known ones of CUpointer_attribute. */
enum {
  CONTEXT = 1,
  MEMORY_TYPE = 2,
  DEVICE_POINTER = 3,
  HOST_POINTER = 4,
  SYNC_MEMOPS = 6,
  BUFFER_ID = 7,
  IS_MANAGED = 8,
  DEVICE_ORDINAL = 9,
  IS_LEGACY_IPC_CAPABLE = 10,
  RANGE_START = 11,
  RANGE_SIZE = 12,
  MAPPED = 13,
  POOL = 17,
};
enum { TYPE_HOST = 1, TYPE_DEVICE = 2, NO_DEVICE = -2 };

/* Memory known to CUDA: its start, size and owner. */
struct known {
  uint64_t start, bytes;
  int device;
  bool is_host, is_managed, is_device_alone;
  void *pool;
};

static bool find(struct known *known, uint64_t address) {
  struct gp_allocation a;
  struct gp_registered r;
  const struct gpuprof_cpu_variable *v;
  *known = (struct known){.device = gp_cpu_device()};
  if (gp_arena_find(address, &a)) {
    *known = (struct known){.start = a.address,
                            .bytes = a.bytes,
                            .device = a.device,
                            .is_host = a.kind == GP_MEMORY_HOST,
                            .is_managed = a.kind == GP_MEMORY_MANAGED,
                            .is_device_alone = a.kind == GP_MEMORY_DEVICE,
                            .pool = a.pool};
  } else if (gp_registered_find((void *)address, &r)) {
    known->start = (uint64_t)r.address;
    known->bytes = r.bytes;
    known->is_host = true;
  } else if ((v = gp_memory_variable((void *)address))) {
    known->start = (uint64_t)v->address;
    known->bytes = v->bytes;
    known->is_managed = (v->flags & GPUPROF_CPU_VARIABLE_MANAGED) != 0;
    known->is_device_alone = !known->is_managed;
  } else {
    return false;
  }
  return true;
}

int gp_driver_address_range(uint64_t *start, size_t *bytes, uint64_t address) {
  struct known known;
  if (!find(&known, address))
    return GP_DRIVER_NOT_FOUND;
  if (start)
    *start = known.start;
  if (bytes)
    *bytes = known.bytes;
  return 0;
}

static int tell(void *result, const void *value, size_t bytes) {
  memcpy(result, value, bytes);
  return 0;
}

#define TELL(type, value) tell(result, &(type){value}, sizeof(type))

/* An attribute of memory known to CUDA. */
static int attribute_of(void *result, int attribute, const struct known *known, uint64_t address) {
  void *context = NULL;
  switch (attribute) {
  case CONTEXT:
    gp_driver_primary(&context, known->device);
    return TELL(void *, context);
  case MEMORY_TYPE:
    return TELL(unsigned, known->is_host ? TYPE_HOST : TYPE_DEVICE);
  case DEVICE_POINTER:
    return TELL(uint64_t, address);
  case HOST_POINTER:
    return known->is_device_alone ? GP_ERROR_INVALID_VALUE : TELL(uint64_t, address);
  case BUFFER_ID:
    return TELL(uint64_t, known->start);
  case SYNC_MEMOPS:
    return TELL(bool, true); /* all work is done when the requesting call returns */
  case IS_MANAGED:
    return TELL(bool, known->is_managed);
  case IS_LEGACY_IPC_CAPABLE:
    return TELL(bool, known->is_device_alone && !known->pool);
  case DEVICE_ORDINAL:
    return TELL(int, known->device);
  case RANGE_START:
    return TELL(uint64_t, known->start);
  case RANGE_SIZE:
    return TELL(uint64_t, known->bytes);
  case MAPPED:
    return TELL(bool, true);
  case POOL:
    return TELL(void *, known->pool);
  default:
    return GP_ERROR_INVALID_VALUE;
  }
}

int gp_driver_pointer_attribute(void *result, int attribute, uint64_t address) {
  struct known known;
  if (!result || !find(&known, address))
    return GP_ERROR_INVALID_VALUE;
  return attribute_of(result, attribute, &known, address);
}

/* Bytes of an attribute's value. */
static size_t size_of(int attribute) {
  switch (attribute) {
  case MEMORY_TYPE:
  case DEVICE_ORDINAL:
    return sizeof(int);
  case SYNC_MEMOPS:
  case IS_MANAGED:
  case IS_LEGACY_IPC_CAPABLE:
  case MAPPED:
    return sizeof(bool);
  default:
    return sizeof(uint64_t);
  }
}

/* An unknown attribute of memory, or any attribute of unknown memory, is 0; its device is -2. */
int gp_driver_pointer_attributes(unsigned count, const int *attributes, void **results, uint64_t address) {
  struct known known;
  if (!count || !attributes || !results)
    return GP_ERROR_INVALID_VALUE;
  const bool found = find(&known, address);
  for (unsigned i = 0; i < count; i++) {
    if (found && !attribute_of(results[i], attributes[i], &known, address))
      continue;
    memset(results[i], 0, size_of(attributes[i]));
    if (attributes[i] == DEVICE_ORDINAL)
      tell(results[i], &(int){NO_DEVICE}, sizeof(int));
  }
  return 0;
}

int gp_driver_pitched(void **address, size_t *pitch, size_t width, size_t height, unsigned element_bytes) {
  if (!address || !pitch || !width || !height ||
      (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
    return GP_ERROR_INVALID_VALUE;
  return gp_cpu_cudaMallocPitch(address, pitch, width, height);
}

int gp_driver_fill_rows(uint64_t to, size_t pitch, unsigned value, unsigned element_bytes, size_t width,
                        size_t height, void *stream) {
  const struct gp_work work = {.kind = GP_WORK_FILL,
                               .device = gp_cpu_device(),
                               .fill = {.to = (void *)to,
                                        .value = value,
                                        .element_bytes = element_bytes,
                                        .pitch = pitch,
                                        .width = width,
                                        .height = height,
                                        .depth = 1}};
  if (to % element_bytes || pitch % element_bytes)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  return gp_cpu_result(gp_stream_submit(stream, &work));
}
