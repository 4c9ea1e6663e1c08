// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Capture: work given to a stream becomes nodes of a graph. A capture begins on one stream, spreads to
 * streams waiting for an event of it, and must be joined before its end. Calls waiting for captured work, or
 * acting at once, invalidate it. Results and errors are those of an H200 with CUDA 13.0.
 */
#include "base/locks.h"
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/graph/capture.h"
#include "cuda-api/work/api.h"
#include "memory/memory.h"
#include "sheet/modules.h"

#include <stdlib.h>
#include <string.h>

GP_MUTEX(lock, GP_LOCK_CAPTURE)
static struct gp_stream *captured; /* all streams of all captures */
static uint64_t last_id;
static _Thread_local int thread_mode = GP_CAPTURE_GLOBAL;
static _Atomic int captures; /* without a capture nothing is locked */

void gp_graphs_lock(void) { pthread_mutex_lock(&lock); }
void gp_graphs_unlock(void) { pthread_mutex_unlock(&lock); }

/* ---- Sets of nodes ------------------------------------------------------------------------------------- */

static bool tail_set(struct gp_tail *tail, struct gp_node *const *nodes, size_t count) {
  struct gp_node **copy = malloc((count + 1) * sizeof *copy);
  if (!copy)
    return false;
  if (count)
    memcpy(copy, nodes, count * sizeof *copy);
  free(tail->nodes);
  *tail = (struct gp_tail){copy, count};
  return true;
}

static bool tail_add(struct gp_tail *tail, struct gp_node *const *nodes, size_t count) {
  struct gp_node **larger = realloc(tail->nodes, (tail->count + count + 1) * sizeof *larger);
  if (!larger)
    return false;
  tail->nodes = larger;
  for (size_t i = 0; i < count; i++) {
    bool there = false;
    for (size_t j = 0; j < tail->count && !there; j++)
      there = larger[j] == nodes[i];
    if (!there)
      larger[tail->count++] = nodes[i];
  }
  return true;
}

static void tail_clear(struct gp_tail *tail) {
  free(tail->nodes);
  *tail = (struct gp_tail){NULL, 0};
}

/* ---- Streams of a capture ------------------------------------------------------------------------------ */

static void join(struct gp_stream *stream, struct gp_capture *capture) {
  stream->capture = capture;
  stream->next = captured;
  captured = stream;
}

static void leave(struct gp_stream *stream) {
  struct gp_stream **link = &captured;
  while (*link && *link != stream)
    link = &(*link)->next;
  if (*link)
    *link = stream->next;
  stream->next = NULL;
  stream->capture = NULL;
  tail_clear(&stream->tail);
}

void gp_capture_invalidate(struct gp_capture *capture) { capture->invalidated = true; }

bool gp_capture_invalidate_of(struct gp_stream *stream) {
  gp_graphs_lock();
  const bool is_captured = stream->capture;
  if (is_captured)
    gp_capture_invalidate(stream->capture);
  gp_graphs_unlock();
  return is_captured;
}

/* Ends the capture for all its streams; frees its data, except a graph handed to the program. */
static struct gp_graph *dissolve(struct gp_capture *capture, bool keep_graph) {
  for (struct gp_stream *s = captured, *next; s; s = next) {
    next = s->next;
    if (s->capture == capture)
      leave(s);
  }
  struct gp_graph *graph = capture->graph;
  if (!keep_graph && capture->own_graph) {
    gp_graph_destroy(graph);
    graph = NULL;
  }
  free(capture);
  captures--;
  return graph;
}

int gp_capture_add(struct gp_stream *stream, const struct gp_work *work) {
  gp_assert_held(&lock);
  struct gp_capture *capture = stream->capture;
  struct gp_node *node;
  if (capture->invalidated)
    return GP_ERROR_CAPTURE_INVALIDATED;
  int error = gp_graph_add(capture->graph, stream->tail.nodes, stream->tail.count, work, &node);
  if (!error && !tail_set(&stream->tail, &node, 1))
    error = GP_ERROR_MEMORY_ALLOCATION;
  if (error)
    gp_capture_invalidate(capture);
  return error;
}

/* ---- Work ---------------------------------------------------------------------------------------------- */

/* False: another thread has ended the capture meanwhile. */
static bool capture_takes(struct gp_stream *stream, const struct gp_work *work, int *error) {
  gp_graphs_lock();
  const bool is_captured = stream->capture;
  if (is_captured)
    *error = gp_capture_add(stream, work);
  gp_graphs_unlock();
  return is_captured;
}

/* Callers do this work themselves unless the stream is captured. */
static bool is_of_graphs(const struct gp_work *work) {
  return work->kind == GP_WORK_ALLOCATE || work->kind == GP_WORK_FREE || work->kind == GP_WORK_GRAPH;
}

int gp_stream_submit(void *handle, const struct gp_work *work) {
  struct gp_stream *stream;
  /* A copy may be given to any device's stream (CUDA C++ Programming Guide, "Stream and Event Behavior"). */
  int error =
      work->kind == GP_WORK_COPY ? gp_stream_check(handle, &stream) : gp_stream_check_for_work(handle, &stream);
  if (error || gp_cpu_broken())
    return error;
  if (stream->capture && capture_takes(stream, work, &error))
    return error;
  if (is_of_graphs(work))
    return GP_ERROR_ILLEGAL_STATE;
  if ((error = gp_capture_forbids_default(stream)) || (error = gp_work_check(work)))
    return error;
  return gp_work_do(work);
}

/* ---- Work awaited by another stream -------------------------------------------------------------------- */

static bool holds(const struct gp_tail *tail, const struct gp_node *node) {
  for (size_t i = 0; i < tail->count; i++)
    if (tail->nodes[i] == node)
      return true;
  return false;
}

static bool is_followed(const struct gp_graph *graph, const struct gp_node *node) {
  for (size_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].from == node)
      return true;
  return false;
}

/* True if another stream of the capture ends in work its first stream does not wait for. */
static bool is_unjoined(const struct gp_capture *capture) {
  for (const struct gp_stream *s = captured; s; s = s->next) {
    if (s->capture != capture || s == capture->origin)
      continue;
    for (size_t i = 0; i < s->tail.count; i++)
      if (!holds(&capture->origin->tail, s->tail.nodes[i]) && !is_followed(capture->graph, s->tail.nodes[i]))
        return true;
  }
  return false;
}

/* ---- Beginning and ending ------------------------------------------------------------------------------ */

static int begin(struct gp_stream *stream, struct gp_graph *graph, struct gp_node *const *nodes, size_t count,
                 int mode) {
  if (mode < GP_CAPTURE_GLOBAL || mode > GP_CAPTURE_RELAXED)
    return GP_ERROR_INVALID_VALUE;
  if (gp_stream_is_legacy(stream))
    return GP_ERROR_CAPTURE_UNSUPPORTED;
  if (stream->capture)
    return GP_ERROR_ILLEGAL_STATE;
  struct gp_capture *capture = calloc(1, sizeof *capture);
  if (!capture)
    return GP_ERROR_MEMORY_ALLOCATION;
  *capture = (struct gp_capture){.id = ++last_id,
                                 .graph = graph ? graph : gp_graph_create(),
                                 .own_graph = !graph,
                                 .origin = stream,
                                 .mode = mode,
                                 .thread = pthread_self()};
  if (!capture->graph || !tail_set(&stream->tail, nodes, count)) {
    free(capture);
    return GP_ERROR_MEMORY_ALLOCATION;
  }
  join(stream, capture);
  captures++;
  return 0;
}

int gp_cpu_cudaStreamBeginCapture(void *handle, int mode) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  gp_graphs_lock();
  if (!error)
    error = begin(stream, NULL, NULL, 0, mode);
  gp_graphs_unlock();
  return gp_cpu_result(error);
}

int gp_cpu_cudaStreamBeginCaptureToGraph(void *handle, void *graph, const void *dependencies,
                                         const void *data, size_t count, int mode) {
  (void)data;
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  gp_graphs_lock();
  if (!error && (!gp_graph_is(graph) || (count && !dependencies)))
    error = GP_ERROR_INVALID_VALUE;
  if (!error)
    error = begin(stream, graph, dependencies, count, mode);
  gp_graphs_unlock();
  return gp_cpu_result(error);
}

static int end(struct gp_stream *stream, void **graph) {
  struct gp_capture *capture = stream->capture;
  if (!capture)
    return GP_ERROR_ILLEGAL_STATE;
  if (capture->mode != GP_CAPTURE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
    return GP_ERROR_CAPTURE_WRONG_THREAD;
  if (capture->origin != stream) {
    gp_capture_invalidate(capture);
    return GP_ERROR_CAPTURE_UNMATCHED;
  }
  int error = capture->invalidated                        ? GP_ERROR_CAPTURE_INVALIDATED
              : capture->unjoined || is_unjoined(capture) ? GP_ERROR_CAPTURE_UNJOINED
                                                          : 0;
  struct gp_graph *made = dissolve(capture, !error && graph);
  if (graph)
    *graph = error ? NULL : made;
  return error;
}

int gp_cpu_cudaStreamEndCapture(void *handle, void **graph) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  gp_graphs_lock();
  if (!error)
    error = end(stream, graph);
  gp_graphs_unlock();
  return gp_cpu_result(error);
}

/* True if the stream's last nodes have successors, or another stream of the capture waits for them. */
static bool is_joined(const struct gp_stream *stream) {
  for (size_t i = 0; i < stream->tail.count; i++) {
    bool joined = is_followed(stream->capture->graph, stream->tail.nodes[i]);
    for (const struct gp_stream *s = captured; s && !joined; s = s->next)
      joined = s != stream && s->capture == stream->capture && holds(&s->tail, stream->tail.nodes[i]);
    if (!joined)
      return false;
  }
  return true;
}

void gp_capture_forget_stream(struct gp_stream *stream) {
  gp_graphs_lock();
  if (stream->capture && stream->capture->origin == stream)
    dissolve(stream->capture, false);
  else if (stream->capture) {
    stream->capture->unjoined |= !is_joined(stream);
    leave(stream);
  }
  gp_graphs_unlock();
}

/* ---- Forbidden calls ----------------------------------------------------------------------------------- */

/* Invalidates the concerned captures on streams accepted by `concerns`; returns true if there were any. */
static bool invalidate(bool (*concerns)(const struct gp_stream *, const struct gp_stream *),
                       const struct gp_stream *of) {
  bool any = false;
  if (!captures)
    return false;
  gp_graphs_lock();
  for (struct gp_stream *s = captured; s; s = s->next)
    if (concerns(s, of)) {
      gp_capture_invalidate(s->capture);
      any = true;
    }
  gp_graphs_unlock();
  return any;
}

static bool minds_calls(const struct gp_stream *stream, const struct gp_stream *of) {
  (void)of;
  const struct gp_capture *c = stream->capture;
  bool own = pthread_equal(c->thread, pthread_self());
  if (thread_mode == GP_CAPTURE_RELAXED || c->mode == GP_CAPTURE_RELAXED)
    return false;
  return own || (thread_mode == GP_CAPTURE_GLOBAL && c->mode == GP_CAPTURE_GLOBAL);
}

int gp_capture_forbids(void) { return invalidate(minds_calls, NULL) ? GP_ERROR_CAPTURE_UNSUPPORTED : 0; }

static bool is_waited_for(const struct gp_stream *stream, const struct gp_stream *of) {
  return !of || stream == of || minds_calls(stream, of);
}

static bool is_blocking(const struct gp_stream *stream, const struct gp_stream *of) {
  return !(stream->flags & GP_CUDA_STREAM_NON_BLOCKING) && stream->device == of->device;
}

int gp_capture_forbids_default(struct gp_stream *stream) {
  return gp_stream_is_legacy(stream) && invalidate(is_blocking, stream) ? GP_ERROR_CAPTURE_IMPLICIT : 0;
}

int gp_capture_forbids_waiting(struct gp_stream *stream) {
  if (stream && gp_capture_forbids_default(stream))
    return GP_ERROR_CAPTURE_IMPLICIT;
  return invalidate(is_waited_for, stream) ? GP_ERROR_CAPTURE_UNSUPPORTED : 0;
}

/* ---- Events -------------------------------------------------------------------------------------------- */

static struct gp_capture *capture_of(uint64_t id) {
  for (struct gp_stream *s = captured; s; s = s->next)
    if (s->capture->id == id)
      return s->capture;
  return NULL;
}

static int record_locked(struct gp_stream *stream, struct gp_event *event) {
  gp_assert_held(&lock);
  if (stream->capture->invalidated)
    return GP_ERROR_CAPTURE_INVALIDATED;
  if (!tail_set(&event->tail, stream->tail.nodes, stream->tail.count))
    return GP_ERROR_MEMORY_ALLOCATION;
  event->capture = stream->capture->id;
  return 0;
}

int gp_capture_record(struct gp_stream *stream, struct gp_event *event) {
  int error = 0;
  gp_graphs_lock();
  if (stream->capture)
    error = record_locked(stream, event);
  else
    gp_event_record(event);
  gp_graphs_unlock();
  return error;
}

static int wait_locked(struct gp_stream *stream, struct gp_event *event) {
  gp_assert_held(&lock);
  struct gp_capture *of_event = event->capture ? capture_of(event->capture) : NULL;
  if (event->capture && !of_event)
    return GP_ERROR_INVALID_VALUE; /* its capture is over */
  if (!of_event && !stream->capture)
    return 0;
  if (!of_event) { /* earlier work: a graph cannot wait for it */
    gp_capture_invalidate(stream->capture);
    return GP_ERROR_CAPTURE_ISOLATION;
  }
  if (of_event->invalidated)
    return GP_ERROR_CAPTURE_INVALIDATED;
  if (stream->capture && stream->capture != of_event) {
    gp_capture_invalidate(stream->capture);
    gp_capture_invalidate(of_event);
    return GP_ERROR_CAPTURE_MERGE;
  }
  if (gp_stream_is_legacy(stream)) {
    gp_capture_invalidate(of_event);
    return GP_ERROR_CAPTURE_IMPLICIT;
  }
  if (!stream->capture)
    join(stream, of_event);
  return tail_add(&stream->tail, event->tail.nodes, event->tail.count) ? 0 : GP_ERROR_MEMORY_ALLOCATION;
}

int gp_capture_wait(struct gp_stream *stream, struct gp_event *event) {
  gp_graphs_lock();
  int error = wait_locked(stream, event);
  gp_graphs_unlock();
  return error;
}

int gp_capture_forbids_event(struct gp_event *event) {
  if (!event->capture)
    return 0;
  gp_graphs_lock();
  struct gp_capture *capture = capture_of(event->capture);
  if (capture)
    gp_capture_invalidate(capture);
  gp_graphs_unlock();
  return capture ? GP_ERROR_CAPTURED_EVENT : GP_ERROR_INVALID_VALUE;
}

/* ---- Questions ----------------------------------------------------------------------------------------- */

enum { STATUS_NONE, STATUS_ACTIVE, STATUS_INVALIDATED };

/* The caller holds the lock, or there is no capture. */
static int status_of(const struct gp_stream *stream) {
  return !stream->capture ? STATUS_NONE : stream->capture->invalidated ? STATUS_INVALIDATED : STATUS_ACTIVE;
}

bool gp_stream_is_captured(void *handle) {
  if (!captures)
    return false;
  struct gp_stream *stream = gp_stream_find(handle);
  return stream && stream->capture;
}

/* The default stream's status is unclear while a stream is captured that it would wait for; a query ends
 * nothing. */
static bool is_unclear(const struct gp_stream *stream) {
  bool found = false;
  if (!captures || !gp_stream_is_legacy(stream))
    return false;
  gp_graphs_lock();
  for (struct gp_stream *s = captured; s && !found; s = s->next)
    found = is_blocking(s, stream);
  gp_graphs_unlock();
  return found;
}

int gp_cpu_cudaStreamIsCapturing(void *handle, int *status) {
  struct gp_stream *stream;
  if (!status)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int error = gp_stream_check(handle, &stream);
  if (!error && is_unclear(stream))
    error = GP_ERROR_CAPTURE_IMPLICIT;
  if (error)
    return gp_cpu_result(error);
  *status = STATUS_NONE;
  if (captures) {
    gp_graphs_lock();
    *status = status_of(stream);
    gp_graphs_unlock();
  }
  return gp_cpu_result(0);
}

int gp_cpu_cudaThreadExchangeStreamCaptureMode(int *mode) {
  if (!mode || *mode < GP_CAPTURE_GLOBAL || *mode > GP_CAPTURE_RELAXED)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  int before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return gp_cpu_result(0);
}

struct facts {
  int *status;
  unsigned long long *id;
  void **graph;
  struct gp_node *const **dependencies;
  size_t *count;
};

static void tell_locked(const struct gp_stream *stream, const struct facts *facts) {
  gp_assert_held(&lock);
  *facts->status = status_of(stream);
  if (*facts->status != STATUS_ACTIVE)
    return;
  if (facts->id)
    *facts->id = stream->capture->id;
  if (facts->graph)
    *facts->graph = stream->capture->graph;
  if (facts->dependencies)
    *facts->dependencies = stream->tail.nodes;
  if (facts->count)
    *facts->count = stream->tail.count;
}

static int tell(void *handle, struct facts facts) {
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  if (!error && !facts.status)
    error = GP_ERROR_INVALID_VALUE;
  if (!error && is_unclear(stream))
    error = GP_ERROR_CAPTURE_IMPLICIT;
  if (error)
    return gp_cpu_result(error);
  gp_graphs_lock();
  tell_locked(stream, &facts);
  gp_graphs_unlock();
  return gp_cpu_result(0);
}

/* CUDA 11 has three parameters, 12 six (as _v2), 13 seven (as _v3), with a list of edge data before the
 * count. */
int gp_cpu_cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id, void *graph,
                                    void *dependencies, void *edges, void *count) {
  uint32_t version = gp_modules_cuda_version();
  if (version && version < 12000)
    return tell(stream, (struct facts){status, id, NULL, NULL, NULL});
  if (version < 13000)
    return gp_cpu_cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, edges, count);
  return gp_cpu_cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

int gp_cpu_cudaStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void *graph,
                                       void *dependencies, void *count, void *unused) {
  (void)unused;
  return tell(stream, (struct facts){status, id, graph, dependencies, count});
}

int gp_cpu_cudaStreamGetCaptureInfo_v3(void *stream, int *status, unsigned long long *id, void *graph,
                                       void *dependencies, void *edges, void *count) {
  if (edges)
    *(void **)edges = NULL; /* all edges are plain ones */
  return tell(stream, (struct facts){status, id, graph, dependencies, count});
}

enum { ADD_DEPENDENCIES, SET_DEPENDENCIES };

int gp_cpu_cudaStreamUpdateCaptureDependencies_v2(void *handle, void *dependencies, uintptr_t edges,
                                                  uintptr_t count, unsigned flags) {
  (void)edges;
  struct gp_stream *stream;
  int error = gp_stream_check(handle, &stream);
  gp_graphs_lock();
  if (!error && (!stream->capture || (count && !dependencies) || flags > SET_DEPENDENCIES))
    error = !error && !stream->capture ? GP_ERROR_ILLEGAL_STATE : GP_ERROR_INVALID_VALUE;
  if (!error)
    error = (flags == SET_DEPENDENCIES ? tail_set : tail_add)(&stream->tail, dependencies, count)
                ? 0
                : GP_ERROR_MEMORY_ALLOCATION;
  gp_graphs_unlock();
  return gp_cpu_result(error);
}

/* Up to CUDA 12 the count precedes the flags; CUDA 13 has a list of edge data between the two. */
int gp_cpu_cudaStreamUpdateCaptureDependencies(void *stream, void *dependencies, uintptr_t edges_or_count,
                                               uintptr_t count_or_flags, unsigned flags) {
  if (gp_modules_cuda_version() >= 13000)
    return gp_cpu_cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges_or_count, count_or_flags,
                                                         flags);
  return gp_cpu_cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, 0, edges_or_count,
                                                       (unsigned)count_or_flags);
}
