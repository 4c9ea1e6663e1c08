// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Three tables. Spots: where on a thread's stack the return addresses lay. A call from the same place finds the same ones there,
 * and is not unwound, which takes microseconds. Raw addresses, as the unwinder gives them. Resolved stacks. Addresses have a
 * meaning while no module is closed: afterwards spots and raw ones are forgotten. Asking the loader needs its lock, which a thread may hold that allocates in a
 * constructor: the loader is never asked under the lock of the tables. */
#include "memory/stacks.h"

#include "base/immortals.h"
#include "base/locks.h"
#include "base/log.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <unistd.h>
#include <unwind.h>

#define OWN_FRAMES 4u /* those of libgpuprof, at most */
#define RAW_FRAMES (GP_STACK_FRAMES + OWN_FRAMES)

#define SPOTS_MOST 4096u

/* Return addresses on their way. */
struct trace {
  int count;
  int has_slots; /* each address lies in its slot */
  void *addresses[RAW_FRAMES];
  void **slots[RAW_FRAMES];
};

struct spot {
  struct gp_link link;
  struct spot *next;
  const struct gp_stack *stack;
  struct trace trace;
};

struct raw {
  struct gp_link link;
  struct raw *next; /* of all, or of the unused ones */
  const struct gp_stack *stack;
  int count;
  void *addresses[RAW_FRAMES];
};

GP_MUTEX(lock, GP_LOCK_STACKS)
static struct gp_immortals memory = {.lock = &lock};
static struct gp_table spots, raws, stacks;
static struct spot *known_spots, *unused_spots;
static struct raw *known_raws, *unused_raws;
static unsigned long long closed; /* modules closed when the raw ones were found */
static struct gp_stack_module *modules;
static unsigned module_count;

/* ---- The loader ---- */

static int read_closed(struct dl_phdr_info *info, size_t size, void *result) {
  if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
    *(unsigned long long *)result = info->dlpi_subs;
  return 1;
}

static unsigned long long modules_closed(void) {
  unsigned long long count = 0;
  dl_iterate_phdr(read_closed, &count);
  return count;
}

struct build_id {
  uintptr_t base;
  char *text;
};

static void copy_build_id(const char *notes, size_t bytes, char *text) {
  const size_t header = sizeof(ElfW(Nhdr));
  while (bytes > header) {
    const ElfW(Nhdr) *note = (const void *)notes;
    const size_t name = (note->n_namesz + 3u) & ~3u, value = (note->n_descsz + 3u) & ~3u;
    if (header + name + value > bytes)
      return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz <= 20) {
      for (size_t i = 0; i < note->n_descsz; i++)
        sprintf(text + 2 * i, "%02x", (unsigned char)notes[header + name + i]);
      return;
    }
    notes += header + name + value;
    bytes -= header + name + value;
  }
}

static int find_build_id(struct dl_phdr_info *info, size_t size, void *closure) {
  const struct build_id *wanted = closure;
  (void)size;
  if (info->dlpi_addr != wanted->base)
    return 0;
  for (unsigned i = 0; i < info->dlpi_phnum && !wanted->text[0]; i++)
    if (info->dlpi_phdr[i].p_type == PT_NOTE)
      copy_build_id((const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, info->dlpi_phdr[i].p_filesz, wanted->text);
  return 1;
}

/* A frame with the facts of its module, not yet kept. */
struct resolved {
  uint64_t offset;
  uintptr_t base;
  const char *symbol, *path;
  int is_own;
};

static uintptr_t own_base(void) {
  Dl_info info;
  const struct link_map *map = NULL;
  void *here = NULL;
  *(const struct gp_stack *(**)(const void *))&here = gp_stack_here;
  return dladdr1(here, &info, (void **)&map, RTLD_DL_LINKMAP) && map->l_name[0] ? (uintptr_t)info.dli_fbase : 0;
}

/* Frames are return addresses: the call lies before. */
static struct resolved resolve(void *address, uintptr_t own) {
  Dl_info info;
  const struct link_map *map = NULL;
  const uintptr_t call = (uintptr_t)address - 1;
  if (!dladdr1((void *)call, &info, (void **)&map, RTLD_DL_LINKMAP) || !info.dli_fname)
    return (struct resolved){.offset = call};
  return (struct resolved){.offset = call - map->l_addr,
                           .base = map->l_addr,
                           .symbol = info.dli_sname,
                           .path = map->l_name[0] ? info.dli_fname : "",
                           .is_own = (uintptr_t)info.dli_fbase == own};
}

/* ---- Modules ---- */

static const struct gp_stack_module *known_module(const char *path, const char *build_id) {
  for (const struct gp_stack_module *m = modules; m; m = m->next)
    if (!strcmp(m->path, path) && !strcmp(m->build_id, build_id))
      return m;
  return NULL;
}

static const struct gp_stack_module *own_module(const char *path, const char *build_id) {
  gp_assert_held(&lock);
  const struct gp_stack_module *known = known_module(path, build_id);
  struct gp_stack_module *module = known ? NULL : gp_immortal(&memory, sizeof *module + strlen(path) + 1);
  if (!module)
    return known;
  strcpy(module->path, path);
  strcpy(module->build_id, build_id);
  module->number = module_count++;
  module->next = modules;
  return modules = module;
}

static const struct gp_stack_module *module_of(const struct resolved *frame) {
  char path[4096], build_id[41] = "";
  struct build_id wanted = {frame->base, build_id};
  ssize_t length = 0;
  if (!frame->path)
    return NULL;
  if (frame->path[0])
    snprintf(path, sizeof path, "%s", frame->path);
  else if ((length = readlink("/proc/self/exe", path, sizeof path - 1)) >= 0)
    path[length] = 0;
  if (length < 0)
    return NULL;
  dl_iterate_phdr(find_build_id, &wanted);
  pthread_mutex_lock(&lock);
  const struct gp_stack_module *module = own_module(path, build_id);
  pthread_mutex_unlock(&lock);
  if (!module)
    gp_log_exhausted("memory");
  return module;
}

/* ---- Stacks ---- */

/* A stack on its way: symbols are still the modules' own. */
struct draft {
  unsigned count;
  struct gp_stack_frame frames[GP_STACK_FRAMES];
};

static void resolve_all(struct draft *draft, void *const *addresses, int count) {
  const uintptr_t own = own_base();
  int first = 1;
  draft->count = 0;
  for (int i = 0; i < count && draft->count < GP_STACK_FRAMES; i++) {
    const struct resolved frame = resolve(addresses[i], own);
    first &= own && frame.is_own;
    if (!first)
      draft->frames[draft->count++] = (struct gp_stack_frame){module_of(&frame), frame.offset, frame.symbol};
  }
}

static uint64_t hash_of(const struct draft *draft) {
  uint64_t hash = draft->count;
  for (unsigned i = 0; i < draft->count; i++)
    hash = gp_hash_mix(gp_hash_mix(hash, draft->frames[i].offset), (uint64_t)(uintptr_t)draft->frames[i].module);
  return hash;
}

static int is_same(const struct gp_stack *stack, const struct draft *draft) {
  if (stack->count != draft->count)
    return 0;
  for (unsigned i = 0; i < stack->count; i++)
    if (stack->frames[i].module != draft->frames[i].module || stack->frames[i].offset != draft->frames[i].offset)
      return 0;
  return 1;
}

static const char *copied(const char *text) {
  char *copy = text ? gp_immortal(&memory, strlen(text) + 1) : NULL;
  return copy ? strcpy(copy, text) : NULL;
}

static const struct gp_stack *own_stack(const struct draft *draft) {
  gp_assert_held(&lock);
  const uint64_t hash = hash_of(draft);
  for (struct gp_link *link = gp_table_first(&stacks, hash); link; link = gp_table_next(link))
    if (is_same(GP_HOLDER(link, struct gp_stack, link), draft))
      return GP_HOLDER(link, struct gp_stack, link);
  struct gp_stack *stack = gp_immortal(&memory, sizeof *stack + draft->count * sizeof *stack->frames);
  if (!stack)
    return NULL;
  stack->count = draft->count;
  for (unsigned i = 0; i < draft->count; i++) {
    stack->frames[i] = draft->frames[i];
    stack->frames[i].symbol = copied(draft->frames[i].symbol);
  }
  gp_table_add(&stacks, &stack->link, hash);
  return stack;
}

/* ---- Raw addresses ---- */

static void forget_spots(void) {
  gp_assert_held(&lock);
  while (known_spots) {
    struct spot *spot = known_spots;
    gp_table_remove(&spots, &spot->link);
    known_spots = spot->next;
    spot->next = unused_spots;
    unused_spots = spot;
  }
}

/* An outer slot is read only if the inner ones show that its frame is there. */
static int is_there(const struct trace *trace) {
  for (int i = 0; i < trace->count; i++)
    if (*trace->slots[i] != trace->addresses[i])
      return 0;
  return 1;
}

static const struct gp_stack *find_spot(uint64_t hash) {
  gp_assert_held(&lock);
  for (struct gp_link *link = gp_table_first(&spots, hash); link; link = gp_table_next(link))
    if (is_there(&GP_HOLDER(link, struct spot, link)->trace))
      return GP_HOLDER(link, struct spot, link)->stack;
  return NULL;
}

static void add_spot(const struct trace *trace, uint64_t hash, const struct gp_stack *stack) {
  gp_assert_held(&lock);
  if (!trace->has_slots)
    return;
  if (spots.count >= SPOTS_MOST)
    forget_spots();
  struct spot *spot = unused_spots;
  if (spot)
    unused_spots = spot->next;
  else if (!(spot = gp_immortal(&memory, sizeof *spot)))
    return;
  spot->stack = stack;
  spot->trace = *trace;
  spot->next = known_spots;
  known_spots = spot;
  gp_table_add(&spots, &spot->link, hash);
}

static void forget_raws(void) {
  gp_assert_held(&lock);
  while (known_raws) {
    struct raw *raw = known_raws;
    gp_table_remove(&raws, &raw->link);
    known_raws = raw->next;
    raw->next = unused_raws;
    unused_raws = raw;
  }
}

/* The caller holds the lock. */
static void forget_closed(unsigned long long closed_now) {
  if (closed == closed_now)
    return;
  forget_spots();
  forget_raws();
  closed = closed_now;
}

static const struct gp_stack *find_raw(void *const *addresses, int count, uint64_t hash) {
  gp_assert_held(&lock);
  for (struct gp_link *link = gp_table_first(&raws, hash); link; link = gp_table_next(link)) {
    const struct raw *raw = GP_HOLDER(link, struct raw, link);
    if (raw->count == count && !memcmp(raw->addresses, addresses, (size_t)count * sizeof *addresses))
      return raw->stack;
  }
  return NULL;
}

static void add_raw(void *const *addresses, int count, uint64_t hash, const struct gp_stack *stack) {
  gp_assert_held(&lock);
  struct raw *raw = unused_raws;
  if (raw)
    unused_raws = raw->next;
  else if (!(raw = gp_immortal(&memory, sizeof *raw)))
    return;
  raw->stack = stack;
  raw->count = count;
  memcpy(raw->addresses, addresses, (size_t)count * sizeof *addresses);
  raw->next = known_raws;
  known_raws = raw;
  gp_table_add(&raws, &raw->link, hash);
}

/* ---- Forks ---- */

static int forked_with_threads; /* at the latest fork */
static int are_off;

void gp_stacks_before_fork(void) { forked_with_threads = !__libc_single_threaded; }
void gp_stacks_in_child(void) { are_off |= forked_with_threads; }

/* ---- The unwinder ---- */

/* A function of libgcc_s, opened as glibc's backtrace() opens it; null: there are no stacks. */
static struct {
  _Unwind_Reason_Code (*backtrace)(_Unwind_Trace_Fn, void *);
  _Unwind_Ptr (*address)(struct _Unwind_Context *);
  _Unwind_Word (*frame)(struct _Unwind_Context *);
} unwinder;

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *closure) {
  struct trace *trace = closure;
  void *address = (void *)unwinder.address(context);
  void **slot = (void **)unwinder.frame(context) - 1; /* on x86-64 the call stored it below the caller's frame */
  if (!address || trace->count == (int)RAW_FRAMES)
    return _URC_END_OF_STACK;
  trace->has_slots &= *slot == address;
  trace->slots[trace->count] = slot;
  trace->addresses[trace->count++] = address;
  return _URC_NO_REASON;
}

/* The first frame is this function itself. */
__attribute__((noinline)) static void unwind(struct trace *trace) {
  trace->count = 0;
  trace->has_slots = 1;
  unwinder.backtrace(add_frame, trace);
}

void gp_stacks_prepare(void) {
  void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return;
  *(void **)&unwinder.address = dlsym(library, "_Unwind_GetIP");
  *(void **)&unwinder.frame = dlsym(library, "_Unwind_GetCFA");
  if (unwinder.address && unwinder.frame)
    *(void **)&unwinder.backtrace = dlsym(library, "_Unwind_Backtrace");
}

/* ---- The caller's stack ---- */

static int is_whole(const struct gp_stack *stack, const struct draft *draft) {
  for (unsigned i = 0; stack && i < stack->count; i++)
    if (draft->frames[i].symbol && !stack->frames[i].symbol)
      return 0;
  return stack != NULL;
}

/* Several threads may resolve one stack at once: the first one to come back keeps it. */
static const struct gp_stack *make_stack(const struct trace *trace, uint64_t hash, unsigned long long closed_now) {
  struct draft draft;
  resolve_all(&draft, trace->addresses, trace->count);
  pthread_mutex_lock(&lock);
  const struct gp_stack *stack = own_stack(&draft);
  if (stack && closed == closed_now && !find_raw(trace->addresses, trace->count, hash))
    add_raw(trace->addresses, trace->count, hash, stack);
  pthread_mutex_unlock(&lock);
  if (!is_whole(stack, &draft))
    gp_log_exhausted("memory");
  return stack;
}

/* The first two frames are of this file, and do not lie where the next call's do. */
#define INNER_FRAMES 2

static const struct gp_stack *unwound(uint64_t spot, unsigned long long closed_now) {
  struct trace trace;
  unwind(&trace);
  const int inner = trace.count < INNER_FRAMES ? trace.count : INNER_FRAMES;
  trace.count -= inner;
  memmove(trace.addresses, trace.addresses + inner, (size_t)trace.count * sizeof *trace.addresses);
  memmove(trace.slots, trace.slots + inner, (size_t)trace.count * sizeof *trace.slots);
  const uint64_t hash = gp_hash_bytes(trace.addresses, (size_t)trace.count * sizeof *trace.addresses);
  pthread_mutex_lock(&lock);
  const struct gp_stack *stack = find_raw(trace.addresses, trace.count, hash);
  pthread_mutex_unlock(&lock);
  if (!stack && !(stack = make_stack(&trace, hash, closed_now)))
    return NULL;
  pthread_mutex_lock(&lock);
  if (closed == closed_now)
    add_spot(&trace, spot, stack);
  pthread_mutex_unlock(&lock);
  return stack;
}

const struct gp_stack *gp_stack_here(const void *caller) {
  if (are_off || !unwinder.backtrace)
    return NULL;
  const unsigned long long closed_now = modules_closed();
  const uint64_t spot = gp_hash_pointers(caller, __builtin_frame_address(0));
  pthread_mutex_lock(&lock);
  forget_closed(closed_now);
  const struct gp_stack *stack = find_spot(spot);
  pthread_mutex_unlock(&lock);
  return stack ? stack : unwound(spot, closed_now);
}
