// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The existing streams: handles, default streams, their memory. */
#include "base/locks.h"
#include "common/devices.h"
#include "common/errors.h"
#include "cuda-api/work/stream.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { STREAM = 0x67706373 }; /* value of `magic` while a stream lives */

static struct gp_stream legacy[GP_CPU_DEVICES];
/* Allocated on demand: there is little thread-local memory. */
static _Thread_local struct gp_stream *of_thread;
static pthread_key_t key_of_thread;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;
static struct gp_stream *destroyed; /* their memory is kept to recognise stale handles */
GP_MUTEX(lock, GP_LOCK_API_STREAM)
static _Atomic uint64_t last_id;

static void make_key(void) { pthread_key_create(&key_of_thread, free); }

static struct gp_stream *streams_of_thread(void) {
  pthread_once(&key_made, make_key);
  if (!of_thread && (of_thread = calloc(GP_CPU_DEVICES, sizeof *of_thread)))
    pthread_setspecific(key_of_thread, of_thread);
  return of_thread;
}

static struct gp_stream *default_stream(struct gp_stream *streams) {
  struct gp_stream *stream = streams ? &streams[gp_cpu_device()] : NULL;
  if (!stream || atomic_load_explicit(&stream->magic, memory_order_acquire))
    return stream;
  pthread_mutex_lock(&lock); /* threads that are first share the legacy stream */
  if (!stream->magic) {
    stream->device = gp_cpu_device();
    stream->id = ++last_id;
    atomic_store_explicit(&stream->magic, STREAM, memory_order_release);
  }
  pthread_mutex_unlock(&lock);
  return stream;
}

struct gp_stream *gp_stream_find(void *handle) {
  if ((uintptr_t)handle <= 1)
    return default_stream(legacy);
  if ((uintptr_t)handle == 2)
    return default_stream(streams_of_thread());
  struct gp_stream *stream = handle;
  return stream->magic == STREAM ? stream : NULL;
}

bool gp_stream_is_legacy(const struct gp_stream *stream) {
  return stream >= legacy && stream < legacy + GP_CPU_DEVICES;
}

int gp_stream_check(void *handle, struct gp_stream **stream) {
  *stream = gp_stream_find(handle);
  return *stream ? 0 : GP_ERROR_INVALID_HANDLE;
}

int gp_stream_check_for_work(void *handle, struct gp_stream **stream) {
  int error = gp_stream_check(handle, stream);
  return error || (*stream)->device == gp_cpu_device() ? error : GP_ERROR_INVALID_HANDLE;
}

/* Memory of a destroyed stream, or new memory. */
static struct gp_stream *make(void) {
  pthread_mutex_lock(&lock);
  struct gp_stream *stream = destroyed;
  if (stream)
    destroyed = stream->next;
  pthread_mutex_unlock(&lock);
  return stream ? stream : malloc(sizeof *stream);
}

struct gp_stream *gp_stream_create(unsigned flags, int priority) {
  struct gp_stream *stream = make();
  if (stream)
    *stream = (struct gp_stream){
        .magic = STREAM, .flags = flags, .priority = priority, .device = gp_cpu_device(), .id = ++last_id};
  return stream;
}

void gp_stream_destroy(struct gp_stream *stream) {
  stream->magic = 0;
  pthread_mutex_lock(&lock);
  stream->next = destroyed;
  destroyed = stream;
  pthread_mutex_unlock(&lock);
}
