// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* With -fsanitize=address: checks that a kernel accesses memory of the program, and that the memory was
 * written before a read. */
#include "base/log.h"
#include "common/errors.h"
#include "engine/cluster.h"
#include "engine/emulator.h"
#include "engine/entries.h"
#include "memory/arena.h"

#include <stdio.h>
#include <string.h>

enum { LOAD, STORE, ATOMIC };
enum { MOST_PLACES = 64, SHORTEST_PATTERN = 4 /* one byte of 0xCD is nothing unusual */ };

static const char *const verbs[] = {"reads", "writes", "updates"};

/* The access and its thread, for messages. */
struct access {
  const struct gpuprof_cpu_thread *thread;
  uint64_t address, bytes;
  uint32_t kind;
  const char *where;
};

static void write_access(char *text, size_t size, const struct access *a) {
  snprintf(text, size, "%s%sthread (%u,%u,%u) %s %llu byte%s at %p", a->where, *a->where ? ": " : "",
           a->thread->tid_x, a->thread->tid_y, a->thread->tid_z, verbs[a->kind], (unsigned long long)a->bytes,
           a->bytes == 1 ? "" : "s", (void *)a->address);
}

static _Noreturn void stop(const struct access *a, const char *format, uint64_t distance, uint64_t bytes) {
  char access[400], object[200];
  write_access(access, sizeof access, a);
  snprintf(object, sizeof object, format, (unsigned long long)distance, (unsigned long long)bytes);
  gp_cpu_worker->current = NULL; /* the text names the thread, also in a kernel run as a work-item loop */
  gp_cpu_stop(GP_ERROR_ILLEGAL_ADDRESS, "out of bounds: %s, %s", access, object);
}

static _Noreturn void stop_outside(const struct access *a) {
  const struct gp_neighbours n = gp_arena_neighbours(a->address);
  uint64_t end = n.before.address + n.before.bytes;
  bool has_before = n.before.bytes != 0, has_behind = n.behind.bytes != 0;
  if (has_behind && (!has_before || n.behind.address - a->address < a->address - end))
    stop(a, "%llu bytes before the start of an allocation of %llu bytes", n.behind.address - a->address,
         n.behind.bytes);
  if (has_before && a->address >= end)
    stop(a, "%llu bytes behind the end of an allocation of %llu bytes", a->address - end, n.before.bytes);
  if (has_before)
    stop(a, "of which only %llu are in its allocation of %llu bytes", end - a->address, n.before.bytes);
  stop(a, "where nothing is allocated (%llu of %llu bytes)", 0, a->bytes);
}

/* Unwritten zeroes cannot be distinguished from written ones. */
static bool is_pattern(uint64_t address, uint64_t bytes) {
  if (gp_cpu_fresh_byte() != GP_CPU_FRESH_PATTERN)
    return false;
  const unsigned char *memory = (const unsigned char *)address;
  for (uint64_t i = 0; i < bytes; i++)
    if (memory[i] != GP_CPU_FRESH_PATTERN)
      return false;
  return bytes >= SHORTEST_PATTERN;
}

/* True once for each place in the source. */
static bool is_new_place(const char *where) {
  static _Atomic(const char *) said[MOST_PLACES];
  for (size_t i = 0; i < MOST_PLACES; i++) {
    const char *none = NULL;
    if (atomic_compare_exchange_strong(&said[i], &none, where))
      return true;
    if (none == where)
      return false;
  }
  return false;
}

static void warn_unwritten(const struct access *a, const char *memory) {
  char access[400];
  if (!is_new_place(a->where))
    return;
  write_access(access, sizeof access, a);
  gp_log(
      GP_WARN, gp_cpu_worker->launch->kernel->name,
      "uninitialised: %s of %s memory that nobody has written: they hold the pattern 0x%02X of fresh memory",
      access, memory, GP_CPU_FRESH_PATTERN);
}

/* Checks an access to the shared memory of the running block, or of another block of its cluster. */
static void check_shared(const struct access *a, const struct gp_worker *owner) {
  uint64_t start = (uint64_t)owner->shared, bytes = owner->launch->shared_bytes;
  if (a->address < start)
    return; /* cooperative groups read the words reserved there by the system */
  if (a->address + a->bytes > start + bytes)
    stop(a, "%llu bytes into the %llu bytes of shared memory of its block", a->address - start, bytes);
  if (a->kind == LOAD && is_pattern(a->address, a->bytes))
    warn_unwritten(a, "shared");
}

static void check_arena(const struct access *a) {
  struct gp_checked *last = &gp_cpu_worker->checked;
  if (a->address - last->address >= last->bytes) {
    struct gp_allocation found;
    if (!gp_arena_find(a->address, &found))
      stop_outside(a);
    *last = (struct gp_checked){found.address, found.bytes, found.kind == GP_MEMORY_MANAGED};
  }
  if (a->address - last->address + a->bytes > last->bytes)
    stop_outside(a);
  if (a->kind != STORE && !last->initialised && is_pattern(a->address, a->bytes))
    warn_unwritten(a, "global");
}

void __gpuprof_cpu_check(void *thread, void *address, uint64_t bytes, uint32_t kind, void *where) {
  const struct gp_worker *worker = gp_cpu_worker;
  const struct access a = {thread, (uint64_t)address, bytes, kind <= ATOMIC ? kind : LOAD,
                           where ? where : ""};
  if (!worker || !bytes)
    return;
  const struct gp_worker *owner = gp_cluster_owner(worker, a.address);
  if (owner)
    check_shared(&a, owner);
  else if (a.address - gp_cpu_sectors->base < gp_cpu_sectors->size)
    check_arena(&a);
  /* Variables, the host's memory and lanes' stacks are AddressSanitizer's own. */
}
