/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Orders the launches of a kernel on several streams with the switches of its counters. The device waits, at fences in
 * its streams (base/device.h); the host does not. Everything is guarded by the kernel's lock. */
#ifndef GP_STREAM_ORDER_H
#define GP_STREAM_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* One stream with launches since the last switch. */
struct gp_stream_use {
  uint64_t stream; /* its number, since a handle may be used again */
  int stays;       /* it is the default stream, which outlives all others: its fence is set when needed */
  void *fence;     /* behind its last launch */
  unsigned launching; /* launches under way, by several threads */
};

struct gp_stream_order {
  uint64_t stream; /* of the last switch */
  void *switched;  /* the fence behind the last switch */
  int has_lost;    /* a use was not noted, since memory was exhausted */
  struct gp_stream_use *uses;
  size_t count, capacity; /* fences in the places behind `count` are kept for the next uses */
};

/* Before the counters are switched in `stream`: its next work waits for the last switch and for all launches since. */
void gp_stream_order_before_switch(struct gp_stream_order *order, void *stream);
void gp_stream_order_switched(struct gp_stream_order *order, void *stream);

/* Around a launch with the counters as they are: a stream without launches since the last switch waits for it. */
void gp_stream_order_before_launch(struct gp_stream_order *order, void *stream);
void gp_stream_order_launched(struct gp_stream_order *order, void *stream); /* does nothing without a launch under way */

/* Before the device is reset, with all its streams and fences. */
void gp_stream_order_device_resets(struct gp_stream_order *order);

#endif
