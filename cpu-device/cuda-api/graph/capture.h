/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Capture: work given to a stream becomes nodes of a graph. */
#ifndef GP_CPU_CAPTURE_H
#define GP_CPU_CAPTURE_H

#include "cuda-api/graph/graph.h"
#include "cuda-api/work/stream.h"

#include <pthread.h>

/* One capture: it begins on a stream, spreads to others by events, and ends on the first. */
struct gp_capture {
  uint64_t id;
  struct gp_graph *graph;
  bool own_graph; /* made by the capture, not by the program */
  struct gp_stream *origin;
  int mode; /* enum gp_capture_mode */
  pthread_t thread;
  bool invalidated;
  bool unjoined; /* one of its streams was destroyed before its work was joined */
};

enum gp_capture_mode { GP_CAPTURE_GLOBAL, GP_CAPTURE_THREAD, GP_CAPTURE_RELAXED };

/* Does the work, or captures it. The work is the caller's; a capture copies it. Returns a CUDA error. */
int gp_stream_submit(void *stream, const struct gp_work *work);
bool gp_stream_is_captured(void *handle);

/* The lock of graphs, captures, streams and events. */
void gp_graphs_lock(void);
void gp_graphs_unlock(void);
/* Adds a node to the stream's capture. The caller holds the lock. */
int gp_capture_add(struct gp_stream *, const struct gp_work *work);
void gp_capture_invalidate(struct gp_capture *);
/* Ends the stream's capture; false: it is not captured. */
bool gp_capture_invalidate_of(struct gp_stream *);
/* For calls forbidden during a capture, such as cudaMalloc. Returns cudaErrorStreamCaptureUnsupported and
 * ends a concerned capture (by its mode and the thread's), if there is one; otherwise 0. */
int gp_capture_forbids(void);
/* For calls waiting for a stream or the device: ends the captures they would have to wait for. */
int gp_capture_forbids_waiting(struct gp_stream *);
/* For work on the default stream: cudaErrorStreamCaptureImplicit if it would wait for a captured stream,
 * otherwise 0. */
int gp_capture_forbids_default(struct gp_stream *);
/* cudaEventRecord and cudaStreamWaitEvent, if a capture is concerned. */
int gp_capture_record(struct gp_stream *, struct gp_event *);
int gp_capture_wait(struct gp_stream *, struct gp_event *);
/* For an event recorded in a capture. Ends the capture and returns cudaErrorCapturedEvent; after the capture
 * returns cudaErrorInvalidValue. */
int gp_capture_forbids_event(struct gp_event *);
void gp_capture_forget_stream(struct gp_stream *);

#endif
