// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/sector_table.h"

#include "base/device.h"
#include "base/locks.h"
#include "core/kernels.h"
#include "gpuprof/abi.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#define BYTES_OF_SECTOR 32u

GP_MUTEX(lock, GP_LOCK_MARKS)
static struct memory {
  uint64_t table, keys, bits; /* device addresses */
  uint64_t slots;             /* a power of two; 0: there is no memory */
} memories[GP_DEVICES];

void gp_sector_table_lock(void) { pthread_mutex_lock(&lock); }
void gp_sector_table_unlock(void) { pthread_mutex_unlock(&lock); }

static size_t bytes_of_keys(uint64_t slots) { return slots * sizeof(uint64_t); }
static size_t bytes_of_bits(uint64_t slots) { return slots * GPUPROF_UNIQUE_WORDS * sizeof(uint32_t); }

static void release(struct memory *m) {
  const uint64_t addresses[] = {m->table, m->keys, m->bits};
  for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
    if (addresses[i])
      gp_device()->release(addresses[i]);
  *m = (struct memory){0};
}

/* Memory comes zeroed. */
static int allocate(struct memory *m, uint64_t slots) {
  const struct gp_device_ops *device = gp_device();
  if (device->allocate(&m->table, sizeof(struct gpuprof_unique_table)) ||
      device->allocate(&m->keys, bytes_of_keys(slots)) || device->allocate(&m->bits, bytes_of_bits(slots))) {
    release(m);
    return -1;
  }
  m->slots = slots;
  return 0;
}

static int clear(const struct memory *m) {
  const struct gp_device_ops *device = gp_device();
  return device->zero(m->keys, bytes_of_keys(m->slots)) || device->zero(m->bits, bytes_of_bits(m->slots));
}

int gp_sector_table_prepare(int device, uint64_t slots, uint64_t *table) {
  gp_assert_held(&lock);
  struct memory *m = &memories[device];
  uint64_t wanted = 1;
  while (wanted < slots)
    wanted *= 2;
  if (m->slots < wanted) {
    release(m);
    if (allocate(m, wanted))
      return -1;
  } else if (clear(m)) {
    return -1;
  }
  const struct gpuprof_unique_table empty = {.keys = m->keys, .bits = m->bits, .mask = m->slots - 1};
  *table = m->table;
  return gp_device()->write(m->table, &empty, sizeof empty) ? -1 : 0;
}

enum gp_sector_table gp_sector_table_read(int device, uint64_t *bytes) {
  gp_assert_held(&lock);
  struct gpuprof_unique_table table;
  if (gp_device()->read(&table, memories[device].table, sizeof table))
    return GP_SECTOR_TABLE_ERROR;
  if (table.overflow)
    return GP_SECTOR_TABLE_FULL;
  *bytes = 0;
  for (size_t i = 0; i < GPUPROF_UNIQUE_WORDS; i++)
    *bytes += BYTES_OF_SECTOR * table.counts[i * GPUPROF_UNIQUE_STRIDE];
  return GP_SECTOR_TABLE_READ;
}

uint64_t gp_sector_table_slots(int device) { return memories[device].slots; }

void gp_sector_table_forget(int device) {
  gp_sector_table_lock();
  memories[device] = (struct memory){0};
  gp_sector_table_unlock();
}
