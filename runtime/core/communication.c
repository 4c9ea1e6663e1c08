// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/communication.h"

#include "base/locks.h"
#include "gpuprof/communication_abi.h"

#include <string.h>
#include <time.h>

GP_MUTEX(lock, GP_LOCK_COMMUNICATION)
static struct gp_communication own = {.stride = 1};

/* Null where there is no room for one more. */
static struct gp_communication_function *function_of(const char *name) {
  for (size_t i = 0; i < own.function_count; i++)
    if (own.functions[i].name == name)
      return &own.functions[i];
  if (own.function_count == GP_COMMUNICATION_FUNCTIONS)
    return NULL;
  struct gp_communication_function *function = &own.functions[own.function_count++];
  *function = (struct gp_communication_function){.name = name};
  return function;
}

static void halve_ends(void) {
  for (size_t i = 0; i < GP_COMMON_ENDS / 2; i++)
    own.ends[i] = own.ends[2 * i];
  own.end_count = GP_COMMON_ENDS / 2;
  own.stride *= 2;
}

static void add_end(void) {
  struct timespec now;
  if (own.common_count++ % own.stride)
    return;
  if (own.end_count == GP_COMMON_ENDS)
    halve_ends();
  clock_gettime(CLOCK_REALTIME, &now);
  if (!((own.common_count - 1) % own.stride))
    own.ends[own.end_count++] = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add_bytes(struct gp_communication_function *to, uint64_t bytes) {
  if (bytes == GPUPROF_NO_BYTES)
    return;
  if (bytes == GPUPROF_UNKNOWN_BYTES) {
    to->unknown++;
    return;
  }
  to->bytes += bytes;
  to->has_bytes = 1;
}

void gp_communication_add(const char *function, uint64_t bytes, uint64_t ns, int common) {
  pthread_mutex_lock(&lock);
  struct gp_communication_function *to = function_of(function);
  if (to) {
    to->calls++;
    to->ns += ns;
    add_bytes(to, bytes);
  }
  if (common)
    add_end();
  pthread_mutex_unlock(&lock);
}

void gp_communication_read(struct gp_communication *communication) {
  pthread_mutex_lock(&lock);
  *communication = own;
  pthread_mutex_unlock(&lock);
}

void gp_communication_in_child(void) { own = (struct gp_communication){.stride = 1}; }
