// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The arena is private memory of this process. Exported memory moves, page by page and without a change of
 * addresses, into an unnamed file. The file has the arena's size, but only exported pages exist. Other
 * processes find it below /proc: nothing is left behind when the last of them ends.
 */
#include "memory/share.h"

#include "base/locks.h"
#include "base/own_file.h"
#include "common/launching.h"
#include "memory/arena.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

GP_MUTEX(lock, GP_LOCK_SHARE)
/* a forked process has its parent's pages and makes its own file */
static struct gp_own_file file = GP_NO_OWN_FILE;
static uint8_t *exported; /* a byte a page of the arena */

static bool open_file(void) {
  uint64_t size = gp_cpu_sectors->size;
  if (gp_own_file_is_kept(&file))
    return true;
  uint8_t *pages = calloc(size / PAGE_BYTES, 1);
  int fresh = memfd_create("gpuprof-device-memory", MFD_CLOEXEC);
  if (!pages || fresh < 0 || ftruncate(fresh, (off_t)size)) {
    free(pages);
    if (fresh >= 0)
      close(fresh);
    return false;
  }
  free(exported);
  exported = pages;
  gp_own_file_keep(&file, fresh);
  return true;
}

/* Pages of the arena, by number. */
struct pages {
  uint64_t first, count;
  bool done;
};

/* Puts the pages into the file, and the file's pages in their place. */
static void move(void *closure) {
  struct pages *pages = closure;
  uint64_t offset = pages->first * PAGE_BYTES, bytes = pages->count * PAGE_BYTES;
  char *memory = (char *)gp_cpu_sectors->base + offset;
  for (uint64_t written = 0; written < bytes;) {
    ssize_t n = pwrite(file.descriptor, memory + written, bytes - written, (off_t)(offset + written));
    if (n <= 0)
      return;
    written += (uint64_t)n;
  }
  pages->done = mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file.descriptor,
                     (off_t)offset) != MAP_FAILED;
}

static bool export_pages(uint64_t first, uint64_t end) {
  while (first < end) {
    struct pages pages = {.first = first};
    while (pages.first < end && exported[pages.first])
      pages.first++;
    while (pages.first + pages.count < end && !exported[pages.first + pages.count])
      pages.count++;
    first = pages.first + pages.count;
    if (!pages.count)
      continue;
    gp_cpu_exclusive(move, &pages); /* no kernel writes meanwhile */
    if (!pages.done)
      return false;
    for (uint64_t i = 0; i < pages.count; i++)
      exported[pages.first + i] = 1;
  }
  return true;
}

bool gp_share_export(uint64_t address, uint64_t bytes, int *where, uint64_t *offset) {
  *offset = address - gp_cpu_sectors->base;
  pthread_mutex_lock(&lock);
  bool done =
      open_file() && export_pages(*offset / PAGE_BYTES, (*offset + bytes + PAGE_BYTES - 1) / PAGE_BYTES);
  *where = file.descriptor;
  pthread_mutex_unlock(&lock);
  return done;
}

/* The whole pages of an allocation made for a mapping. */
static uint64_t first_page(uint64_t allocation) {
  return (allocation + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* Puts pages in the place of others of the arena, exported or not. */
static bool replace_pages(uint64_t address, uint64_t bytes, int flags, int source, uint64_t offset) {
  pthread_mutex_lock(&lock);
  const bool done = mmap((void *)address, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED | MAP_NORESERVE,
                         source, (off_t)offset) != MAP_FAILED;
  if (done && exported)
    memset(exported + (address - gp_cpu_sectors->base) / PAGE_BYTES, 0, bytes / PAGE_BYTES);
  pthread_mutex_unlock(&lock);
  return done;
}

uint64_t gp_share_open(int process, int where, uint64_t offset, uint64_t bytes, uint64_t *allocation) {
  char path[64];
  uint64_t before = offset % PAGE_BYTES;
  uint64_t mapped = (before + bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", process, where);
  int source = open(path, O_RDWR | O_CLOEXEC);
  *allocation = source < 0 ? 0 : gp_arena_allocate(mapped + PAGE_BYTES, GP_MEMORY_DEVICE);
  const uint64_t first = first_page(*allocation);
  const bool done = *allocation && replace_pages(first, mapped, MAP_SHARED, source, offset - before);
  if (source >= 0)
    close(source);
  if (done)
    return first + before;
  if (*allocation)
    gp_arena_release(*allocation);
  return 0;
}

void gp_share_close(uint64_t allocation) {
  struct gp_allocation found;
  if (!gp_arena_find(allocation, &found))
    return; /* the device was reset */
  replace_pages(first_page(allocation), found.bytes - PAGE_BYTES, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  gp_arena_release(allocation);
}
