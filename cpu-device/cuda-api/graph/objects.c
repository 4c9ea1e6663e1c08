// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/locks.h"
#include "common/errors.h"
#include "cuda-api/graph/graph.h"
#include "cuda-api/graph/objects.h"
#include "cuda-api/work/api.h"

#include <pthread.h>
#include <stdlib.h>

struct gp_object {
  unsigned count;
  void (*destroy)(void *);
  void *data;
};

GP_MUTEX(lock, GP_LOCK_OBJECTS)

static void take(struct gp_object *object, unsigned count) {
  pthread_mutex_lock(&lock);
  object->count += count;
  pthread_mutex_unlock(&lock);
}

static void let_go(struct gp_object *object, unsigned count) {
  pthread_mutex_lock(&lock);
  object->count = object->count > count ? object->count - count : 0;
  bool last = !object->count;
  pthread_mutex_unlock(&lock);
  if (!last)
    return;
  object->destroy(object->data);
  free(object);
}

struct gp_reference *gp_references_copy(const struct gp_reference *references) {
  struct gp_reference *copy = NULL;
  for (; references; references = references->next) {
    struct gp_reference *fresh = malloc(sizeof *fresh);
    if (!fresh)
      break;
    *fresh = *references;
    fresh->next = copy;
    copy = fresh;
    take(fresh->object, fresh->count);
  }
  return copy;
}

void gp_references_drop(struct gp_reference *references) {
  while (references) {
    struct gp_reference *next = references->next;
    let_go(references->object, references->count);
    free(references);
    references = next;
  }
}

int gp_cpu_cudaUserObjectCreate(void **object, void *data, void *destroy, unsigned count, unsigned flags) {
  enum { NO_DESTRUCTOR_SYNC = 1 };
  if (!object || !destroy || !count || flags != NO_DESTRUCTOR_SYNC)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_object *made = malloc(sizeof *made);
  if (!made)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  *made = (struct gp_object){.count = count, .data = data};
  *(void **)&made->destroy = destroy;
  *object = made;
  return gp_cpu_result(0);
}

int gp_cpu_cudaUserObjectRetain(void *object, unsigned count) {
  if (!object || !count)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  take(object, count);
  return gp_cpu_result(0);
}

int gp_cpu_cudaUserObjectRelease(void *object, unsigned count) {
  if (!object || !count)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  let_go(object, count);
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphRetainUserObject(void *graph, void *object, unsigned count, unsigned flags) {
  enum { MOVE = 1 }; /* the caller's references become the graph's */
  if (!gp_graph_is(graph) || !object || !count || flags > MOVE)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  struct gp_reference *reference = malloc(sizeof *reference);
  if (!reference)
    return gp_cpu_result(GP_ERROR_MEMORY_ALLOCATION);
  struct gp_graph *g = graph;
  *reference = (struct gp_reference){g->objects, object, count};
  g->objects = reference;
  if (flags != MOVE)
    take(object, count);
  return gp_cpu_result(0);
}

int gp_cpu_cudaGraphReleaseUserObject(void *graph, void *object, unsigned count) {
  if (!gp_graph_is(graph) || !object || !count)
    return gp_cpu_result(GP_ERROR_INVALID_VALUE);
  for (struct gp_reference **link = &((struct gp_graph *)graph)->objects; *link; link = &(*link)->next) {
    struct gp_reference *reference = *link;
    if (reference->object != object || reference->count < count)
      continue;
    reference->count -= count;
    if (!reference->count) {
      *link = reference->next;
      free(reference);
    }
    let_go(object, count);
    return gp_cpu_result(0);
  }
  return gp_cpu_result(GP_ERROR_INVALID_VALUE);
}
