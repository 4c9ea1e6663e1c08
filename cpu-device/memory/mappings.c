// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Addresses apart from memory. Memory is in pages of 2 MiB, as on a GPU. */
#include "base/locks.h"
#include "common/devices.h"
#include "common/errors.h"
#include "common/launching.h"
#include "exports/cudart_types.h"
#include "memory/mappings.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PINNED = 1, LOCATION_DEVICE = 1, HANDLE_FILE = 1, SYSTEM_PAGE = 4096 };
static const uint64_t page = 2 << 20;
static const uint64_t filled_bytes = 256ull << 20; /* with the arena's pattern */
static const char file_name[] = "gpuprof-mapped-memory";

/* CUmemAllocationProp */
struct properties {
  int type, handle_types;
  struct gp_cuda_location location;
  void *attributes;
  unsigned char flags[8];
};

/* CUmemAccessDesc */
struct access {
  struct gp_cuda_location location;
  unsigned flags;
};

struct gp_memory {
  struct properties properties;
  uint64_t bytes;
  int file;
  unsigned uses; /* by handles and mappings */
  struct gp_memory *next;
};

static struct reservation {
  struct reservation *next; /* in the order of addresses */
  uint64_t address, bytes;
} *reservations;

static struct gp_memory *memories;
GP_MUTEX(lock, GP_LOCK_MAPPINGS)

static bool is_device(const struct gp_cuda_location *location) {
  return location->type == LOCATION_DEVICE && gp_cpu_device_exists(location->id);
}

/* ---- Addresses ----------------------------------------------------------------------------------------- */

/* Finds the lowest free and aligned start of the range at or above `at`; 0: there is none. Stores its link in
 * the list. */
static uint64_t find_room(uint64_t at, uint64_t bytes, uint64_t alignment, struct reservation ***link) {
  uint64_t all, end = gp_arena_addresses(&all) + all;
  for (*link = &reservations;; *link = &(**link)->next) {
    const struct reservation *next = **link;
    at = (at + alignment - 1) / alignment * alignment;
    if (at > end || end - at < bytes)
      return 0;
    if (!next || (next->address >= at && next->address - at >= bytes))
      return at;
    if (next->address + next->bytes > at)
      at = next->address + next->bytes;
  }
}

static uint64_t room_at_or_elsewhere(uint64_t wanted, uint64_t bytes, uint64_t alignment,
                                     struct reservation ***link) {
  uint64_t all, first = gp_arena_addresses(&all);
  if (wanted >= first && wanted - first < all && wanted % alignment == 0 &&
      find_room(wanted, bytes, alignment, link) == wanted)
    return wanted;
  return find_room(first, bytes, alignment, link);
}

/* The caller holds the lock. */
static uint64_t reserve(uint64_t wanted, uint64_t bytes, uint64_t alignment) {
  gp_assert_held(&lock);
  struct reservation **link, *fresh = malloc(sizeof *fresh);
  uint64_t at = fresh ? room_at_or_elsewhere(wanted, bytes, alignment > page ? alignment : page, &link) : 0;
  if (!at) {
    free(fresh);
    return 0;
  }
  *fresh = (struct reservation){*link, at, bytes};
  *link = fresh;
  return at;
}

int gp_driver_reserve(uint64_t *address, size_t bytes, size_t alignment, uint64_t wanted, uint64_t flags) {
  if (!address || !bytes || bytes % page || alignment & (alignment - 1) || flags)
    return GP_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&lock);
  uint64_t at = reserve(wanted, bytes, alignment);
  pthread_mutex_unlock(&lock);
  if (at)
    *address = at;
  return at ? 0 : GP_ERROR_MEMORY_ALLOCATION;
}

/* The reservation containing the whole range, or null. */
static struct reservation **find_reservation(uint64_t address, uint64_t bytes) {
  struct reservation **link = &reservations;
  while (*link && address - (*link)->address >= (*link)->bytes)
    link = &(*link)->next;
  return *link && bytes <= (*link)->address + (*link)->bytes - address ? link : NULL;
}

static void forget(struct reservation **link) {
  struct reservation *found = *link;
  *link = found->next;
  free(found);
}

/* The first mapping overlapping the range; false: there is none. */
static bool first_mapping(uint64_t address, uint64_t bytes, struct gp_allocation *found) {
  if (gp_arena_find(address, found))
    return true;
  *found = gp_arena_neighbours(address).behind;
  return found->bytes && found->address - address < bytes;
}

int gp_driver_unreserve(uint64_t address, size_t bytes) {
  struct gp_allocation mapped;
  pthread_mutex_lock(&lock);
  struct reservation **link = find_reservation(address, bytes);
  bool found = link && (*link)->address == address && (*link)->bytes == bytes &&
               !first_mapping(address, bytes, &mapped);
  if (found)
    forget(link);
  pthread_mutex_unlock(&lock);
  return found ? 0 : GP_ERROR_INVALID_VALUE;
}

/* ---- Memory -------------------------------------------------------------------------------------------- */

/* Null: there is no such memory. A handle is its address. */
static struct gp_memory *find_memory(uint64_t handle) {
  struct gp_memory *m = memories;
  while (m && (uint64_t)m != handle)
    m = m->next;
  return m;
}

static int check_properties(const struct properties *p) {
  if (!p || p->type != PINNED || p->location.type < LOCATION_DEVICE)
    return GP_ERROR_INVALID_VALUE;
  if (p->location.type > LOCATION_DEVICE || p->handle_types & ~HANDLE_FILE)
    return GP_ERROR_NOT_SUPPORTED; /* memory of the host, and handles of other kinds */
  return is_device(&p->location) ? 0 : GP_ERROR_INVALID_DEVICE;
}

int gp_driver_granularity(size_t *bytes, const void *properties, int which) {
  enum { MINIMUM, RECOMMENDED };
  if (!bytes || !properties || which < MINIMUM || which > RECOMMENDED)
    return GP_ERROR_INVALID_VALUE;
  *bytes = page; /* for any place and kind */
  return 0;
}

/* Memory of this file; takes over the file. Null without memory for the record. */
static struct gp_memory *keep(int file, uint64_t bytes, const struct properties *properties) {
  struct gp_memory *fresh = malloc(sizeof *fresh);
  if (!fresh)
    return NULL;
  *fresh = (struct gp_memory){
      .properties = *properties, .bytes = bytes, .file = file, .uses = 1, .next = memories};
  memories = fresh;
  return fresh;
}

static void drop(struct gp_memory *memory) {
  if (--memory->uses)
    return;
  struct gp_memory **link = &memories;
  while (*link != memory)
    link = &(*link)->next;
  *link = memory->next;
  gp_arena_give_back(memory->properties.location.id, memory->bytes);
  close(memory->file);
  free(memory);
}

/* Fresh memory has the arena's content. */
static int make_file(uint64_t bytes) {
  int file = memfd_create(file_name, MFD_CLOEXEC);
  if (file < 0)
    return -1;
  uint64_t filled = bytes < filled_bytes ? bytes : filled_bytes;
  void *pattern =
      ftruncate(file, (off_t)bytes) ? MAP_FAILED : mmap(NULL, filled, PROT_WRITE, MAP_SHARED, file, 0);
  if (pattern == MAP_FAILED) {
    close(file);
    return -1;
  }
  memset(pattern, gp_cpu_fresh_byte(), filled);
  munmap(pattern, filled);
  return file;
}

/* Takes over the file in any case. */
static int keep_file(uint64_t *handle, int file, uint64_t bytes, const struct properties *properties) {
  pthread_mutex_lock(&lock);
  struct gp_memory *fresh = file < 0 ? NULL : keep(file, bytes, properties);
  pthread_mutex_unlock(&lock);
  if (fresh) {
    *handle = (uint64_t)fresh;
    return 0;
  }
  if (file >= 0)
    close(file);
  gp_arena_give_back(properties->location.id, bytes);
  return GP_ERROR_MEMORY_ALLOCATION;
}

int gp_driver_create(uint64_t *handle, size_t bytes, const void *given, uint64_t flags) {
  const struct properties *properties = given;
  if (!handle || !bytes || bytes % page || flags)
    return GP_ERROR_INVALID_VALUE;
  int error = check_properties(properties);
  if (!error && !gp_arena_take(properties->location.id, bytes))
    error = GP_ERROR_MEMORY_ALLOCATION;
  return error ? error : keep_file(handle, make_file(bytes), bytes, properties);
}

int gp_driver_release(uint64_t handle) {
  pthread_mutex_lock(&lock);
  struct gp_memory *memory = find_memory(handle);
  if (memory)
    drop(memory);
  pthread_mutex_unlock(&lock);
  return memory ? 0 : GP_ERROR_INVALID_VALUE;
}

int gp_driver_memory_properties(void *properties, uint64_t handle) {
  pthread_mutex_lock(&lock);
  const struct gp_memory *memory = properties ? find_memory(handle) : NULL;
  if (memory)
    memcpy(properties, &memory->properties, sizeof memory->properties);
  pthread_mutex_unlock(&lock);
  return memory ? 0 : GP_ERROR_INVALID_VALUE;
}

uint64_t gp_memory_bytes(uint64_t handle) {
  pthread_mutex_lock(&lock);
  const struct gp_memory *memory = find_memory(handle);
  uint64_t bytes = memory ? memory->bytes : 0;
  pthread_mutex_unlock(&lock);
  return bytes;
}

int gp_driver_memory_at(uint64_t *handle, const void *address) {
  struct gp_allocation found;
  pthread_mutex_lock(&lock);
  bool mapped = handle && gp_arena_find((uint64_t)address, &found) && found.mapping;
  if (mapped) {
    found.mapping->memory->uses++;
    *handle = (uint64_t)found.mapping->memory;
  }
  pthread_mutex_unlock(&lock);
  return mapped ? 0 : GP_ERROR_INVALID_VALUE;
}

/* ---- Memory at addresses ------------------------------------------------------------------------------- */

static void place_nothing(uint64_t address, uint64_t bytes) {
  mmap((void *)address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/* The caller holds the lock. Whole pages of the system; nobody may access them yet. */
static struct gp_mapping *map(uint64_t address, uint64_t bytes, uint64_t offset, struct gp_memory *memory) {
  gp_assert_held(&lock);
  struct gp_mapping *mapping = malloc(sizeof *mapping);
  if (!mapping)
    return NULL;
  *mapping = (struct gp_mapping){.memory = memory};
  const struct gp_allocation mapped = {.address = address,
                                       .bytes = bytes,
                                       .kind = GP_MEMORY_DEVICE,
                                       .device = memory->properties.location.id,
                                       .preferred = -2,
                                       .prefetched = -2,
                                       .mapping = mapping};
  if (mmap((void *)address, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, memory->file,
           (off_t)offset) == MAP_FAILED ||
      !gp_arena_map(&mapped)) {
    place_nothing(address, bytes);
    free(mapping);
    return NULL;
  }
  memory->uses++;
  return mapping;
}

/* Memory is mapped as a whole. */
int gp_driver_map(uint64_t address, size_t bytes, size_t offset, uint64_t handle, uint64_t flags) {
  struct gp_allocation taken;
  int error = GP_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&lock);
  struct gp_memory *memory = find_memory(handle);
  if (memory && address && bytes && !(address % page) && !flags)
    error = offset || bytes != memory->bytes ? GP_ERROR_NOT_SUPPORTED
            : !find_reservation(address, bytes) || first_mapping(address, bytes, &taken)
                ? GP_ERROR_INVALID_VALUE
            : map(address, bytes, 0, memory) ? 0
                                             : GP_ERROR_MEMORY_ALLOCATION;
  pthread_mutex_unlock(&lock);
  return error;
}

static void unmap_one(const struct gp_allocation *found) {
  struct gp_mapping *mapping = found->mapping;
  place_nothing(found->address, found->bytes);
  gp_arena_release(found->address);
  drop(mapping->memory);
  free(mapping);
}

/* True if the ends of the range cut no mapping. */
static bool cuts_nothing(uint64_t address, uint64_t bytes) {
  struct gp_allocation found;
  uint64_t end = address + bytes;
  return !(gp_arena_find(address, &found) && found.address != address) &&
         !(gp_arena_find(end - 1, &found) && found.address + found.bytes != end);
}

/* Unmaps all mappings in the range; the range may have gaps. */
int gp_driver_unmap(uint64_t address, size_t bytes) {
  struct gp_allocation found;
  gp_cpu_wait(); /* for kernels possibly using the memory */
  pthread_mutex_lock(&lock);
  bool may = bytes && !(address % page) && !(bytes % page) && find_reservation(address, bytes) &&
             cuts_nothing(address, bytes);
  while (may && first_mapping(address, bytes, &found))
    unmap_one(&found);
  pthread_mutex_unlock(&lock);
  return may ? 0 : GP_ERROR_INVALID_VALUE;
}

void gp_mappings_reset(int device) {
  struct gp_allocation found;
  pthread_mutex_lock(&lock);
  for (struct reservation *r = reservations; r; r = r->next)
    for (uint64_t at = r->address, end = at + r->bytes; first_mapping(at, end - at, &found);
         at = found.address + found.bytes)
      if (found.device == device)
        unmap_one(&found);
  pthread_mutex_unlock(&lock);
}

/* ---- Access -------------------------------------------------------------------------------------------- */

static bool protect(const struct gp_allocation *mapped, unsigned access) {
  int protection = access == GP_ACCESS_READ_WRITE ? PROT_READ | PROT_WRITE
                   : access == GP_ACCESS_READ     ? PROT_READ
                                                  : PROT_NONE;
  mapped->mapping->access = access;
  return mprotect((void *)mapped->address, mapped->bytes, protection) == 0;
}

/* True if whole mappings fill the range without a gap. */
static bool is_filled(uint64_t address, uint64_t bytes) {
  struct gp_allocation found;
  if (!bytes || !gp_arena_find(address, &found) || found.address != address)
    return false;
  for (uint64_t at = address; at != address + bytes; at += found.bytes)
    if (!gp_arena_find(at, &found) || !found.mapping || found.bytes > address + bytes - at)
      return false;
  return true;
}

static bool is_access(const struct access *access) {
  return is_device(&access->location) &&
         (access->flags == GP_ACCESS_NONE || access->flags == GP_ACCESS_READ ||
          access->flags == GP_ACCESS_READ_WRITE);
}

/* All devices are this process: the last given access holds for all. */
int gp_driver_set_access(uint64_t address, size_t bytes, const void *accesses, size_t count) {
  const struct access *list = accesses;
  struct gp_allocation found;
  bool good = list && count;
  for (size_t i = 0; i < count && good; i++)
    good = is_access(&list[i]);
  pthread_mutex_lock(&lock);
  good = good && is_filled(address, bytes);
  for (uint64_t at = address; good && at != address + bytes && gp_arena_find(at, &found); at += found.bytes)
    good = protect(&found, list[count - 1].flags);
  pthread_mutex_unlock(&lock);
  return good ? 0 : GP_ERROR_INVALID_VALUE;
}

int gp_driver_get_access(unsigned long long *flags, const void *place, uint64_t address) {
  const struct gp_cuda_location *location = place;
  struct gp_allocation found;
  if (!flags || !location || !gp_arena_find(address, &found) || !found.mapping)
    return GP_ERROR_INVALID_VALUE;
  if (!is_device(location))
    return GP_ERROR_INVALID_DEVICE;
  *flags = found.mapping->access;
  return 0;
}

bool gp_mapping_is_valid(const struct gp_allocation *first, uint64_t address, uint64_t bytes, bool write) {
  struct gp_allocation found = *first;
  const uint64_t end = address + bytes;
  for (;;) {
    if (!found.mapping || found.mapping->access < (write ? GP_ACCESS_READ_WRITE : GP_ACCESS_READ))
      return false;
    uint64_t next = found.address + found.bytes;
    if (end <= next)
      return true;
    if (!gp_arena_find(next, &found))
      return false;
  }
}

/* ---- Parts of memory, of external memory --------------------------------------------------------------- */

uint64_t gp_mapping_of_part(uint64_t handle, uint64_t offset, uint64_t bytes) {
  const uint64_t before = offset % SYSTEM_PAGE;
  const uint64_t mapped_bytes = (before + bytes + SYSTEM_PAGE - 1) / SYSTEM_PAGE * SYSTEM_PAGE;
  struct gp_allocation found;
  pthread_mutex_lock(&lock);
  struct gp_memory *memory = find_memory(handle);
  uint64_t at = memory ? reserve(0, (mapped_bytes + page - 1) / page * page, page) : 0;
  struct gp_mapping *mapping = at ? map(at, mapped_bytes, offset - before, memory) : NULL;
  if (mapping && gp_arena_find(at, &found)) {
    mapping->is_external = true;
    protect(&found, GP_ACCESS_READ_WRITE);
  } else if (at) {
    forget(find_reservation(at, page));
  }
  pthread_mutex_unlock(&lock);
  return mapping ? at + before : 0;
}

bool gp_mapping_free(uint64_t address) {
  struct gp_allocation found;
  gp_cpu_wait();
  pthread_mutex_lock(&lock);
  bool ours = gp_arena_find(address, &found) && found.mapping && found.mapping->is_external &&
              address - found.address < SYSTEM_PAGE;
  if (ours) {
    unmap_one(&found);
    forget(find_reservation(found.address, page));
  }
  pthread_mutex_unlock(&lock);
  return ours;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

int gp_driver_export_memory(void *result, uint64_t handle, int type, uint64_t flags) {
  pthread_mutex_lock(&lock);
  const struct gp_memory *memory = result && type == HANDLE_FILE && !flags ? find_memory(handle) : NULL;
  int file = memory && memory->properties.handle_types & type ? fcntl(memory->file, F_DUPFD_CLOEXEC, 3) : -1;
  pthread_mutex_unlock(&lock);
  if (file >= 0)
    memcpy(result, &file, sizeof file);
  return file >= 0 ? 0 : GP_ERROR_INVALID_VALUE;
}

/* True for a file made by gp_driver_create(), perhaps in another process. Stores its size. */
static bool is_ours(int file, uint64_t *bytes) {
  static const char prefix[] = "/memfd:";
  char path[64], name[sizeof prefix + sizeof file_name] = "";
  struct stat facts;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (file < 0 || readlink(path, name, sizeof name - 1) < 0 || fstat(file, &facts) || facts.st_size <= 0)
    return false;
  *bytes = (uint64_t)facts.st_size;
  return strncmp(name, prefix, strlen(prefix)) == 0 &&
         strncmp(name + strlen(prefix), file_name, strlen(file_name)) == 0;
}

int gp_memory_of_file(uint64_t *handle, int given) {
  const struct properties properties = {
      .type = PINNED, .handle_types = HANDLE_FILE, .location = {LOCATION_DEVICE, gp_cpu_device()}};
  uint64_t bytes;
  if (!is_ours(given, &bytes))
    return GP_ERROR_INVALID_VALUE;
  return gp_arena_take(properties.location.id, bytes)
             ? keep_file(handle, fcntl(given, F_DUPFD_CLOEXEC, 3), bytes, &properties)
             : GP_ERROR_MEMORY_ALLOCATION;
}

int gp_driver_import_memory(uint64_t *handle, const void *from, int type) {
  int given = (int)(intptr_t)from;
  if (!handle || type != HANDLE_FILE)
    return GP_ERROR_INVALID_VALUE;
  return given < 0 ? GP_ERROR_UNKNOWN : gp_memory_of_file(handle, given);
}
