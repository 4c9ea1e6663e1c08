// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_device.h"

#include "base/device.h"
#include "base/state.h"
#include "core/hardware_plan.h"
#include "launch/launch_hook.h"
#include "launch/launch_times.h"
#include "sheet/modules.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct fake_state fake;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of streams, late times and descriptors */

/* Unit tests look at the device and the document at moments of their own; tests of the journal ask for it. */
__attribute__((constructor)) static void leave_the_journal_off(void) { setenv("GPUPROF_JOURNAL", "0", 0); }

/* ---- Streams ---- */

struct work {
  struct work *next;
  uint64_t *address; /* store: where */
  uint64_t value;    /* store: the value */
  const uint64_t *base; /* kernel: where the base of its counters stands */
  uint64_t *counts;  /* kernel */
  uint32_t groups;
  uint64_t given;  /* kernel: its counters, if their base stands nowhere */
  uint64_t buffer; /* clone: the place of its counts; `base` goes into the header */
  unsigned fence, awaits; /* places[] that it sets or waits for; 0: none */
};

static struct stream {
  void *name;
  struct work *first, **end;
} streams[16];
static int stream_count;

static void enqueue(void *name, struct work work) {
  pthread_mutex_lock(&lock);
  int i = 0;
  while (i < stream_count && streams[i].name != name)
    i++;
  if (i == stream_count) {
    streams[stream_count++].name = name;
    streams[i].end = &streams[i].first;
  }
  *streams[i].end = malloc(sizeof work);
  **streams[i].end = work;
  streams[i].end = &(*streams[i].end)->next;
  pthread_mutex_unlock(&lock);
}

/* Fences: each setting is a place of its own, and passed once its stream came there. */
static char passed[1 << 14];
static unsigned places;

static void perform(struct work *work) {
  passed[work->fence] = work->fence != 0;
  if (work->fence || work->awaits)
    return;
  if (work->address) {
    *work->address = work->value;
    return;
  }
  uint64_t *counters = (uint64_t *)(uintptr_t)(work->buffer  ? work->buffer + GPUPROF_CLONE_HEADER_BYTES
                                                : work->given ? work->given
                                                              : *work->base);
  if (work->buffer)
    *(uint64_t *)(uintptr_t)work->buffer = (uint64_t)(uintptr_t)work->base;
  for (uint32_t g = 0; counters && g < work->groups; g++) /* two slots, as if two workers had run */
    for (int half = 0; half < 2; half++)
      counters[(size_t)(half ? 5 : GPUPROF_CLONE_SLOTS - 1) * work->groups + g] +=
          half ? work->counts[g] / 2 : work->counts[g] - work->counts[g] / 2;
  free(work->counts);
}

/* Runs a stream up to a fence that has not passed. Returns 1 if there was something to run. */
static int run_stream(struct stream *stream) {
  int ran = 0;
  for (struct work *work; (work = stream->first) && (!work->awaits || passed[work->awaits]); ran = 1) {
    stream->first = work->next;
    perform(work);
    free(work);
  }
  if (!stream->first)
    stream->end = &stream->first;
  return ran;
}

static void run_all(void) {
  pthread_mutex_lock(&lock);
  for (int i = stream_count; i-- > 0;)
    if (run_stream(&streams[i]))
      i = stream_count; /* others may have waited for it */
  pthread_mutex_unlock(&lock);
}

/* ---- The device ---- */

static int describe(int device, struct gp_device_info *info) {
  if (fake.fail_describe)
    return 2;
  *info = (struct gp_device_info){.kind = "gpu", .name = "NVIDIA H200", .uuid = "GPU-0", .index = device,
                                  .sm_count = 132, .clock_hz = 1980000000};
  return 0;
}

static int current(int *device) {
  *device = fake.device;
  return 0;
}

static int choose(int device) {
  fake.device = device;
  return 0;
}

static int allocate(uint64_t *address, size_t bytes) {
  if (fake.fail_allocation || fake.allocations_left == 1)
    return 2;
  if (fake.allocations_left)
    fake.allocations_left--;
  *address = (uint64_t)(uintptr_t)calloc(1, bytes);
  return 0;
}

static int release(uint64_t address) {
  if (fake.allocations_left)
    fake.allocations_left++;
  free((void *)(uintptr_t)address);
  return 0;
}

static int synchronize(void) {
  fake.waits++;
  run_all();
  return fake.stopped;
}

static int is_fault(int error) { return error == fake.stopped; }

static int read_memory(void *host, uint64_t address, size_t bytes) {
  synchronize();
  if (fake.fail_read)
    return 7;
  pthread_mutex_lock(&lock);
  memcpy(host, (const void *)(uintptr_t)address, bytes);
  pthread_mutex_unlock(&lock);
  return 0;
}

static int peek_memory(void *host, uint64_t address, size_t bytes) {
  pthread_mutex_lock(&lock);
  memcpy(host, (const void *)(uintptr_t)address, bytes);
  pthread_mutex_unlock(&lock);
  return 0;
}

static int idle(void) {
  int waiting = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < stream_count; i++)
    waiting += streams[i].first != NULL;
  pthread_mutex_unlock(&lock);
  return !waiting;
}

static int write_memory(uint64_t address, const void *host, size_t bytes) {
  synchronize();
  memcpy((void *)(uintptr_t)address, host, bytes);
  return 0;
}

static int poke_memory(uint64_t address, const void *host, size_t bytes) {
  pthread_mutex_lock(&lock);
  memcpy((void *)(uintptr_t)address, host, bytes);
  pthread_mutex_unlock(&lock);
  return 0;
}

static int zero_memory(uint64_t address, size_t bytes) {
  memset((void *)(uintptr_t)address, 0, bytes);
  return 0;
}

static int memory_in_use(uint64_t *bytes) {
  *bytes = 1 << 20;
  return 0;
}

static int store_ordered(uint64_t address, uint64_t value, void *stream) {
  fake.stores++;
  enqueue(stream, (struct work){.address = (uint64_t *)(uintptr_t)address, .value = value});
  return 0;
}

/* A fence is the number of the place where it was set last. */
static int set_fence(void **fence, void *stream) {
  fake.fences++;
  unsigned place = ++places % (sizeof passed - 1) + 1;
  passed[place] = 0;
  *fence = (void *)(uintptr_t)place;
  enqueue(stream, (struct work){.fence = place});
  return 0;
}

static int await_fence(void *fence, void *stream) {
  fake.fences_awaited++;
  enqueue(stream, (struct work){.awaits = (unsigned)(uintptr_t)fence});
  return 0;
}

static int fence_passed(void *fence) { return passed[(uintptr_t)fence]; }

static void drop_fence(void *fence) { (void)fence; }

static uint64_t stream_number(void *stream) {
  fake.numbers_asked++;
  return (uint64_t)(uintptr_t)stream;
}

static int symbol(const void *shadow, uint64_t *address, size_t *bytes) {
  const struct fake_unit *unit = (const void *)((const char *)shadow - offsetof(struct fake_unit, shadow));
  *address = (uint64_t)(uintptr_t)&unit->descriptor;
  *bytes = sizeof unit->descriptor;
  return 0;
}

/* Allocations are a MiB each, above the first; nothing is allocated below. */
static int allocation(uint64_t address, struct gp_memory_range *memory) {
  const uint64_t bytes = 1 << 20;
  *memory = (struct gp_memory_range){.start = address / bytes * bytes, .bytes = bytes, .shared = fake.shared_memory, .is_of_device = 1};
  return memory->start ? 0 : 1;
}

static int watch_writes(void) { return fake.watches ? 0 : -1; }

static int capturing(void *stream) {
  (void)stream;
  return fake.capturing;
}

/* Every address clone marks as many sectors as its second argument says, a 32-bit number, if the table has the slots. */
static const char *launch_address_clone(const struct gp_launch *launch) {
  struct gpuprof_unique_table *table = (void *)(uintptr_t)*(const uint64_t *)launch->arguments[fake.clone_parameters];
  uint32_t sectors;
  memcpy(&fake.marked_pointer, launch->arguments[0], sizeof fake.marked_pointer);
  memcpy(&sectors, launch->arguments[1], sizeof sectors);
  memcpy(fake.marked_grid, launch->grid, sizeof fake.marked_grid);
  table->overflow = table->mask + 1 < fake.slots_needed;
  table->counts[sectors % GPUPROF_UNIQUE_WORDS * GPUPROF_UNIQUE_STRIDE] = sectors;
  fake.address_clones++;
  return NULL;
}

static unsigned most_threads(const struct gp_launch *launch, const char *suffix) {
  (void)launch, (void)suffix;
  return fake.clone_threads;
}

/* Every counting clone counts its number of blocks in group 0, and its first argument, a 32-bit number, in group 1. */
static const char *launch_clone(const struct gp_launch *launch, const char *suffix) {
  if (fake.clone_problem)
    return fake.clone_problem;
  if (!strcmp(suffix, GPUPROF_ADDRESSES_SUFFIX))
    return launch_address_clone(launch);
  fake.clones++;
  const uint32_t groups = fake.clone_groups ? fake.clone_groups : 2;
  uint64_t *counts = calloc(groups, sizeof *counts);
  uint32_t number;
  memcpy(&number, launch->arguments[0], sizeof number);
  counts[0] = launch->grid[0];
  counts[1] = number;
  const uint64_t buffer = *(const uint64_t *)launch->arguments[fake.clone_parameters];
  enqueue(launch->stream, (struct work){.base = fake.clone_unit, .counts = counts, .groups = groups, .buffer = buffer});
  return NULL;
}

/* Every copy with counters counts as the clone would, and 1000 more in group 1. */
static const char *launch_instrumented(const struct gp_launch *launch, const char *suffix, int *error) {
  (void)suffix;
  if (fake.instrumented_problem)
    return fake.instrumented_problem;
  fake.instrumented++;
  const struct fake_unit *unit = (const void *)((const char *)fake.clone_unit - offsetof(struct fake_unit, counters));
  const uint64_t *bound = &unit->counters[(const char *)launch->function - unit->functions];
  uint64_t *counts = malloc(2 * sizeof *counts);
  uint32_t number;
  memcpy(&number, launch->arguments[0], sizeof number);
  counts[0] = launch->grid[0];
  counts[1] = 1000 + number;
  const uint64_t given = fake.counters_argument ? *(const uint64_t *)launch->arguments[fake.counters_argument] : 0;
  fake.given = given;
  if (fake.while_launching)
    fake.while_launching();
  enqueue(launch->stream, (struct work){.base = given ? NULL : bound, .given = given, .counts = counts, .groups = 2});
  *error = 0;
  return NULL;
}

static struct {
  uint64_t id, ns;
} late[4096];
static int late_count;

static void launch_begin(const struct gp_launch *launch) {
  (void)launch;
  fake.launches_begun++;
}

static void launch_end(const struct gp_launch *launch, int error) {
  fake.launches_ended++;
  if (error)
    return;
  if (fake.next_unique_bytes != UINT64_MAX)
    gp_launch_unique(launch->id, fake.next_unique_bytes);
  if (fake.time_source == GP_TIME_NONE)
    return;
  if (fake.late_times) {
    pthread_mutex_lock(&lock);
    late[late_count].id = launch->id;
    late[late_count++].ns = fake.next_duration_ns;
    pthread_mutex_unlock(&lock);
  } else {
    gp_launch_time(launch->id, 0, fake.next_duration_ns, fake.time_source);
  }
}

/* Counter i of the hardware is 100·(i + 1) in every launch. */
static const char *measure(const struct gp_hardware_plan *plan, int (*run)(void *closure), void *closure,
                           struct gp_hardware_sum *sum) {
  if (fake.no_hardware)
    return "this device is a fake";
  run(closure);
  *sum = (struct gp_hardware_sum){.launches = 1};
  for (size_t i = 0; i < plan->count; i++)
    sum->value[i] = 100.0 * (double)(i + 1);
  return NULL;
}

static void flush(void) {
  pthread_mutex_lock(&lock);
  for (; late_count; late_count--)
    gp_launch_time(late[late_count - 1].id, 0, late[late_count - 1].ns, fake.time_source);
  pthread_mutex_unlock(&lock);
}

static uint64_t used(void) { return fake.used; }

static const char *energy(int device, uint64_t *millijoules, unsigned *others) {
  fake.millijoules[0] += fake.energy_step;
  *millijoules = fake.millijoules[device];
  *others = fake.other_processes;
  return fake.energy_problem;
}

static const char *error_text(int error) { return error == 2 ? "out of memory" : "a fake error"; }

const struct gp_device_ops fake_device = {
    .kind = "gpu",
    .has_time = 1,
    .describe = describe,
    .current = current,
    .select = choose,
    .allocate = allocate,
    .counters_kept = FAKE_COUNTERS_KEPT,
    .release = release,
    .read = read_memory,
    .peek = peek_memory,
    .idle = idle,
    .write = write_memory,
    .poke = poke_memory,
    .zero = zero_memory,
    .memory_in_use = memory_in_use,
    .store_ordered = store_ordered,
    .fence = set_fence,
    .await_fence = await_fence,
    .fence_passed = fence_passed,
    .drop_fence = drop_fence,
    .stream_number = stream_number,
    .symbol = symbol,
    .allocation = allocation,
    .watch_writes = watch_writes,
    .synchronize = synchronize,
    .is_fault = is_fault,
    .capturing = capturing,
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .measure = measure,
    .most_threads = most_threads,
    .launch_clone = launch_clone,
    .launch_instrumented = launch_instrumented,
    .used = used,
    .energy = energy,
    .flush = flush,
    .error_text = error_text,
};

/* ---- Units and launches ---- */

void fake_register(struct fake_unit *unit, const char *sheet, const char *const *kernels) {
  memset(unit, 0, sizeof *unit);
  unit->host = (struct gpuprof_host_unit){.abi_version = GPUPROF_ABI_VERSION,
                                          .source = "fake.cu",
                                          .compiler = "clang 22",
                                          .options = "",
                                          .fatbin_wrapper = &unit->wrapper,
                                          .device_unit = &unit->shadow};
  unit->handle = gp_modules_register_fatbin(&unit->wrapper);
  uint32_t count = 0;
  for (; kernels[count]; count++)
    gp_modules_register_function(unit->handle, &unit->functions[count], kernels[count]);
  gp_modules_register_variable(unit->handle, &unit->shadow, "_ZL14__gpuprof_unit", sizeof unit->descriptor, 0);
  gp_modules_register_end(unit->handle);
  unit->descriptor = (struct gpuprof_device_unit){.abi_version = GPUPROF_ABI_VERSION,
                                                  .kernel_count = count,
                                                  .sheet = (uint64_t)(uintptr_t)sheet,
                                                  .sheet_bytes = strlen(sheet),
                                                  .counters = (uint64_t)(uintptr_t)unit->counters};
  __gpuprof_register_unit(&unit->host);
}

void fake_unregister(struct fake_unit *unit) {
  gp_modules_unregister_fatbin(unit->handle);
  __gpuprof_unregister_unit(&unit->host);
}

int fake_begin(struct fake_unit *unit, const char *sheet, const char *const *kernels) {
  setenv("GPUPROF_OUTPUT", "/dev/null", 1);
  setenv("GPUPROF_LOG", "error", 1);
  gp_device_override(&fake_device);
  fake_register(unit, sheet, kernels);
  return gp_state() != GP_ON;
}

struct closure {
  struct fake_unit *unit;
  int index, error;
  void *stream;
  const uint64_t *counts;
  uint32_t groups;
  void **arguments;
};

static int perform_launch(void *pointer) {
  const struct closure *c = pointer;
  if (c->error || !c->counts)
    return c->error;
  uint64_t *counts = malloc(c->groups * sizeof *counts);
  memcpy(counts, c->counts, c->groups * sizeof *counts);
  enqueue(c->stream, (struct work){.base = &c->unit->counters[c->index], .counts = counts, .groups = c->groups});
  return 0;
}

static int launch(struct closure *c, uint32_t threads) {
  const struct gp_launch launch = {.function = &c->unit->functions[c->index],
                                   .grid = {1, 1, 1},
                                   .block = {threads, 1, 1},
                                   .stream = c->stream,
                                   .arguments = c->arguments};
  return gp_launch(launch, perform_launch, c);
}

int fake_launch(struct fake_unit *unit, int index, void *stream, uint32_t threads, const uint64_t *counts,
                uint32_t groups) {
  struct closure closure = {unit, index, 0, stream, counts, groups, NULL};
  return launch(&closure, threads);
}

int fake_launch_cloned(struct fake_unit *unit, int index, void *stream, uint32_t blocks, void **arguments) {
  struct closure closure = {.unit = unit, .index = index, .stream = stream, .arguments = arguments};
  const struct gp_launch launch = {.function = &unit->functions[index],
                                   .grid = {blocks, 1, 1},
                                   .block = {fake.block_threads ? fake.block_threads : 1, 1, 1},
                                   .stream = stream,
                                   .arguments = arguments};
  return gp_launch(launch, perform_launch, &closure);
}

int fake_launch_failing(struct fake_unit *unit, int index, int error) {
  struct closure closure = {.unit = unit, .index = index, .error = error};
  return launch(&closure, fake.block_threads ? fake.block_threads : 1);
}
