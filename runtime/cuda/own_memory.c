// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* CUDA puts small allocations beside one another. A kernel storing a little behind its array could change
 * gpuprof's counters between the program's arrays, otherwise unnoticed. The counters therefore lie in pages
 * of their own, with some room before them. */
#include "cuda/own_memory.h"

#include "base/own_cost.h"
#include "base/locks.h"
#include "cuda/cuda_real.h"
#include "exports/cudart.h"

#include <pthread.h>
#include <stdlib.h>

#define PAGE ((size_t)2 << 20)  /* CUDA maps memory in such pages: an allocation of whole ones shares none */
#define ROOM ((size_t)64 << 10) /* left unused, since pages may be adjacent */
#define ALIGNMENT 256

struct chunk {
  struct chunk *next;
  uint64_t begin;
  size_t bytes, used;
  unsigned pieces; /* not yet released ones */
  int device;
};

GP_MUTEX(lock, GP_LOCK_OWN_MEMORY)
static struct chunk *chunks;

static size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

static struct chunk *with_room(int device, size_t bytes) {
  for (struct chunk *chunk = chunks; chunk; chunk = chunk->next)
    if (chunk->device == device && chunk->bytes - chunk->used >= bytes)
      return chunk;
  return NULL;
}

static int add_chunk(int device, size_t bytes) {
  struct chunk *chunk = malloc(sizeof *chunk);
  if (!chunk)
    return GP_CUDA_ERROR_MEMORY_ALLOCATION;
  void *begin = NULL;
  const size_t whole = round_up(ROOM + bytes, PAGE);
  int error = gp_cuda_real()->cudaMalloc(&begin, whole);
  if (error) {
    free(chunk);
    return error;
  }
  *chunk = (struct chunk){chunks, (uint64_t)(uintptr_t)begin, whole, ROOM, 0, device};
  chunks = chunk;
  gp_own_memory_add(GP_OWN_DEVICE, (int64_t)whole);
  return 0;
}

int gp_own_memory_allocate(uint64_t *address, size_t bytes) {
  int device = 0, error = gp_cuda_real()->cudaGetDevice(&device);
  *address = 0;
  if (error)
    return error;
  bytes = round_up(bytes ? bytes : 1, ALIGNMENT);
  pthread_mutex_lock(&lock);
  struct chunk *chunk = with_room(device, bytes);
  if (!chunk && !(error = add_chunk(device, bytes)))
    chunk = chunks;
  if (chunk) {
    *address = chunk->begin + chunk->used;
    chunk->used += bytes;
    chunk->pieces++;
  }
  pthread_mutex_unlock(&lock);
  return error;
}

int gp_own_memory_release(uint64_t address) {
  uint64_t unused = 0;
  pthread_mutex_lock(&lock);
  for (struct chunk **link = &chunks; *link; link = &(*link)->next) {
    struct chunk *chunk = *link;
    if (address - chunk->begin >= chunk->bytes)
      continue;
    if (--chunk->pieces == 0) {
      unused = chunk->begin;
      *link = chunk->next;
      free(chunk);
    }
    break;
  }
  pthread_mutex_unlock(&lock);
  return unused ? gp_cuda_real()->cudaFree((void *)(uintptr_t)unused) : 0;
}

void gp_own_memory_forget(int device) {
  pthread_mutex_lock(&lock);
  for (struct chunk **link = &chunks; *link;) {
    struct chunk *chunk = *link;
    if (chunk->device == device) {
      *link = chunk->next;
      free(chunk);
    } else
      link = &chunk->next;
  }
  pthread_mutex_unlock(&lock);
}
