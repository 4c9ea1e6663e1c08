// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Events: an event is a time; in a capture it is a place in the graph. */
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "cuda-api/work/stream.h"

enum { BLOCKING = 1, DISABLE_TIMING = 2, INTERPROCESS = 4 };
enum { EXTERNAL = 1 }; /* a graph node of its own instead of an order in the capture */

int gp_cpu_cudaEventCreateWithFlags(void **handle, unsigned flags) {
  if (!handle || flags & ~(unsigned)(BLOCKING | DISABLE_TIMING | INTERPROCESS) ||
      (flags & (INTERPROCESS | DISABLE_TIMING)) == INTERPROCESS)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_event *event = gp_cpu_broken() ? NULL : gp_event_create(flags);
  if (!event)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  *handle = event;
  return gp_cpu_result(0);
}

int gp_cpu_cudaEventCreate(void **event) { return gp_cpu_cudaEventCreateWithFlags(event, 0); }

int gp_cpu_cudaEventDestroy(void *handle) {
  struct gp_event *event = gp_event_find(handle);
  if (!event)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  gp_event_destroy(event);
  return gp_cpu_result(0);
}

static int submit_external(void *stream, struct gp_event *event, enum gp_work_kind kind) {
  const struct gp_work work = {.kind = kind, .device = gp_cpu_device(), .event = event};
  return gp_stream_submit(stream, &work);
}

int gp_cpu_cudaEventRecordWithFlags(void *handle, void *stream_handle, unsigned flags) {
  struct gp_event *event = gp_event_find(handle);
  struct gp_stream *stream;
  if (!event)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  if (flags > EXTERNAL)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(stream_handle, &stream);
  if (!error && stream->device != event->device)
    error = GP_ERROR_INVALID_HANDLE;
  if (error || gp_cpu_broken())
    return gp_cpu_result(error);
  if (stream->capture && flags == EXTERNAL)
    return gp_cpu_result(submit_external(stream_handle, event, GP_WORK_EVENT_RECORD));
  if (stream->capture)
    return gp_cpu_result(gp_capture_record(stream, event));
  error = gp_capture_forbids_default(stream);
  if (!error)
    gp_event_record(event);
  return gp_cpu_result(error);
}

int gp_cpu_cudaEventRecord(void *event, void *stream) {
  return gp_cpu_cudaEventRecordWithFlags(event, stream, 0);
}

int gp_cpu_cudaStreamWaitEvent(void *stream_handle, void *handle, unsigned flags) {
  struct gp_event *event = gp_event_find(handle);
  struct gp_stream *stream;
  if (!event)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  if (flags > EXTERNAL)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(stream_handle, &stream);
  if (!error && stream->capture && flags == EXTERNAL)
    error = submit_external(stream_handle, event, GP_WORK_EVENT_WAIT);
  else if (!error && (stream->capture || event->capture))
    error = gp_capture_wait(stream, event);
  else if (!error)
    error = gp_capture_forbids_default(stream);
  return gp_cpu_result(error);
}

static int ask(void *handle) {
  struct gp_event *event = gp_event_find(handle);
  return event ? gp_capture_forbids_event(event) : GP_ERROR_INVALID_HANDLE;
}

int gp_cpu_cudaEventQuery(void *event) { return gp_cpu_result(ask(event)); }
int gp_cpu_cudaEventSynchronize(void *event) { return gp_cpu_result(ask(event)); }

int gp_cpu_cudaEventElapsedTime(float *milliseconds, void *start, void *end) {
  struct gp_event *from = gp_event_find(start), *to = gp_event_find(end);
  if (!milliseconds)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  if (!from || !to || !from->recorded || !to->recorded || ((from->flags | to->flags) & DISABLE_TIMING) ||
      from->device != to->device)
    return gp_cpu_result(GP_ERROR_INVALID_HANDLE);
  *milliseconds = (float)((double)(int64_t)(to->time_ns - from->time_ns) / 1e6);
  return gp_cpu_result(0);
}
