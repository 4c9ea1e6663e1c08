// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Streams, and their calls of host functions. */
#include "common/devices.h"
#include "common/errors.h"
#include "common/launching.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"
#include "memory/memory.h"

#include <string.h>

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };
enum { ATTRIBUTE_SYNCHRONIZATION = 3, ATTRIBUTE_PRIORITY = 8 }; /* cudaLaunchAttributeID */

int gp_cpu_cudaStreamCreateWithPriority(void **handle, unsigned flags, int priority) {
  if (!handle || flags > GP_CUDA_STREAM_NON_BLOCKING)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *handle = NULL;
  if (gp_cpu_broken())
    return gp_cpu_result(0);
  priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
             : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                            : priority;
  struct gp_stream *stream = gp_stream_create(flags, priority);
  if (!stream)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  const int none = -1; /* the value of a fresh stream on a GPU */
  memcpy(stream->attributes[ATTRIBUTE_SYNCHRONIZATION], &none, sizeof none);
  memcpy(stream->attributes[ATTRIBUTE_PRIORITY], &priority, sizeof priority);
  *handle = stream;
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamCreate(void **stream) { return gp_cpu_cudaStreamCreateWithPriority(stream, 0, 0); }

int gp_cpu_cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  return gp_cpu_cudaStreamCreateWithPriority(stream, flags, 0);
}

static bool is_default(void *handle) { return (uintptr_t)handle <= 2; }

int gp_cpu_cudaStreamDestroy(void *handle) {
  struct gp_stream *stream;
  if (is_default(handle) || gp_stream_check(handle, &stream))
    return gp_cpu_answer(GP_ERROR_INVALID_HANDLE);
  gp_capture_forget_stream(stream);
  gp_stream_destroy(stream);
  return gp_cpu_result(0);
}

/* ---- Waiting ---------------------------------------------------------------------------------------------- */

static int wait_for(void *handle) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  return error ? error : gp_capture_forbids_waiting(stream);
}

int gp_cpu_cudaStreamSynchronize(void *handle) {
  int error = wait_for(handle);
  if (!error)
    gp_cpu_wait();
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamQuery(void *handle) { return gp_cpu_result(wait_for(handle)); }

int gp_cpu_cudaDeviceSynchronize(void) {
  int error = gp_capture_forbids_waiting(NULL);
  if (!error)
    gp_cpu_wait();
  return gp_cpu_result(error);
}

/* ---- Functions of the host ----------------------------------------------------------------------------- */

struct callback {
  void (*call)(void *, int, void *);
  void *stream, *data;
};

static void call_back(void *closure) {
  const struct callback *c = closure;
  c->call(c->stream, gp_cpu_broken(), c->data);
}

int gp_cpu_cudaStreamAddCallback(void *handle, void *callback, void *data, unsigned flags) {
  struct gp_stream *stream;
  struct callback call = {.stream = handle, .data = data};
  *(void **)&call.call = callback;
  if (!callback || flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check_for_work(handle, &stream);
  if (error)
    return gp_cpu_result(error);
  /* unlike cudaLaunchHostFunc it cannot become a node */
  if (stream->capture && gp_capture_invalidate_of(stream))
    return gp_cpu_result(GP_ERROR_CAPTURE_UNSUPPORTED);
  gp_cpu_call_host(call_back, &call);
  return gp_cpu_result(0);
}

int gp_cpu_cudaLaunchHostFunc(void *stream, void *function, void *data) {
  struct gp_work work = {.kind = GP_WORK_HOST, .device = gp_cpu_device()};
  if (!function)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *(void **)&work.host.call = function;
  work.host.data = data;
  return gp_cpu_result(gp_stream_submit(stream, &work));
}

/* ---- Facts --------------------------------------------------------------------------------------------- */

int gp_cpu_cudaStreamGetPriority(void *handle, int *priority) {
  struct gp_stream *stream;
  if (!priority)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(handle, &stream);
  if (!error)
    *priority = stream->priority;
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamGetFlags(void *handle, unsigned *flags) {
  struct gp_stream *stream;
  if (!flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(handle, &stream);
  if (!error)
    *flags = stream->flags;
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamGetId(void *handle, unsigned long long *id) {
  struct gp_stream *stream;
  if (!id)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(handle, &stream);
  if (!error)
    *id = stream->id;
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamGetDevice(void *handle, int *device) {
  struct gp_stream *stream;
  if (!device)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(handle, &stream);
  if (!error)
    *device = stream->device;
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamAttachMemAsync(void *handle, void *pointer, size_t bytes, unsigned flags) {
  enum { GLOBAL = 1, HOST = 2, SINGLE = 4 };
  struct gp_stream *stream;
  struct gp_allocation found;
  int error = gp_stream_check_for_work(handle, &stream);
  if (!error && ((flags != GLOBAL && flags != HOST && flags != SINGLE) ||
                 !gp_arena_find((uint64_t)pointer, &found) || found.kind != GP_MEMORY_MANAGED))
    error = GP_ERROR_INVALID_VALUE;
  if (!error && ((bytes && bytes != found.bytes) || (flags == SINGLE && gp_stream_is_legacy(stream))))
    error = GP_ERROR_INVALID_VALUE;
  return gp_cpu_result(error);
}

int gp_cpu_cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = LEAST_PRIORITY;
  if (greatest)
    *greatest = GREATEST_PRIORITY;
  return gp_cpu_result(0);
}

/* ---- Attributes: kept, without effect ------------------------------------------------------------------ */

/* True for attributes of streams: access policy window, synchronization policy, priority, and memory
 * synchronization domains. */
static bool is_attribute(int attribute) {
  return attribute == 1 || attribute == ATTRIBUTE_SYNCHRONIZATION || attribute == ATTRIBUTE_PRIORITY ||
         attribute == 9 || attribute == 10;
}

int gp_cpu_cudaStreamSetAttribute(void *handle, int attribute, const void *value) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  if (!error && (!is_attribute(attribute) || !value))
    error = GP_ERROR_INVALID_VALUE;
  if (!error)
    memcpy(stream->attributes[attribute], value, sizeof stream->attributes[attribute]);
  if (!error && attribute == ATTRIBUTE_PRIORITY)
    memcpy(&stream->priority, value, sizeof stream->priority);
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamGetAttribute(void *handle, int attribute, void *value) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  if (!error && (!is_attribute(attribute) || !value))
    error = GP_ERROR_INVALID_VALUE;
  if (!error)
    memcpy(value, stream->attributes[attribute], sizeof stream->attributes[attribute]);
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamCopyAttributes(void *to, void *from) {
  struct gp_stream *target, *source;
  int error = gp_stream_check(to, &target);
  if (!error)
    error = gp_stream_check(from, &source);
  if (!error)
    memcpy(target->attributes, source->attributes, sizeof target->attributes);
  return gp_cpu_result(error);
}
