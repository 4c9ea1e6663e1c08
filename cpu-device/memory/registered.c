// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory of the host, registered by the program. */
#include "base/locks.h"
#include "memory/memory.h"

#include <stdlib.h>

GP_MUTEX(lock, GP_LOCK_API_MEMORY)
static struct gp_registered *registered;

/* Computed with integers: a program may ask about any address, including null. */
static bool overlap(const struct gp_registered *range, uint64_t address, uint64_t bytes) {
  const uint64_t start = (uint64_t)range->address;
  return address < start + range->bytes && start < address + bytes;
}

static struct gp_registered **find_registered(const void *address, size_t bytes) {
  struct gp_registered **link = &registered;
  while (*link && !overlap(*link, (uint64_t)address, bytes))
    link = &(*link)->next;
  return link;
}

bool gp_registered_find(const void *address, struct gp_registered *found) {
  pthread_mutex_lock(&lock);
  const struct gp_registered *r = *find_registered(address, 1);
  if (r && found)
    *found = *r;
  pthread_mutex_unlock(&lock);
  return r != NULL;
}

enum gp_registration gp_registered_add(const struct gp_registered *range) {
  struct gp_registered *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return GP_REGISTRATION_NO_MEMORY;
  *fresh = *range;
  pthread_mutex_lock(&lock);
  const bool overlaps = *find_registered(range->address, range->bytes);
  if (!overlaps) {
    fresh->next = registered;
    registered = fresh;
  }
  pthread_mutex_unlock(&lock);
  if (overlaps)
    free(fresh);
  return overlaps ? GP_REGISTRATION_OVERLAPS : GP_REGISTRATION_DONE;
}

enum gp_registration gp_registered_remove(const void *address) {
  enum gp_registration result = GP_REGISTRATION_UNKNOWN;
  pthread_mutex_lock(&lock);
  struct gp_registered **link = find_registered(address, 1), *found = *link;
  if (found)
    result = found->address == address ? GP_REGISTRATION_DONE : GP_REGISTRATION_OVERLAPS;
  if (result == GP_REGISTRATION_DONE) {
    *link = found->next;
    free(found);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
