// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Streams, and what they call on the host. */
#include "base/locks.h"
#include "cuda-api/runtime/api.h"
#include "cuda-api/runtime/stream.h"
#include "engine/devices.h"
#include "engine/errors.h"
#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { STREAM = 0x67706373 }; /* what `magic` is while a stream lives */
enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };
enum { ATTRIBUTE_SYNCHRONIZATION = 3, ATTRIBUTE_PRIORITY = 8 }; /* cudaLaunchAttributeID */

/* ---- Handles ------------------------------------------------------------------------------------------- */

static struct gp_stream legacy[GP_CPU_DEVICES];
/* Made when it is asked for: threads have little room of their own. */
static _Thread_local struct gp_stream *of_thread;
static pthread_key_t key_of_thread;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;
static struct gp_stream *destroyed; /* their memory is kept, so that a handle can be looked at */
GP_MUTEX(lock, GP_LOCK_API_STREAM)
static _Atomic uint64_t last_id;

static void make_key(void) { pthread_key_create(&key_of_thread, free); }

static struct gp_stream *streams_of_thread(void) {
  pthread_once(&key_made, make_key);
  if (!of_thread && (of_thread = calloc(GP_CPU_DEVICES, sizeof *of_thread)))
    pthread_setspecific(key_of_thread, of_thread);
  return of_thread;
}

static struct gp_stream *default_stream(struct gp_stream *streams) {
  struct gp_stream *stream = streams ? &streams[gp_cpu_device()] : NULL;
  if (stream && !stream->magic) {
    stream->device = gp_cpu_device();
    stream->id = ++last_id;
    stream->magic = STREAM;
  }
  return stream;
}

struct gp_stream *gp_stream_find(void *handle) {
  if ((uintptr_t)handle <= 1)
    return default_stream(legacy);
  if ((uintptr_t)handle == 2)
    return default_stream(streams_of_thread());
  struct gp_stream *stream = handle;
  return stream->magic == STREAM ? stream : NULL;
}

bool gp_stream_is_legacy(const struct gp_stream *stream) {
  return stream >= legacy && stream < legacy + GP_CPU_DEVICES;
}

static bool is_default(void *handle) { return (uintptr_t)handle <= 2; }

int gp_stream_check(void *handle, struct gp_stream **stream) {
  *stream = gp_stream_find(handle);
  return *stream ? 0 : GP_ERROR_INVALID_HANDLE;
}

/* Work may only be given to streams of the thread's device. */
static int check_for_work(void *handle, struct gp_stream **stream) {
  int error = gp_stream_check(handle, stream);
  return error || (*stream)->device == gp_cpu_device() ? error : GP_ERROR_INVALID_HANDLE;
}

static struct gp_stream *make(void) {
  pthread_mutex_lock(&lock);
  struct gp_stream *stream = destroyed;
  if (stream)
    destroyed = stream->next;
  pthread_mutex_unlock(&lock);
  return stream ? stream : malloc(sizeof *stream);
}

int gp_cpu_cudaStreamCreateWithPriority(void **handle, unsigned flags, int priority) {
  if (!handle || flags > GP_CUDA_STREAM_NON_BLOCKING)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *handle = NULL;
  if (gp_cpu_broken())
    return gp_cpu_result(0);
  struct gp_stream *stream = make();
  if (!stream)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
             : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                            : priority;
  *stream = (struct gp_stream){
      .magic = STREAM, .flags = flags, .priority = priority, .device = gp_cpu_device(), .id = ++last_id};
  const int none = -1; /* as a fresh stream of a GPU says */
  memcpy(stream->attributes[ATTRIBUTE_SYNCHRONIZATION], &none, sizeof none);
  memcpy(stream->attributes[ATTRIBUTE_PRIORITY], &priority, sizeof priority);
  *handle = stream;
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamCreate(void **stream) { return gp_cpu_cudaStreamCreateWithPriority(stream, 0, 0); }

int gp_cpu_cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  return gp_cpu_cudaStreamCreateWithPriority(stream, flags, 0);
}

int gp_cpu_cudaStreamDestroy(void *handle) {
  struct gp_stream *stream;
  if (is_default(handle) || gp_stream_check(handle, &stream))
    return gp_cpu_answer(GP_ERROR_INVALID_HANDLE);
  gp_capture_forget_stream(stream);
  stream->magic = 0;
  pthread_mutex_lock(&lock);
  stream->next = destroyed;
  destroyed = stream;
  pthread_mutex_unlock(&lock);
  return gp_cpu_result(0);
}

/* ---- Work ---------------------------------------------------------------------------------------------- */

int gp_stream_submit(void *handle, const struct gp_work *work) {
  struct gp_stream *stream;
  /* A copy may be given to any device's stream (CUDA C++ Programming Guide, "Stream and Event Behavior"). */
  int error =
      work->kind == GP_WORK_COPY ? gp_stream_check(handle, &stream) : check_for_work(handle, &stream);
  if (error || gp_cpu_broken())
    return error;
  if (stream->capture) {
    gp_graphs_lock();
    error = gp_capture_add(stream, work);
    gp_graphs_unlock();
    return error;
  }
  if ((error = gp_capture_forbids_default(stream)) || (error = gp_work_check(work)))
    return error;
  return gp_work_do(work);
}

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

void gp_cpu_call_host(void (*call)(void *), void *data) {
  int last = gp_cpu_last_error(1); /* a GPU calls on a thread of its own */
  gp_cpu_permit(false);
  call(data);
  gp_cpu_permit(true);
  gp_cpu_last_error(1);
  gp_cpu_answer(last);
}

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
  int error = check_for_work(handle, &stream);
  if (error)
    return gp_cpu_result(error);
  if (stream->capture) { /* unlike cudaLaunchHostFunc it cannot become a node */
    gp_graphs_lock();
    gp_capture_invalidate(stream->capture);
    gp_graphs_unlock();
    return gp_cpu_result(GP_ERROR_CAPTURE_UNSUPPORTED);
  }
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
  int error = check_for_work(handle, &stream);
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

/* Which of them streams have: an access policy window, how to wait, a priority, and memory synchronization
 * domains. */
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
