// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* All device memory lies in one reservation of addresses: one subtraction finds a kernel's access in the
 * sector map. Pages cost nothing until they are touched. Fresh memory holds a pattern, because cudaMalloc
 * does not promise zeroes, or zeroes for programs relying on them.
 */
#include "base/locks.h"
#include "base/log.h"
#include "base/settings.h"
#include "common/devices.h"
#include "common/room.h"
#include "memory/arena.h"
#include "memory/mappings.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint64_t largest_arena = 64ull << 30, smallest_arena = 64ull << 20;
static const uint64_t smallest_of_limited = 1ull << 20; /* address space */
static const uint64_t alignment = 512;             /* demanded by textures of linear memory */
static const uint64_t filled_bytes = 256ull << 20; /* of one allocation; the pages behind stay untouched */
static const uint64_t returned_bytes =
    1ull << 20; /* pages of freed allocations of this size go back to the system */
static const uint64_t addresses_per_byte = 4; /* of the arena: addresses behind it, for mapped memory */

GP_MUTEX(lock, GP_LOCK_ARENA)
static struct {
  uint64_t base, size, addresses; /* bytes of memory, and of addresses behind it */
  uint64_t used[GP_CPU_DEVICES];
  struct gp_allocation *list; /* in the order of addresses */
  size_t count, capacity;
} arena;

struct gpuprof_cpu_sectors *gp_cpu_sectors;

unsigned char gp_cpu_fresh_byte(void) { return gp_settings()->cpu_zero ? 0 : GP_CPU_FRESH_PATTERN; }

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

/* With checked accesses, gaps between allocations catch accesses beyond an end. */
/* A function of the program's AddressSanitizer, if it has one: its kernels then check their accesses. */
void __asan_unpoison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));

static bool checks_accesses(void) { return __asan_unpoison_memory_region != NULL; }

static uint64_t gap(void) { return checks_accesses() ? alignment : 0; }

static uint64_t extent(const struct gp_allocation *a) {
  if (a->mapping)
    return a->bytes;
  return round_up(a->bytes ? a->bytes : 1, alignment) + gap();
}

static void *reserve(uint64_t bytes, int protection) {
  void *memory = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static uint64_t machine_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : smallest_arena;
}

/* Reserves the arena and the addresses behind it. The latter cannot be read or written yet. */
static void *reserve_arena(uint64_t size, uint64_t all) {
  void *memory = reserve(all, PROT_NONE);
  if (memory && mprotect(memory, size, PROT_READ | PROT_WRITE)) {
    munmap(memory, all);
    return NULL;
  }
  return memory;
}

struct plan {
  uint64_t size, smallest, addresses_per_byte;
};

/* In a limited address space, the program and the stacks of kernels need a part, too. */
static struct plan plan_arena(void) {
  /* With counts alone no page is touched but by the program's copies. */
  const uint64_t room = gp_cpu_room(), size = gp_settings()->counts_only ? largest_arena : machine_memory();
  struct plan plan = {size < largest_arena ? size : largest_arena, smallest_arena, addresses_per_byte};
  if (room / 4 / (1 + addresses_per_byte) < plan.size)
    plan = (struct plan){room / 4, smallest_of_limited, 1};
  plan.size &= ~(plan.smallest - 1);
  return plan;
}

static void open_locked(void) {
  const struct plan plan = plan_arena();
  for (uint64_t size = plan.size; size >= plan.smallest; size /= 2) {
    const uint64_t all = size + plan.addresses_per_byte * size, marks = all / 32 + 4096;
    void *memory = reserve_arena(size, all);
    void *sectors = memory ? reserve(marks, PROT_READ | PROT_WRITE) : NULL;
    if (sectors) {
      madvise(sectors, marks, MADV_NOHUGEPAGE); /* a mark must not commit a huge page of 2 MiB */
      arena.base = (uint64_t)memory;
      arena.size = size;
      arena.addresses = all - size;
      *gp_cpu_sectors =
          (struct gpuprof_cpu_sectors){.base = arena.base, .size = all, .sectors = sectors};
      return;
    }
    if (memory)
      munmap(memory, all);
  }
}

bool gp_arena_open(void) {
  pthread_mutex_lock(&lock);
  if (!arena.size)
    open_locked();
  bool open = arena.size != 0;
  pthread_mutex_unlock(&lock);
  return open;
}

/* ---- Marks of sectors ----------------------------------------------------------------------------------- */

enum { SECTOR_BYTES = 32, PAGE_BYTES = 4096 };

/* Fresh memory has none. Whole pages of marks go back to the system. */
static void clear_marks(uint64_t address, uint64_t bytes) {
  uint8_t *marks = gp_cpu_sectors->sectors + (address - gp_cpu_sectors->base) / SECTOR_BYTES;
  uint64_t count = (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
  uint64_t head = -(uint64_t)marks % PAGE_BYTES, pages = count > head ? (count - head) / PAGE_BYTES : 0;
  if (!pages || madvise(marks + head, pages * PAGE_BYTES, MADV_DONTNEED) != 0) {
    memset(marks, 0, count);
    return;
  }
  memset(marks, 0, head);
  memset(marks + head + pages * PAGE_BYTES, 0, count - head - pages * PAGE_BYTES);
}

/* ---- Allocations ---------------------------------------------------------------------------------------- */

/* Index of the first allocation above the address. */
static size_t above(uint64_t address) {
  size_t low = 0, high = arena.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (arena.list[middle].address > address)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Finds the first gap of sufficient size; `index`: the allocation's place in the list. */
static uint64_t find_gap(uint64_t bytes, size_t *index) {
  uint64_t at = arena.base + gap();
  for (size_t i = 0; i < arena.count && arena.list[i].address < arena.base + arena.size; i++) {
    if (arena.list[i].address - at >= bytes) {
      *index = i;
      return at;
    }
    at = arena.list[i].address + extent(&arena.list[i]);
  }
  *index = above(arena.base + arena.size - 1);
  return arena.base + arena.size - at >= bytes ? at : 0;
}

static bool make_room(void) {
  if (arena.count < arena.capacity)
    return true;
  size_t capacity = arena.capacity ? 2 * arena.capacity : 64;
  struct gp_allocation *list = realloc(arena.list, capacity * sizeof *list);
  if (!list)
    return false;
  arena.list = list;
  arena.capacity = capacity;
  return true;
}

static void insert(size_t index, const struct gp_allocation *fresh) {
  memmove(arena.list + index + 1, arena.list + index, (arena.count - index) * sizeof *arena.list);
  arena.list[index] = *fresh;
  arena.count++;
}

/* Each device's part of the arena. */
static uint64_t share(void) { return arena.size / (unsigned)gp_cpu_device_count(); }

static uint64_t allocate_locked(uint64_t bytes, enum gp_memory_kind kind) {
  struct gp_allocation fresh = {
      .bytes = bytes, .kind = kind, .device = gp_cpu_device(), .preferred = -2, .prefetched = -2};
  size_t index;
  if (bytes > share() || extent(&fresh) > share() - arena.used[fresh.device] || !make_room())
    return 0;
  fresh.address = find_gap(extent(&fresh), &index);
  if (!fresh.address)
    return 0;
  insert(index, &fresh);
  arena.used[fresh.device] += extent(&fresh);
  clear_marks(fresh.address, extent(&fresh));
  return fresh.address;
}

/* CUDA's error suffices, unless the machine has more memory. */
static void tell_limit(void) {
  char limit[128];
  if (*gp_cpu_room_limit(limit))
    gp_log(GP_WARN, "device memory", "it is exhausted at %llu MB%s", (unsigned long long)(arena.size >> 20), limit);
}

uint64_t gp_arena_allocate(uint64_t bytes, enum gp_memory_kind kind) {
  if (!gp_arena_open()) {
    tell_limit();
    return 0;
  }
  pthread_mutex_lock(&lock);
  uint64_t address = allocate_locked(bytes, kind);
  pthread_mutex_unlock(&lock);
  if (!address)
    tell_limit();
  else if (!gp_settings()->counts_only) /* no kernel reads it: models larger than the machine can be counted */
    memset((void *)address, kind == GP_MEMORY_MANAGED ? 0 : gp_cpu_fresh_byte(),
           bytes < filled_bytes ? bytes : filled_bytes);
  return address;
}

static bool find_locked(uint64_t address, size_t *index) {
  size_t next = above(address);
  if (!next)
    return false;
  *index = next - 1;
  const struct gp_allocation *a = &arena.list[*index];
  return address - a->address < (a->bytes ? a->bytes : 1);
}

static void remove_locked(size_t index) {
  struct gp_allocation *a = &arena.list[index];
  if (!a->mapping)
    arena.used[a->device] -= extent(a);
  if (!a->mapping && a->bytes >= returned_bytes) {
    uint64_t page = 4096, first = round_up(a->address, page), last = (a->address + a->bytes) & ~(page - 1);
    madvise((void *)first, last - first, MADV_DONTNEED);
  }
  arena.count--;
  memmove(a, a + 1, (arena.count - index) * sizeof *a);
}

bool gp_arena_release(uint64_t address) {
  size_t index;
  pthread_mutex_lock(&lock);
  bool found = find_locked(address, &index) && arena.list[index].address == address;
  if (found)
    remove_locked(index);
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- Memory mapped behind the arena (mappings.c) ---- */

uint64_t gp_arena_addresses(uint64_t *bytes) {
  bool open = gp_arena_open();
  *bytes = open ? arena.addresses : 0;
  return arena.base + arena.size;
}

bool gp_arena_take(int device, uint64_t bytes) {
  gp_arena_open();
  pthread_mutex_lock(&lock);
  bool enough = bytes <= share() && arena.used[device] <= share() - bytes;
  if (enough)
    arena.used[device] += bytes;
  pthread_mutex_unlock(&lock);
  return enough;
}

void gp_arena_give_back(int device, uint64_t bytes) {
  pthread_mutex_lock(&lock);
  arena.used[device] -= bytes;
  pthread_mutex_unlock(&lock);
}

bool gp_arena_map(const struct gp_allocation *mapped) {
  pthread_mutex_lock(&lock);
  bool room = make_room();
  if (room) {
    insert(above(mapped->address), mapped);
    clear_marks(mapped->address, mapped->bytes);
  }
  pthread_mutex_unlock(&lock);
  return room;
}

bool gp_arena_find(uint64_t address, struct gp_allocation *found) {
  size_t index;
  pthread_mutex_lock(&lock);
  bool known = find_locked(address, &index);
  if (known)
    *found = arena.list[index];
  pthread_mutex_unlock(&lock);
  return known;
}

struct gp_neighbours gp_arena_neighbours(uint64_t address) {
  struct gp_neighbours found = {0};
  pthread_mutex_lock(&lock);
  size_t next = above(address);
  if (next)
    found.before = arena.list[next - 1];
  if (next < arena.count)
    found.behind = arena.list[next];
  pthread_mutex_unlock(&lock);
  return found;
}

void gp_arena_note(const struct gp_allocation *allocation) {
  size_t index;
  pthread_mutex_lock(&lock);
  if (find_locked(allocation->address, &index) && arena.list[index].address == allocation->address) {
    struct gp_allocation changed = *allocation;
    changed.bytes = arena.list[index].bytes;
    changed.kind = arena.list[index].kind;
    changed.device = arena.list[index].device;
    arena.list[index] = changed;
  }
  pthread_mutex_unlock(&lock);
}

void gp_arena_release_all(int device) {
  pthread_mutex_lock(&lock);
  for (size_t i = arena.count; i-- > 0;)
    if (arena.list[i].device == device)
      remove_locked(i);
  pthread_mutex_unlock(&lock);
}

void gp_arena_totals(int device, uint64_t *free_bytes, uint64_t *total_bytes) {
  gp_arena_open();
  pthread_mutex_lock(&lock);
  *free_bytes = share() - arena.used[device];
  *total_bytes = share();
  pthread_mutex_unlock(&lock);
}

void gp_arena_each(void (*f)(const struct gp_allocation *, void *), void *context) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < arena.count; i++)
    f(&arena.list[i], context);
  pthread_mutex_unlock(&lock);
}
