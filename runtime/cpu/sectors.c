/* Unique bytes: which 32-byte sectors of memory a launch has touched. Compiled code marks those of the arena
 * in a map of a byte a sector; device variables and other memory of the host go into a set, one a worker.
 */
#include "cpu/emulator.h"
#include "cpu/entries.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct gpuprof_cpu_sectors __gpuprof_cpu_sectors;

enum { SECTOR_BYTES = 32, PAGE_BYTES = 4096, LOOK_AT_PAGES_FROM = 8 * PAGE_BYTES };
static const uint64_t PAGE_EXISTS = 3ull << 62; /* in memory or swapped out */

void gp_sectors_clear(uint64_t address, uint64_t bytes) {
  uint8_t *marks = __gpuprof_cpu_sectors.sectors + (address - __gpuprof_cpu_sectors.base) / SECTOR_BYTES;
  uint64_t count = (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  uint64_t head = -(uint64_t)marks % PAGE_BYTES, pages = count > head ? (count - head) / PAGE_BYTES : 0;
  if (!pages || madvise(marks + head, pages * PAGE_BYTES, MADV_DONTNEED) != 0) {
    memset(marks, 0, count);
    return;
  }
  memset(marks, 0, head);
  memset(marks + head + pages * PAGE_BYTES, 0, count - head - pages * PAGE_BYTES);
}

/* ---- The set ------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct gp_sector_set *set, uint64_t sector) {
  size_t slot = (size_t)(sector * 0x9E3779B97F4A7C15u >> 20) & (set->capacity - 1);
  while (set->slots[slot] && set->slots[slot] != sector)
    slot = (slot + 1) & (set->capacity - 1);
  return slot;
}

static bool grow(struct gp_sector_set *set) {
  struct gp_sector_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024, .used = set->used};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots)
    return false;
  for (size_t i = 0; i < set->capacity; i++)
    if (set->slots[i])
      larger.slots[slot_of(&larger, set->slots[i])] = set->slots[i];
  free(set->slots);
  *set = larger;
  return true;
}

static void insert(struct gp_sector_set *set, uint64_t sector) {
  if (sector == set->last)
    return;
  set->last = sector;
  if (2 * set->used >= set->capacity && !grow(set) && set->used + 1 >= set->capacity)
    return; /* no memory: the sector is left out, which only lowers the figure */
  size_t slot = slot_of(set, sector);
  if (set->slots[slot])
    return;
  set->slots[slot] = sector;
  set->used++;
}

static void clear(struct gp_sector_set *set) {
  if (set->used)
    memset(set->slots, 0, set->capacity * sizeof *set->slots);
  set->used = 0;
  set->last = 0;
}

void gp_sectors_touch_outside(struct gp_worker *worker, uint64_t address, uint64_t bytes) {
  for (uint64_t sector = address / SECTOR_BYTES; sector <= (address + bytes - 1) / SECTOR_BYTES; sector++)
    insert(&worker->home->touched, sector);
}

void __gpuprof_cpu_touch_slow(void *pointer, uint64_t bytes) {
  struct gp_worker *worker = gp_cpu_worker;
  uint64_t address = (uint64_t)pointer;
  if (!worker || !bytes || gp_worker_owns_shared(worker, address) || gp_worker_owns_stack(worker, address))
    return;
  uint64_t offset = address - __gpuprof_cpu_sectors.base;
  if (offset < __gpuprof_cpu_sectors.size && bytes <= __gpuprof_cpu_sectors.size - offset) {
    uint64_t first = offset / SECTOR_BYTES, last = (offset + bytes - 1) / SECTOR_BYTES;
    memset(__gpuprof_cpu_sectors.sectors + first, 1, last - first + 1);
  } else {
    gp_sectors_touch_outside(worker, address, bytes);
  }
}

void __gpuprof_cpu_touch_row(void *first, uint64_t step, uint64_t count, uint64_t bytes) {
  if (!count)
    return;
  uint64_t address = (uint64_t)first, size = step;
  if ((int64_t)step < 0) { /* from the lowest on */
    address += (count - 1) * step;
    size = -step;
  }
  if (size <= SECTOR_BYTES) { /* no sector between the first and the last is left out */
    __gpuprof_cpu_touch_slow((void *)address, (count - 1) * size + bytes);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    __gpuprof_cpu_touch_slow((void *)(address + i * size), bytes);
}

void __gpuprof_cpu_touch_rows(void *first, uint64_t step, uint64_t count, uint64_t bytes, uint64_t turn_step,
                              uint64_t turns) {
  for (uint64_t i = 0; i < turns; i++)
    __gpuprof_cpu_touch_row((char *)first + i * turn_step, step, count, bytes);
}

/* ---- Counting ------------------------------------------------------------------------------------------ */

/* Adds up marks (bytes of 0 or 1) and clears them. */
static uint64_t take_marks(uint8_t *marks, uint64_t count) {
  uint64_t sum = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t word;
    memcpy(&word, marks + i, 8);
    if (word) {
      sum += (uint64_t)__builtin_popcountll(word);
      memset(marks + i, 0, 8);
    }
  }
  for (; i < count; i++) {
    sum += marks[i];
    marks[i] = 0;
  }
  return sum;
}

/* The kernel's table of this process's pages, a word a page; -1 where it cannot be read. */
static int pagemap = -1;
static pid_t pagemap_of;

static bool open_pagemap(void) {
  if (pagemap_of == getpid())
    return pagemap >= 0;
  if (pagemap >= 0)
    close(pagemap);
  pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  pagemap_of = getpid();
  return pagemap >= 0;
}

/* The same for whole pages of marks: those that were never touched are skipped, and those that this launch
 * did not touch are given back, so that the cost of a launch follows what it touches and not what is
 * allocated. */
static uint64_t take_pages(uint8_t *marks, uint64_t pages) {
  uint64_t entries[512], sum = 0;
  for (uint64_t done = 0; done < pages;) {
    uint64_t some = pages - done < 512 ? pages - done : 512;
    uint8_t *at = marks + done * PAGE_BYTES;
    if (pread(pagemap, entries, some * 8, (off_t)((uint64_t)at / PAGE_BYTES * 8)) != (ssize_t)(some * 8))
      return sum + take_marks(at, (pages - done) * PAGE_BYTES);
    for (uint64_t i = 0; i < some; i++) {
      if (!(entries[i] & PAGE_EXISTS))
        continue;
      uint64_t touched = take_marks(at + i * PAGE_BYTES, PAGE_BYTES);
      if (!touched)
        madvise(at + i * PAGE_BYTES, PAGE_BYTES, MADV_DONTNEED);
      sum += touched;
    }
    done += some;
  }
  return sum;
}

static void take_allocation(const struct gp_allocation *allocation, void *sectors) {
  uint64_t first = (allocation->address - __gpuprof_cpu_sectors.base) / SECTOR_BYTES;
  uint64_t count = (allocation->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  uint8_t *marks = __gpuprof_cpu_sectors.sectors + first;
  uint64_t *sum = sectors;
  if (count < LOOK_AT_PAGES_FROM || !open_pagemap()) {
    *sum += take_marks(marks, count);
    return;
  }
  uint64_t head = -(uint64_t)marks % PAGE_BYTES, pages = (count - head) / PAGE_BYTES;
  uint64_t tail = count - head - pages * PAGE_BYTES;
  *sum += take_marks(marks, head) + take_pages(marks + head, pages) + take_marks(marks + count - tail, tail);
}

uint64_t gp_sectors_take(struct gp_worker *const *workers, uint32_t count) {
  uint64_t sectors = 0;
  gp_arena_each(take_allocation, &sectors);
  struct gp_sector_set *all = &workers[0]->touched;
  for (uint32_t i = 1; i < count; i++) {
    struct gp_sector_set *set = &workers[i]->touched;
    for (size_t slot = 0; set->used && slot < set->capacity; slot++)
      if (set->slots[slot])
        insert(all, set->slots[slot]);
    clear(set);
  }
  sectors += all->used;
  clear(all);
  return sectors * SECTOR_BYTES;
}
