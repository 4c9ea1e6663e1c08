// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/locks.h"
#include "common/devices.h"
#include "cuda-api/work/stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { EVENT = 0x67706365 }; /* value of `magic` while an event lives */

static struct gp_event *destroyed; /* their memory is kept to recognise stale handles */
GP_MUTEX(lock, GP_LOCK_API_EVENT)

struct gp_event *gp_event_find(void *handle) {
  struct gp_event *event = handle;
  return event && event->magic == EVENT ? event : NULL;
}

static struct gp_event *make(void) {
  pthread_mutex_lock(&lock);
  struct gp_event *event = destroyed;
  if (event)
    destroyed = event->next;
  pthread_mutex_unlock(&lock);
  return event ? event : calloc(1, sizeof *event);
}

struct gp_event *gp_event_create(unsigned flags) {
  struct gp_event *event = make();
  if (event) {
    free(event->tail.nodes);
    *event = (struct gp_event){.magic = EVENT, .flags = flags, .device = gp_cpu_device()};
  }
  return event;
}

void gp_event_destroy(struct gp_event *event) {
  event->magic = 0;
  pthread_mutex_lock(&lock);
  event->next = destroyed;
  destroyed = event;
  pthread_mutex_unlock(&lock);
}

void gp_event_record(struct gp_event *event) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->time_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  event->recorded = true;
  event->capture = 0;
}
