// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The driver's contexts. All contexts of a device represent the device; each thread has a stack of them. */
#include "base/locks.h"
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/driver/cpu_driver.h"
#include "cuda-api/work/api.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { CREATED = 64, DEPTH = 16 };

struct context {
  bool exists;
  int device;
};

static struct context primaries[GP_CPU_DEVICES], created[CREATED];
GP_MUTEX(lock, GP_LOCK_DRIVER_CONTEXTS)
/* Numbers of contexts, the primary ones first. They are small, since a library opened late has little
 * thread-local memory. */
static _Thread_local struct {
  uint8_t contexts[DEPTH];
  uint8_t count;
} stack;
_Static_assert(GP_CPU_DEVICES + CREATED <= UINT8_MAX, "a context's number is a byte");

static struct context *primary_of(int device) {
  primaries[device].device = device; /* always the same */
  return &primaries[device];
}

static bool is_primary(const struct context *c) {
  return c >= primaries && c < primaries + gp_cpu_device_count();
}

static bool is_context(const void *context) {
  const struct context *c = context;
  return is_primary(c) || (c >= created && c < created + CREATED && c->exists);
}

int gp_driver_primary(void **context, int device) {
  if (!context)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_cpu_device_exists(device))
    return GP_ERROR_INVALID_DEVICE;
  *context = primary_of(device);
  return 0;
}

int gp_driver_retain(void **context, int device) {
  int error = gp_driver_primary(context, device);
  if (!error)
    primaries[device].exists = true;
  return error;
}

int gp_driver_primary_state(int device, unsigned *flags, int *active) {
  if (!flags || !active)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_cpu_device_exists(device))
    return GP_ERROR_INVALID_DEVICE;
  *flags = 0;
  *active = primaries[device].exists;
  return 0;
}

static struct context *top(void) {
  if (!stack.count)
    return NULL;
  unsigned number = stack.contexts[stack.count - 1];
  return number < GP_CPU_DEVICES ? &primaries[number] : &created[number - GP_CPU_DEVICES];
}

static uint8_t number_of(const struct context *c) {
  return (uint8_t)(is_primary(c) ? c - primaries : GP_CPU_DEVICES + (c - created));
}

/* ---- The current one ----------------------------------------------------------------------------------- */

/* If no context was made current, or cudaSetDevice() chose another device since: the device's primary
 * context. */
static struct context *current(void) {
  struct context *last = top();
  int device = gp_cpu_device();
  return last && last->device == device ? last : primary_of(device);
}

int gp_driver_get_current(void **context) {
  if (!context)
    return GP_ERROR_INVALID_VALUE;
  *context = current();
  return 0;
}

static void enter_top(void) {
  const struct context *last = top();
  if (last)
    gp_cpu_device_set(last->device);
}

int gp_driver_push(void *context) {
  if (!context || stack.count == DEPTH)
    return GP_ERROR_INVALID_VALUE;
  if (!is_context(context))
    return GP_DRIVER_INVALID_CONTEXT;
  stack.contexts[stack.count++] = number_of(context);
  enter_top();
  return 0;
}

int gp_driver_pop(void **context) {
  if (context)
    *context = current();
  stack.count -= stack.count > 0;
  enter_top();
  return 0;
}

int gp_driver_set_current(void *context) {
  if (context && !is_context(context))
    return GP_DRIVER_INVALID_CONTEXT;
  stack.count -= stack.count > 0;
  return context ? gp_driver_push(context) : 0;
}

/* ---- Contexts created by the program ------------------------------------------------------------------- */

static struct context *create(int device) {
  struct context *fresh = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < CREATED && !fresh; i++)
    if (!created[i].exists)
      fresh = &created[i];
  if (fresh)
    *fresh = (struct context){true, device};
  pthread_mutex_unlock(&lock);
  return fresh;
}

int gp_driver_context(void **context, int device) {
  if (!context)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_cpu_device_exists(device))
    return GP_ERROR_INVALID_DEVICE;
  struct context *fresh = create(device);
  if (!fresh)
    return GP_ERROR_MEMORY_ALLOCATION;
  *context = fresh;
  return gp_driver_push(fresh);
}

int gp_driver_destroy_context(void *context) {
  struct context *c = context;
  if (!c)
    return GP_ERROR_INVALID_VALUE;
  if (!is_context(c))
    return GP_DRIVER_INVALID_CONTEXT;
  if (top() == c)
    gp_driver_pop(NULL);
  pthread_mutex_lock(&lock);
  c->exists = false;
  pthread_mutex_unlock(&lock);
  return 0;
}

int gp_driver_peer(const void *context, int enable, unsigned flags) {
  const struct context *c = context;
  if (!is_context(c))
    return GP_DRIVER_INVALID_CONTEXT;
  return enable ? gp_cpu_cudaDeviceEnablePeerAccess(c->device, flags)
                : gp_cpu_cudaDeviceDisablePeerAccess(c->device);
}

/* The version of the driver's interface, unchanged since CUDA 3.2; null is the current context. */
int gp_driver_api_version(const void *context, unsigned *version) {
  enum { INTERFACE = 3020 };
  if (context && !is_context(context))
    return GP_DRIVER_INVALID_CONTEXT;
  if (!version)
    return GP_ERROR_INVALID_VALUE;
  *version = INTERFACE;
  return 0;
}

int gp_driver_context_flags(unsigned *flags) {
  enum { MAPS_HOST_MEMORY = 8 };
  if (!flags)
    return GP_ERROR_INVALID_VALUE;
  *flags = MAPS_HOST_MEMORY;
  return 0;
}

int gp_driver_stream_context(void *stream, void **context) {
  int device, error = context ? gp_cpu_cudaStreamGetDevice(stream, &device) : GP_ERROR_INVALID_VALUE;
  if (!error)
    *context = device == gp_cpu_device() ? current() : primary_of(device);
  return error;
}
