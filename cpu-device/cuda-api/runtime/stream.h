/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Streams and events. All work is done when a call returns, so a stream orders nothing and an event is a
 * time; but a stream may be captured, and then its work becomes nodes of a graph instead.
 */
#ifndef GP_CPU_STREAM_H
#define GP_CPU_STREAM_H

#include "cuda-api/graph/graph.h"

#include <stdint.h>

/* One capture: it begins on a stream, spreads to others by events, and ends on the first. */
struct gp_capture {
  uint64_t id;
  struct gp_graph *graph;
  bool own_graph; /* made by the capture, not the program's */
  struct gp_stream *origin;
  int mode; /* enum gp_capture_mode */
  pthread_t thread;
  bool invalidated;
  bool unjoined; /* a stream of it was destroyed before its work was joined */
};

enum gp_capture_mode { GP_CAPTURE_GLOBAL, GP_CAPTURE_THREAD, GP_CAPTURE_RELAXED };

/* A set of nodes that what comes next waits for. */
struct gp_tail {
  struct gp_node **nodes;
  size_t count;
};

enum { GP_STREAM_ATTRIBUTES = 16 };

struct gp_stream {
  uint32_t magic;
  unsigned flags;
  int priority, device;
  uint64_t id;
  struct gp_stream *next;     /* of all that are captured, or of those that were destroyed */
  struct gp_capture *capture; /* null: not captured */
  struct gp_tail tail;        /* of the capture */
  char attributes[GP_STREAM_ATTRIBUTES][64];
};

struct gp_event {
  uint32_t magic;
  unsigned flags;
  int device;
  bool recorded;
  uint64_t time_ns;
  uint64_t capture; /* id of the capture it was recorded in last, else 0 */
  struct gp_tail tail;
  struct gp_event *next; /* of those that were destroyed */
};

/* The stream that a handle stands for: null, 1 (legacy) and 2 (of the thread) are the default streams. Null:
 * no stream. */
struct gp_stream *gp_stream_find(void *handle);
struct gp_event *gp_event_find(void *handle);
/* The same with the errors that CUDA gives: the stream is not one, or belongs to another device than the
 * thread's. */
int gp_stream_check(void *handle, struct gp_stream **stream);
/* The legacy default stream of a device, which waits for the others. */
bool gp_stream_is_legacy(const struct gp_stream *);
bool gp_stream_is_captured(void *handle);

/* Does the work, or captures it. The work is the caller's and is copied where it is kept. Returns a CUDA
 * error. */
int gp_stream_submit(void *stream, const struct gp_work *work);
void gp_event_record(struct gp_event *);
/* Calls a function of the program as a stream does: meanwhile CUDA's functions answer cudaErrorNotPermitted.
 */
void gp_cpu_call_host(void (*call)(void *), void *data);

/* ---- capture.c ----------------------------------------------------------------------------------------- */
/* The lock of graphs, captures, streams and events. */
void gp_graphs_lock(void);
void gp_graphs_unlock(void);
/* Adds a node to the capture that the stream is in. The caller holds the lock. */
int gp_capture_add(struct gp_stream *, const struct gp_work *work);
void gp_capture_invalidate(struct gp_capture *);
/* For what a capture forbids, such as cudaMalloc: cudaErrorStreamCaptureUnsupported where one is under way
 * that minds (by its mode and the thread's), which ends it; else 0. */
int gp_capture_forbids(void);
/* For what waits for a stream or the device: it ends the captures that it would have to wait for. */
int gp_capture_forbids_waiting(struct gp_stream *);
/* For work on the default stream: 0, or cudaErrorStreamCaptureImplicit where a stream is captured that it
 * would wait for. */
int gp_capture_forbids_default(struct gp_stream *);
/* cudaEventRecord and cudaStreamWaitEvent, where a capture has to do with it. */
int gp_capture_record(struct gp_stream *, struct gp_event *);
int gp_capture_wait(struct gp_stream *, struct gp_event *);
/* The event was recorded in a capture: cudaErrorCapturedEvent, which ends the capture, or
 * cudaErrorInvalidValue after it. */
int gp_capture_forbids_event(struct gp_event *);
void gp_capture_forget_stream(struct gp_stream *);

#endif
