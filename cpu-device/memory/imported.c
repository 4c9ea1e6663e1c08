// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory imported from pools of other processes. */
#include "base/locks.h"
#include "common/launching.h"
#include "memory/memory.h"
#include "memory/share.h"

#include <stdatomic.h>
#include <stdlib.h>

static struct imported {
  struct imported *next;
  uint64_t address, allocation;
} * all_imported;
static _Atomic unsigned imported_count;
GP_MUTEX(lock, GP_LOCK_API_POOL_SHARE)

bool gp_imported_keep(uint64_t address, uint64_t allocation) {
  struct imported *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return false;
  *fresh = (struct imported){.address = address, .allocation = allocation};
  pthread_mutex_lock(&lock);
  fresh->next = all_imported;
  all_imported = fresh;
  imported_count++;
  pthread_mutex_unlock(&lock);
  return true;
}

bool gp_pool_pointer_free(const void *pointer) {
  struct imported *found = NULL;
  if (!imported_count)
    return false;
  pthread_mutex_lock(&lock);
  for (struct imported **link = &all_imported; *link; link = &(*link)->next)
    if ((*link)->address == (uint64_t)pointer) {
      found = *link;
      *link = found->next;
      imported_count--;
      break;
    }
  pthread_mutex_unlock(&lock);
  if (!found)
    return false;
  gp_cpu_wait();
  gp_share_close(found->allocation);
  free(found);
  return true;
}
