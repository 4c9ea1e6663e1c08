// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/stream_order.h"

#include "base/device.h"
#include "base/log.h"

#include <stdlib.h>

/* The handles of the default stream. */
static int is_default(const void *stream) { return (uintptr_t)stream <= 1; }

static uint64_t number_of(void *stream) { return is_default(stream) ? 0 : gp_device()->stream_number(stream); }

/* No fences: launches end within their calls. */
static int is_needed(void) { return gp_device()->fence != NULL; }

/* The last resort: the host waits. */
static void check(int error) {
  if (!error)
    return;
  gp_log(GP_DEBUG, "", "streams were not put in order (%s): the host waits for the device", gp_device()->error_text(error));
  gp_device()->synchronize();
}

static void await(void *fence, void *stream) {
  if (fence)
    check(gp_device()->await_fence(fence, stream));
}

/* ---- Switches ---- */

static void await_use(struct gp_stream_use *use, void *stream) {
  if (use->stays)
    check(gp_device()->fence(&use->fence, NULL));
  await(use->fence, stream);
}

static void await_uses(struct gp_stream_order *order, void *stream, uint64_t number) {
  for (size_t i = 0; i < order->count; i++)
    if (order->uses[i].stream != number)
      await_use(&order->uses[i], stream);
  if (order->has_lost)
    gp_device()->synchronize();
}

void gp_stream_order_before_switch(struct gp_stream_order *order, void *stream) {
  if (!is_needed())
    return;
  const uint64_t number = number_of(stream);
  if (order->stream != number)
    await(order->switched, stream);
  await_uses(order, stream, number);
  order->count = 0;
  order->has_lost = 0;
}

void gp_stream_order_switched(struct gp_stream_order *order, void *stream) {
  if (!is_needed())
    return;
  order->stream = number_of(stream);
  check(gp_device()->fence(&order->switched, stream));
}

/* ---- Launches ---- */

/* Null: the stream has no launches since the last switch. */
static struct gp_stream_use *find(const struct gp_stream_order *order, uint64_t number) {
  for (size_t i = 0; i < order->count; i++)
    if (order->uses[i].stream == number)
      return &order->uses[i];
  return NULL;
}

/* A program may make a stream for each launch: uses whose launches have ended are taken out. */
static void remove_ended(struct gp_stream_order *order) {
  for (size_t i = order->count; i-- > 0;) {
    const struct gp_stream_use use = order->uses[i];
    if (use.stays || use.launching || !use.fence || !gp_device()->fence_passed(use.fence))
      continue;
    order->uses[i] = order->uses[--order->count];
    order->uses[order->count] = use;
  }
}

static int grow(struct gp_stream_order *order) {
  const size_t capacity = order->capacity ? 2 * order->capacity : 2;
  struct gp_stream_use *uses = realloc(order->uses, capacity * sizeof *uses);
  if (!uses)
    return 0;
  for (size_t i = order->capacity; i < capacity; i++)
    uses[i] = (struct gp_stream_use){0};
  order->uses = uses;
  order->capacity = capacity;
  return 1;
}

/* Null without memory. */
static struct gp_stream_use *add(struct gp_stream_order *order, uint64_t number, int stays) {
  if (order->count == order->capacity)
    remove_ended(order);
  if (order->count == order->capacity && !grow(order)) {
    order->has_lost = 1;
    return NULL;
  }
  struct gp_stream_use *use = &order->uses[order->count++];
  use->stream = number;
  use->stays = stays;
  use->launching = 0;
  return use;
}

void gp_stream_order_before_launch(struct gp_stream_order *order, void *stream) {
  if (!is_needed())
    return;
  const uint64_t number = number_of(stream);
  struct gp_stream_use *use = find(order, number);
  if (!use && order->stream != number)
    await(order->switched, stream);
  if (!use)
    use = add(order, number, is_default(stream));
  if (use)
    use->launching++;
}

void gp_stream_order_launched(struct gp_stream_order *order, void *stream) {
  struct gp_stream_use *use = is_needed() ? find(order, number_of(stream)) : NULL;
  if (!use || !use->launching)
    return;
  use->launching--;
  if (!use->stays)
    check(gp_device()->fence(&use->fence, stream));
}

/* ---- The end of the device's memory ---- */

static void drop(void *fence) {
  if (fence)
    gp_device()->drop_fence(fence);
}

void gp_stream_order_device_resets(struct gp_stream_order *order) {
  drop(order->switched);
  for (size_t i = 0; i < order->capacity; i++)
    drop(order->uses[i].fence);
  free(order->uses);
  *order = (struct gp_stream_order){0};
}
