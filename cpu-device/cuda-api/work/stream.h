/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Streams and events. All work is done when a call returns: a stream orders nothing and an event is a time.
 * The work of a captured stream becomes nodes of a graph instead.
 */
#ifndef GP_CPU_STREAM_H
#define GP_CPU_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gp_capture;
struct gp_node;

/* A set of nodes to precede the next node. */
struct gp_tail {
  struct gp_node **nodes;
  size_t count;
};

enum { GP_STREAM_ATTRIBUTES = 16 };

struct gp_stream {
  _Atomic uint32_t magic;
  unsigned flags;
  int priority, device;
  uint64_t id;
  struct gp_stream *next;     /* in the list of captured or of destroyed streams */
  _Atomic(struct gp_capture *) capture; /* null: not captured; changed under the lock of graphs */
  struct gp_tail tail;        /* of the capture */
  char attributes[GP_STREAM_ATTRIBUTES][64];
};

struct gp_event {
  uint32_t magic;
  unsigned flags;
  int device;
  bool recorded;
  uint64_t time_ns;
  uint64_t capture; /* id of the capture of its last record, or 0 */
  struct gp_tail tail;
  struct gp_event *next; /* in the list of destroyed events */
};

/* Null: no memory. A destroyed stream's memory is kept to recognise stale handles. */
struct gp_stream *gp_stream_create(unsigned flags, int priority);
void gp_stream_destroy(struct gp_stream *);
/* The stream of a handle: null, 1 (legacy) and 2 (of the thread) are the default streams. Returns null for no
 * stream. */
struct gp_stream *gp_stream_find(void *handle);
/* The same with CUDA's errors: the stream is none, or belongs to another device than the thread's. */
int gp_stream_check(void *handle, struct gp_stream **stream);
/* The same for work: it may only be given to streams of the thread's device. */
int gp_stream_check_for_work(void *handle, struct gp_stream **stream);
/* True for a device's legacy default stream; it waits for the others. */
bool gp_stream_is_legacy(const struct gp_stream *);

/* Events, in the same way as streams. */
struct gp_event *gp_event_create(unsigned flags);
void gp_event_destroy(struct gp_event *);
struct gp_event *gp_event_find(void *handle);
void gp_event_record(struct gp_event *);

#endif
