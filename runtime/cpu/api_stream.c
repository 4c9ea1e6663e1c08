/* Streams and events. All work is done when a call returns, so a stream orders nothing and an event is a
 * time. */
#include "cpu/api.h"
#include "cpu/emulator.h"
#include "cpu/errors.h"

#include <stdlib.h>
#include <time.h>

struct stream {
  unsigned flags;
  int priority;
};

struct event {
  unsigned flags;
  int recorded;
  uint64_t time_ns;
};

enum { DISABLE_TIMING = 2, LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

/* The default streams are null and the numbers 1 (legacy) and 2 (of the thread). */
static int is_default(const void *stream) { return (uintptr_t)stream <= 2; }

int gp_cpu_cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) {
  if (!stream || flags > 1)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct stream *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  priority = priority > LEAST_PRIORITY      ? LEAST_PRIORITY
             : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                            : priority;
  *fresh = (struct stream){.flags = flags, .priority = priority};
  *stream = fresh;
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamCreate(void **stream) { return gp_cpu_cudaStreamCreateWithPriority(stream, 0, 0); }

int gp_cpu_cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  return gp_cpu_cudaStreamCreateWithPriority(stream, flags, 0);
}

int gp_cpu_cudaStreamDestroy(void *stream) {
  if (is_default(stream))
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  free(stream);
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamSynchronize(void *stream) {
  (void)stream;
  gp_cpu_wait();
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamQuery(void *stream) {
  (void)stream;
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
  (void)stream, (void)flags;
  return gp_cpu_result(event ? 0 : GP_ERROR_INVALID_HANDLE);
}

int gp_cpu_cudaStreamGetPriority(void *stream, int *priority) {
  if (!priority)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *priority = is_default(stream) ? 0 : ((struct stream *)stream)->priority;
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamGetFlags(void *stream, unsigned *flags) {
  if (!flags)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *flags = is_default(stream) ? 0 : ((struct stream *)stream)->flags;
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamAddCallback(void *stream, void *callback, void *data, unsigned flags) {
  (void)flags;
  void (*call)(void *, int, void *);
  if (!callback)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *(void **)&call = callback;
  call(stream, gp_cpu_broken(), data);
  return gp_cpu_result(0);
}

int gp_cpu_cudaLaunchHostFunc(void *stream, void *function, void *data) {
  (void)stream;
  void (*call)(void *);
  if (!function)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *(void **)&call = function;
  if (!gp_cpu_broken())
    call(data);
  return gp_cpu_result(0);
}

int gp_cpu_cudaStreamAttachMemAsync(void *stream, void *pointer, size_t bytes, unsigned flags) {
  (void)stream, (void)bytes, (void)flags;
  return gp_cpu_result(pointer ? 0 : GP_ERROR_INVALID_VALUE);
}

int gp_cpu_cudaStreamIsCapturing(void *stream, int *status) {
  (void)stream;
  if (!status)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  *status = GP_CUDA_CAPTURE_NONE;
  return gp_cpu_result(0);
}

int gp_cpu_cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = LEAST_PRIORITY;
  if (greatest)
    *greatest = GREATEST_PRIORITY;
  return gp_cpu_result(0);
}

/* ---- Events -------------------------------------------------------------------------------------------- */

int gp_cpu_cudaEventCreateWithFlags(void **event, unsigned flags) {
  if (!event)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct event *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  *fresh = (struct event){.flags = flags};
  *event = fresh;
  return gp_cpu_result(0);
}

int gp_cpu_cudaEventCreate(void **event) { return gp_cpu_cudaEventCreateWithFlags(event, 0); }

int gp_cpu_cudaEventDestroy(void *event) {
  if (!event)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  free(event);
  return gp_cpu_result(0);
}

int gp_cpu_cudaEventRecord(void *handle, void *stream) {
  (void)stream;
  struct event *event = handle;
  struct timespec now;
  if (!event)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  event->recorded = 1;
  return gp_cpu_result(0);
}

int gp_cpu_cudaEventRecordWithFlags(void *event, void *stream, unsigned flags) {
  (void)flags;
  return gp_cpu_cudaEventRecord(event, stream);
}

int gp_cpu_cudaEventQuery(void *event) { return gp_cpu_result(event ? 0 : GP_ERROR_INVALID_HANDLE); }

int gp_cpu_cudaEventSynchronize(void *event) { return gp_cpu_cudaEventQuery(event); }

int gp_cpu_cudaEventElapsedTime(float *milliseconds, void *start, void *end) {
  const struct event *from = start, *to = end;
  if (!milliseconds)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!from || !to || !from->recorded || !to->recorded || ((from->flags | to->flags) & DISABLE_TIMING))
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  *milliseconds = (float)((double)(int64_t)(to->time_ns - from->time_ns) / 1e6);
  return gp_cpu_result(0);
}
