// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/events.h"

#include "base/clock.h"
#include "base/locks.h"
#include "base/log.h"
#include "cuda/cuda_real.h"
#include "cuda/device_cuda.h"
#include "launch/launch_times.h"
#include "timeline/thread_facts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define DEVICES 64
/* Maximum number of launches waiting for their times before finished ones are collected. */
#define PENDING_LIMIT 2048

struct pair {
  struct pair *next;
  uint64_t launch_id;
  int device;
  void *start, *stop;
};

/* The origin of a device's event times. */
struct anchor {
  void *event;
  uint64_t ns;
};

GP_MUTEX(lock, GP_LOCK_EVENTS)
static struct pair *idle[DEVICES];
static struct pair *pending, **pending_end = &pending; /* in order of launch */
static unsigned pending_count;
static struct anchor anchors[DEVICES];

/* An error of gpuprof's event must not become the program's error. */
static int checked(int error) {
  if (error)
    gp_cuda_real()->cudaGetLastError();
  return error;
}

static void destroy(struct pair *pair) {
  if (pair->start)
    checked(gp_cuda_real()->cudaEventDestroy(pair->start));
  if (pair->stop)
    checked(gp_cuda_real()->cudaEventDestroy(pair->stop));
  free(pair);
}

static struct pair *make_pair(int device) {
  struct pair *pair = calloc(1, sizeof *pair);
  if (!pair)
    return NULL;
  pair->device = device;
  if (!checked(gp_cuda_real()->cudaEventCreate(&pair->start)) &&
      !checked(gp_cuda_real()->cudaEventCreate(&pair->stop)))
    return pair;
  destroy(pair);
  return NULL;
}

static struct pair *take_pair(int device) {
  pthread_mutex_lock(&lock);
  struct pair *pair = idle[device];
  if (pair)
    idle[device] = pair->next;
  pthread_mutex_unlock(&lock);
  return pair ? pair : make_pair(device);
}

static void give_pair(struct pair *pair) {
  pthread_mutex_lock(&lock);
  pair->next = idle[pair->device];
  idle[pair->device] = pair;
  pthread_mutex_unlock(&lock);
}

/* The precision of start times: the host's clock once the anchor had happened on the device. */
static void set_anchor(int device, void *stream) {
  pthread_mutex_lock(&lock);
  struct anchor *anchor = &anchors[device];
  if (!anchor->event && !checked(gp_cuda_real()->cudaEventCreate(&anchor->event))) {
    checked(gp_cuda_real()->cudaEventRecord(anchor->event, stream));
    checked(gp_cuda_real()->cudaEventSynchronize(anchor->event));
    anchor->ns = gp_now();
  }
  pthread_mutex_unlock(&lock);
}

static void deliver(const struct pair *pair) {
  const struct gp_cudart *cuda = gp_cuda_real();
  const struct anchor *anchor = &anchors[pair->device];
  float since_anchor = 0, duration = 0;
  if (checked(cuda->cudaEventElapsedTime(&duration, pair->start, pair->stop)) || duration < 0)
    return;
  checked(cuda->cudaEventElapsedTime(&since_anchor, anchor->event, pair->start));
  gp_launch_time(pair->launch_id, anchor->ns + (uint64_t)(1e6 * (double)since_anchor),
                 (uint64_t)(1e6 * (double)duration + 0.5), GP_TIME_EVENT);
}

/* Takes the oldest pending pair off the list if it is finished (or, with `wait`, once it is). */
static struct pair *take_finished(int wait) {
  pthread_mutex_lock(&lock);
  struct pair *pair = pending;
  /* cudaEventQuery's "not ready" is no error visible to a program. */
  if (pair && !wait && gp_cuda_real()->cudaEventQuery(pair->stop) == GP_CUDA_ERROR_NOT_READY)
    pair = NULL;
  if (pair) {
    pending = pair->next;
    if (!pending)
      pending_end = &pending;
    pending_count--;
  }
  pthread_mutex_unlock(&lock);
  return pair;
}

static void collect(int wait) {
  for (struct pair *pair; (pair = take_finished(wait)); give_pair(pair))
    if (!wait || !checked(gp_cuda_real()->cudaEventSynchronize(pair->stop)))
      deliver(pair);
}

void gp_events_launch_begin(const struct gp_launch *launch) {
  struct gp_thread_facts *own = gp_thread_facts();
  if (!own)
    return;
  own->launch_events = NULL;
  if (launch->device < 0 || launch->device >= DEVICES || gp_device_cuda.capturing(launch->stream))
    return;
  struct pair *pair = take_pair(launch->device);
  if (!pair)
    return;
  if (!anchors[launch->device].event)
    set_anchor(launch->device, launch->stream);
  pair->launch_id = launch->id;
  if (checked(gp_cuda_real()->cudaEventRecord(pair->start, launch->stream)))
    give_pair(pair);
  else
    own->launch_events = pair;
}

void gp_events_launch_end(const struct gp_launch *launch, int error) {
  struct gp_thread_facts *own = gp_thread_facts();
  struct pair *pair = own ? own->launch_events : NULL;
  if (!pair)
    return;
  own->launch_events = NULL;
  if (error || checked(gp_cuda_real()->cudaEventRecord(pair->stop, launch->stream))) {
    give_pair(pair);
    return;
  }
  pthread_mutex_lock(&lock);
  pair->next = NULL;
  *pending_end = pair;
  pending_end = &pair->next;
  int full = ++pending_count > PENDING_LIMIT;
  pthread_mutex_unlock(&lock);
  if (full)
    collect(0);
}

void gp_events_flush(void) { collect(1); }

int gp_events_idle(void) {
  collect(0);
  pthread_mutex_lock(&lock);
  const int idle = !pending;
  pthread_mutex_unlock(&lock);
  return idle;
}

static void drop_idle(int device) {
  while (idle[device]) {
    struct pair *pair = idle[device];
    idle[device] = pair->next;
    free(pair);
  }
}

void gp_events_forget(int device) {
  if (device < 0 || device >= DEVICES)
    return;
  pthread_mutex_lock(&lock);
  drop_idle(device);
  anchors[device] = (struct anchor){0};
  pthread_mutex_unlock(&lock);
}
