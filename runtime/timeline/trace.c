// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/trace.h"

#include "base/clock.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/own_cost.h"
#include "base/ranks.h"
#include "base/settings.h"
#include "base/state.h"
#include "core/kernels.h"
#include "timeline/thread_facts.h"
#include "timeline/trace_file.h"
#include "timeline/trace_lanes.h"
#include "timeline/trace_queue.h"
#include "timeline/trace_rows.h"
#include "timeline/trace_text.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS 10000000u   /* of the thread without an event */
#define BATCH_EVENTS 4096u   /* written at once */
#define JOIN_SECONDS 10
#define PLACES 512 /* threads and streams with a name */

_Atomic int gp_trace_state;
static pthread_once_t begun = PTHREAD_ONCE_INIT;
static pthread_t thread;
static int has_thread, is_child;
static _Atomic uint32_t stopping;

/* Below: of the thread. */
static struct gp_trace_file file = {.descriptor = -1};
static struct gp_trace_base base;
static struct {
  long process, thread;
} places[PLACES];
static size_t place_count;
static int device_seen[GP_DEVICES];
static struct gp_device_info devices[GP_DEVICES]; /* of those seen */

/* ---- Head, names and closing text ---- */

static uint64_t epoch_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec - (gp_now() - base.start_ns);
}

static void print_head(FILE *out) {
  fprintf(out, "{\"schemaVersion\":1,\"displayTimeUnit\":\"ms\",\"baseTimeNanoseconds\":%llu,\"traceName\":",
          (unsigned long long)epoch_ns());
  gp_trace_text_string(out, gp_settings()->trace);
  const struct gp_ranks *ranks = gp_ranks();
  fprintf(out, ",\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%lld,\"world_size\":%lld},\"traceEvents\":[\n",
          ranks->rank < 0 ? 0 : (long long)ranks->rank, ranks->world_size < 0 ? 1 : (long long)ranks->world_size);
  fprintf(out, "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"ts\":0,\"pid\":%d,\"tid\":0,\"args\":{\"sort_index\":0}}",
          base.process);
  gp_trace_text_process(out, base.process, program_invocation_short_name, "CPU", 0);
}

static void print_device(FILE *out, int device) {
  const struct gp_device_info *info = &devices[device];
  fprintf(out, "{\"id\":%d,\"name\":", device);
  gp_trace_text_string(out, info->name);
  fprintf(out, ",\"kind\":\"%s\",\"numSms\":%u,\"clockRate_hz\":%llu}", info->kind, info->sm_count,
          (unsigned long long)info->clock_hz);
}

static void print_closing(FILE *out, int complete) {
  int more = 0;
  fputs("\n],\"deviceProperties\":[", out);
  for (int device = 0; device < GP_DEVICES; device++)
    if (device_seen[device]) {
      fputs(more++ ? "," : "", out);
      print_device(out, device);
    }
  fprintf(out, "],\"gpuprof\":{\"version\":\"%s\",\"complete\":%s,\"droppedEvents\":%llu}}\n", GPUPROF_VERSION,
          complete ? "true" : "false", (unsigned long long)gp_trace_queue_dropped());
}

static int is_new_place(long process, long of_thread) {
  for (size_t i = place_count; i-- > 0;)
    if (places[i].process == process && places[i].thread == of_thread)
      return 0;
  if (place_count == PLACES)
    return 0;
  places[place_count].process = process;
  places[place_count++].thread = of_thread;
  return 1;
}

static void name_thread(FILE *out, uint32_t of_thread) {
  char path[64], comm[32] = "", name[80];
  snprintf(path, sizeof path, "/proc/self/task/%u/comm", of_thread);
  FILE *in = fopen(path, "re");
  if (in && fgets(comm, sizeof comm, in))
    comm[strcspn(comm, "\n")] = 0;
  if (in)
    fclose(in);
  snprintf(name, sizeof name, *comm ? "thread %u (%s)" : "thread %u", of_thread, comm); /* no name: it has ended */
  gp_trace_text_thread(out, base.process, (long)of_thread, name, (long)of_thread);
}

static void name_device(FILE *out, int device) {
  char name[64];
  snprintf(name, sizeof name, "%s %d", gp_device()->has_time ? "GPU" : "CPU device", device);
  if (gp_device()->describe(device, &devices[device])) /* once: it may take a millisecond */
    devices[device] = (struct gp_device_info){.index = device};
  gp_trace_text_process(out, device, name, devices[device].name, device + 1000);
  device_seen[device] = 1;
}

static void name_stream(FILE *out, const struct gp_trace_event *e) {
  char name[64];
  const uint32_t lane = gp_trace_lane_of(e);
  snprintf(name, sizeof name, lane ? "stream %u (%u)" : "stream %u", gp_trace_stream_of(e), lane + 1);
  gp_trace_text_thread(out, e->device, (long)e->place, name, (long)e->place);
}

static void name_places(FILE *out, const struct gp_trace_event *e) {
  const int of_host = e->kind == GP_TRACE_REGION || e->kind == GP_TRACE_CALL;
  if (of_host && is_new_place(base.process, (long)e->place))
    name_thread(out, e->place);
  if (of_host || e->device >= GP_DEVICES)
    return;
  if (!device_seen[e->device])
    name_device(out, e->device);
  if (e->kind != GP_TRACE_COUNTER && is_new_place(e->device, (long)e->place))
    name_stream(out, e);
}

/* ---- The thread ---- */

static size_t print_events(FILE *out, size_t most) {
  struct gp_trace_event event;
  size_t count = 0;
  for (; count < most && gp_trace_queue_take(&event); count++) {
    if (gp_trace_has_lanes(&event))
      event.place = gp_trace_lane(event.device, event.place, event.start, event.end);
    name_places(out, &event);
    const int has_row = event.kind == GP_TRACE_KERNEL && event.record;
    gp_trace_text_event(out, &base, &event, has_row ? gp_trace_rows_number(event.record) : 0);
  }
  return count;
}

static void give_up(const char *why) {
  gp_log(GP_WARN, "GPUPROF_TRACE", "the trace ends early: %s", why);
  atomic_store(&gp_trace_state, 0);
  gp_trace_file_close(&file);
}

/* Returns the number of events taken. */
static size_t write_batch(int with_head, int complete) {
  char *events = NULL, *closing = NULL;
  size_t length = 0, closing_length = 0, count = 0;
  FILE *out = open_memstream(&events, &length), *end = open_memstream(&closing, &closing_length);
  if (out && with_head)
    print_head(out);
  if (out)
    count = print_events(out, BATCH_EVENTS);
  if (end)
    print_closing(end, complete);
  const int failed = !out || !end || (fclose(out), fclose(end), !events || !closing);
  if (failed)
    give_up("memory is exhausted");
  else if ((count || with_head || complete) && gp_trace_file_add(&file, events, length, closing))
    give_up(strerror(errno));
  free(events);
  free(closing);
  return count;
}

static void *keep(void *unused) {
  write_batch(1, 0);
  while (file.descriptor >= 0) {
    const int last = (int)atomic_load(&stopping);
    const size_t count = write_batch(0, 0);
    if (!count && last)
      break;
    gp_own_thread_works();
    if (!count)
      gp_futex_wait(&stopping, 0, PAUSE_NS);
  }
  return unused;
}

static int start(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run on its own threads */
  const int error = pthread_create(&thread, NULL, keep, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static void begin(void) {
  const int kept = errno;
  const char *why = gp_trace_file_open(&file, gp_settings()->trace, is_child);
  base = (struct gp_trace_base){.start_ns = gp_start_ns(), .process = (int)getpid()};
  const int error = why ? 0 : start();
  if (!why && !error) {
    pthread_setname_np(thread, "gpuprof-trace");
    has_thread = 1;
  } else {
    gp_log(GP_WARN, "GPUPROF_TRACE", "no trace is written: %s", why ? why : strerror(error));
    gp_trace_file_close(&file);
    atomic_store(&gp_trace_state, 0);
  }
  errno = kept;
}

void gp_trace_prepare(void) { atomic_store(&gp_trace_state, gp_settings()->trace != NULL && gp_settings()->enable); }

static void put(const struct gp_trace_event *event) {
  pthread_once(&begun, begin);
  if (gp_trace_is_on())
    gp_trace_queue_put(event);
}

/* ---- Events ---- */

static uint32_t this_thread(void) {
  struct gp_thread_facts *own = gp_thread_facts();
  if (own && own->id)
    return own->id;
  const uint32_t id = (uint32_t)syscall(SYS_gettid);
  if (own)
    own->id = id;
  return id;
}

/* Launches and copies have ids of their own: arrows need one number for both. */
static uint64_t correlation_of_launch(uint64_t id) { return 2 * id; }
static uint64_t correlation_of_copy(uint64_t id) { return 2 * id + 1; }

static const char *call_of(const struct gp_launch *launch) {
  return launch->cooperative       ? "cudaLaunchCooperativeKernel"
         : launch->attribute_count ? "cudaLaunchKernelExC"
                                   : "cudaLaunchKernel";
}

void gp_trace_launch(const struct gp_launch *launch, const struct gp_record *record, uint64_t call_start, uint64_t call_end) {
  put(&(struct gp_trace_event){.kind = GP_TRACE_CALL,
                               .place = this_thread(),
                               .start = call_start,
                               .end = call_end,
                               .name = call_of(launch),
                               .context = record->context,
                               .correlation = correlation_of_launch(launch->id)});
}

static unsigned char source_of(enum gp_time_source source) {
  return source == GP_TIME_CUPTI ? GP_TRACE_BY_CUPTI : source == GP_TIME_EVENT ? GP_TRACE_BY_EVENT : GP_TRACE_BY_CPU;
}

static void put_kernel(const struct gp_device_work *work, const char *name, const struct gp_record *record,
                       uint64_t correlation) {
  struct gp_trace_event event = {.kind = GP_TRACE_KERNEL,
                                 .device = (unsigned char)work->device,
                                 .place = work->stream,
                                 .start = work->start,
                                 .end = work->end,
                                 .name = name,
                                 .context = record ? record->context : NULL,
                                 .record = record,
                                 .correlation = correlation,
                                 .registers = work->registers,
                                 .shared_bytes = work->shared_bytes,
                                 .local_bytes = work->local_bytes,
                                 .source = source_of(work->source)};
  memcpy(event.grid, work->grid, sizeof event.grid);
  for (int i = 0; i < 3; i++)
    event.block[i] = (unsigned short)work->block[i];
  put(&event);
}

void gp_trace_kernel(uint64_t id, const struct gp_record *record, const struct gp_device_work *work) {
  put_kernel(work, record->kernel->name, record, correlation_of_launch(id));
}

void gp_trace_other_kernel(const struct gp_device_work *work, const char *name) { put_kernel(work, name, NULL, 0); }

void gp_trace_copy_call(const struct gp_copy_call *call, uint64_t end) {
  put(&(struct gp_trace_event){.kind = GP_TRACE_CALL,
                               .place = this_thread(),
                               .start = call->start,
                               .end = end,
                               .name = call->name,
                               .context = call->context,
                               .correlation = correlation_of_copy(call->id)});
}

void gp_trace_copy(const struct gp_copy_call *call, const struct gp_device_work *work) {
  put(&(struct gp_trace_event){.kind = work->kind == GP_WORK_MEMSET ? GP_TRACE_MEMSET : GP_TRACE_COPY,
                               .device = (unsigned char)work->device,
                               .place = work->stream,
                               .start = work->start,
                               .end = work->end,
                               .context = call->context,
                               .correlation = correlation_of_copy(call->id),
                               .value = call->copy.bytes,
                               .copy = GP_TRACE_COPY_CODE(call->copy.direction, call->copy.memory),
                               .source = source_of(work->source)});
}

void gp_trace_wait(const char *call, uint64_t start, uint64_t end) {
  put(&(struct gp_trace_event){.kind = GP_TRACE_CALL,
                               .place = this_thread(),
                               .start = start,
                               .end = end,
                               .name = call,
                               .context = gp_regions_context()});
}

void gp_trace_counter(unsigned device, const char *name, uint64_t time, uint64_t value) {
  put(&(struct gp_trace_event){
      .kind = GP_TRACE_COUNTER, .device = (unsigned char)device, .start = time, .name = name, .value = value});
}

/* ---- Regions ---- */

/* The open regions of a thread; deeper ones are not shown. Freed with the outermost one. */
struct gp_open_regions {
  uint32_t depth;
  struct {
    uint64_t start, execution;
    const char *name;
  } at[GP_DEPTH_MAXIMUM];
};

void gp_trace_region_begins(const char *name, uint64_t execution) {
  struct gp_thread_facts *own = gp_thread_facts();
  if (!own || (!own->regions && !(own->regions = calloc(1, sizeof *own->regions))))
    return;
  struct gp_open_regions *regions = own->regions;
  if (regions->depth < GP_DEPTH_MAXIMUM) {
    regions->at[regions->depth].name = name;
    regions->at[regions->depth].execution = execution;
    regions->at[regions->depth].start = gp_now();
  }
  regions->depth++;
}

static void put_region(const struct gp_open_regions *regions, uint32_t number, uint64_t end) {
  put(&(struct gp_trace_event){.kind = GP_TRACE_REGION,
                               .place = this_thread(),
                               .start = regions->at[number].start,
                               .end = end,
                               .name = regions->at[number].name,
                               .context = gp_regions_counted(),
                               .value = regions->at[number].execution});
}

void gp_trace_region_ends(void) {
  const uint64_t end = gp_now();
  struct gp_thread_facts *own = gp_thread_facts();
  struct gp_open_regions *regions = own ? own->regions : NULL;
  if (!regions || !regions->depth)
    return;
  if (--regions->depth < GP_DEPTH_MAXIMUM)
    put_region(regions, regions->depth, end);
  if (regions->depth)
    return;
  free(regions);
  own->regions = NULL;
}

/* ---- The end ---- */

static int join(void) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += JOIN_SECONDS;
  atomic_store(&stopping, 1);
  gp_futex_wake(&stopping);
  return pthread_timedjoin_np(thread, NULL, &limit);
}

static void tell_dropped(void) {
  if (gp_trace_queue_dropped())
    gp_log(GP_WARN, "GPUPROF_TRACE", "%llu events are missing in the trace: they came faster than they could be written",
           (unsigned long long)gp_trace_queue_dropped());
}

static void tell_replaced(void) {
  if (gp_trace_file_is_replaced(&file))
    gp_log(GP_WARN, "GPUPROF_TRACE", "the trace was replaced by that of another process, '%.300s'; put %%p into the name", file.path);
}

void gp_trace_finish(void) {
  if (!atomic_exchange(&gp_trace_state, 0) || !has_thread)
    return;
  if (join()) /* the disk does not respond */
    return;
  has_thread = 0;
  if (file.descriptor < 0)
    return;
  write_batch(0, 1);
  gp_trace_file_change(&file, gp_trace_rows_fill);
  tell_replaced();
  gp_trace_file_close(&file);
  tell_dropped();
}

void gp_trace_in_child(void) {
  static const pthread_once_t not_yet = PTHREAD_ONCE_INIT;
  has_thread = 0;
  gp_trace_file_close(&file);
  if (gp_state() == GP_OFF)
    atomic_store(&gp_trace_state, 0);
  if (!gp_trace_is_on())
    return;
  is_child = 1; /* also of a parent without a trace yet: it may begin its own meanwhile */
  begun = not_yet;
  place_count = 0;
  memset(device_seen, 0, sizeof device_seen);
  struct gp_thread_facts *own = gp_thread_facts();
  if (own)
    own->id = 0;
  gp_trace_queue_reset();
  gp_trace_rows_reset();
  gp_trace_lanes_reset();
}
