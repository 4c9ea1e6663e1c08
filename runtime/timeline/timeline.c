// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/timeline.h"

#include "base/clock.h"
#include "base/locks.h"
#include "base/log.h"
#include "base/ring.h"
#include "base/ticks.h"
#include "core/host_times.h"
#include "core/host_waits.h"
#include "core/kernels.h"
#include "memory/usage.h"
#include "timeline/thread_facts.h"
#include "timeline/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_SEGMENTS 4096u
#define CAUSES (2 * GP_BUSY_GAPS)

struct work_counts {
  uint64_t kernels, copies, graphs;
};

struct stream_line {
  uint32_t number;
  struct work_counts counts;
  struct gp_busy busy;
};

/* All of one device; guarded by the lock. */
struct line {
  enum gp_time_source source;
  struct work_counts counts;
  uint64_t own_ns;
  struct gp_busy busy;
  struct stream_line streams[GP_TIMELINE_STREAMS];
  size_t stream_count, stream_more;
  struct gp_distribution latency;
  struct gp_timeline_gap causes[CAUSES]; /* of the longest gaps so far */
  size_t cause_next;
};

static struct line *lines[GP_DEVICES];
GP_MUTEX(lock, GP_LOCK_TIMELINE)

/* Work as launches tell it, which thus take no lock. It is added to the lines when the ring is full, and before they
 * are read. */
struct told_work {
  uint64_t start, end;
  uint32_t stream;
  unsigned char device, kind, source;
};
static struct gp_ring told_works = {.places = 1024, .cell = GP_RING_CELL(sizeof(struct told_work))};
_Static_assert(GP_DEVICES <= UINT8_MAX, "a device fits");

/* ---- Lines ---- */

/* The caller holds the lock. */
static struct line *line_of(int device) {
  gp_assert_held(&lock);
  if (device < 0 || device >= GP_DEVICES)
    return NULL;
  if (!lines[device])
    lines[device] = calloc(1, sizeof *lines[device]);
  return lines[device];
}

static struct stream_line *stream_of(struct line *line, uint32_t number) {
  for (size_t i = 0; i < line->stream_count; i++)
    if (line->streams[i].number == number)
      return &line->streams[i];
  if (line->stream_count == GP_TIMELINE_STREAMS)
    return NULL;
  struct stream_line *stream = &line->streams[line->stream_count++];
  *stream = (struct stream_line){.number = number, .busy = {.most = STREAM_SEGMENTS}};
  return stream;
}

static void count_work(struct work_counts *counts, unsigned kind) {
  *(kind == GP_WORK_KERNEL ? &counts->kernels : kind == GP_WORK_GRAPH ? &counts->graphs : &counts->copies) += 1;
}

static void add_to_stream(struct line *line, const struct told_work *work) {
  struct stream_line *stream = stream_of(line, work->stream);
  if (!stream) {
    line->stream_more++;
    return;
  }
  count_work(&stream->counts, work->kind);
  gp_busy_add(&stream->busy, work->start, work->end, 0);
}

/* The caller holds the lock. */
static int add_work(const struct told_work *work) {
  struct line *line = line_of(work->device);
  if (!line)
    return -1;
  line->source = work->source;
  count_work(&line->counts, work->kind);
  gp_busy_add(&line->busy, work->start, work->end, work->stream);
  add_to_stream(line, work);
  return 0;
}

/* The caller holds the lock. Returns -1 when memory is exhausted. */
static int add_told_works(void) {
  gp_assert_held(&lock);
  int result = 0;
  for (const struct told_work *work; (work = gp_ring_oldest(&told_works)); gp_ring_drop(&told_works))
    result |= add_work(work);
  return result;
}

void gp_timeline_work(const struct gp_device_work *work) {
  if (work->device < 0 || work->device >= GP_DEVICES)
    return;
  const struct told_work told = {.start = work->start,
                                 .end = work->end,
                                 .stream = work->stream,
                                 .device = (unsigned char)work->device,
                                 .kind = (unsigned char)work->kind,
                                 .source = (unsigned char)work->source};
  if (gp_ring_put(&told_works, &told, sizeof told))
    return;
  pthread_mutex_lock(&lock);
  const int exhausted = add_told_works() | add_work(&told);
  pthread_mutex_unlock(&lock);
  if (exhausted)
    gp_log_exhausted("timeline");
}

void gp_timeline_own_work(int device, uint64_t ns) {
  pthread_mutex_lock(&lock);
  struct line *line = line_of(device);
  if (line)
    line->own_ns += ns;
  pthread_mutex_unlock(&lock);
}

/* ---- Streams by handle ---- */
uint32_t gp_timeline_stream(const void *stream) {
  static const void *known[GP_TIMELINE_STREAMS]; /* [0]: the default stream */
  static uint32_t count = 1;
  uint32_t number = 0;
  if (!stream)
    return 0;
  pthread_mutex_lock(&lock);
  while (number < count && known[number] != stream)
    number++;
  if (number == count && count < GP_TIMELINE_STREAMS)
    known[count++] = stream;
  pthread_mutex_unlock(&lock);
  return number;
}

/* ---- Launches ---- */

void gp_timeline_launched(const struct gp_launch *launch, struct gp_record *record, uint64_t call_start, uint64_t call_end) {
  gp_host_history_launch(call_start, record->context);
  if (gp_trace_is_on())
    gp_trace_launch(launch, record, call_start, call_end);
}

static void add_latency(int device, uint64_t call_end, uint64_t start) {
  pthread_mutex_lock(&lock);
  struct line *line = line_of(device);
  if (line)
    gp_distribution_add(&line->latency, start > call_end ? start - call_end : 0);
  pthread_mutex_unlock(&lock);
}

void gp_timeline_kernel(uint64_t id, const struct gp_record *record, const struct gp_issued *issued, uint64_t start,
                        uint64_t duration, enum gp_time_source source, const struct gp_device_work *told) {
  struct gp_device_work work = {
      .kind = GP_WORK_KERNEL, .source = source, .device = record->device, .start = start, .end = start + duration};
  if (told) {
    work = *told;
  } else {
    work.stream = gp_timeline_stream(issued->stream);
    gp_timeline_work(&work);
  }
  if (issued->call_end && source == GP_TIME_CUPTI)
    add_latency(work.device, issued->call_end, start);
  if (gp_trace_is_on())
    gp_trace_kernel(id, record, &work);
}

void gp_timeline_kernel_in_call(const struct gp_launch *launch, const struct gp_record *record, uint64_t start, uint64_t duration,
                                enum gp_time_source source) {
  struct gp_device_work work = {.kind = GP_WORK_KERNEL,
                                .source = source,
                                .device = record->device,
                                .stream = gp_timeline_stream(launch->stream),
                                .start = start,
                                .end = start + duration};
  memcpy(work.grid, launch->grid, sizeof work.grid);
  memcpy(work.block, launch->block, sizeof work.block);
  gp_timeline_work(&work);
  if (gp_trace_is_on())
    gp_trace_kernel(launch->id, record, &work);
}

/* ---- Copies ---- */

/* Copies whose times the device tells later; guarded by the lock. */
#define PENDING_COPIES (1u << 13)
static struct gp_copy_call *pending;
static uint64_t last_copy;

static void await_time(const struct gp_copy_call *call) {
  pthread_mutex_lock(&lock);
  if (!pending)
    pending = calloc(PENDING_COPIES, sizeof *pending);
  if (pending)
    pending[call->id % PENDING_COPIES] = *call;
  pthread_mutex_unlock(&lock);
}

static struct gp_copy_call take_pending(uint64_t id) {
  struct gp_copy_call found = {0};
  pthread_mutex_lock(&lock);
  if (pending && pending[id % PENDING_COPIES].id == id) {
    found = pending[id % PENDING_COPIES];
    pending[id % PENDING_COPIES].id = 0;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

int gp_timeline_copy_begin(struct gp_copy_call *call) {
  const struct gp_device_ops *device = gp_device();
  call->context = gp_regions_context();
  if (!call->context || device->current(&call->device))
    return 0;
  pthread_mutex_lock(&lock);
  call->id = ++last_copy;
  pthread_mutex_unlock(&lock);
  call->start = gp_now();
  struct gp_thread_facts *own = gp_thread_facts();
  if (own)
    own->copy_start = call->start;
  if (device->work_begin) {
    await_time(call);
    device->work_begin(call->id | GP_COPY_ID_BIT);
  }
  return 1;
}

/* The calls of batches have no copy of their own. */
static void copy_took(const struct gp_copy_call *call, const struct gp_device_work *work) {
  if (!call->copy.count)
    return;
  gp_copies_time(call->context, &call->copy, work->end - work->start);
  if (gp_trace_is_on())
    gp_trace_copy(call, work);
}

/* A device without records of its own does a copy within the call. */
static void end_within_call(const struct gp_copy_call *call, uint64_t end) {
  const struct gp_device_work work = {.kind = call->copy.direction == GP_COPY_MEMSET ? GP_WORK_MEMSET : GP_WORK_COPY,
                               .source = GP_TIME_CPU,
                               .device = call->device,
                               .stream = gp_timeline_stream(call->stream),
                               .start = call->start,
                               .end = end};
  gp_timeline_work(&work);
  copy_took(call, &work);
}

void gp_timeline_copy_end(const struct gp_copy_call *call, int error) {
  const struct gp_device_ops *device = gp_device();
  const uint64_t end = gp_now();
  if (device->work_end)
    device->work_end(error);
  if (error) {
    take_pending(call->id);
    return;
  }
  gp_copies_count(call->context, &call->copy);
  gp_host_history_add((struct gp_host_event){.start = call->start, .end = end, .context = call->context, .kind = GP_HOST_COPY});
  if (gp_trace_is_on())
    gp_trace_copy_call(call, end);
  if (!device->has_time)
    end_within_call(call, end);
}

void gp_timeline_copy_time(uint64_t id, const struct gp_device_work *work) {
  const struct gp_copy_call call = take_pending(id & ~GP_COPY_ID_BIT);
  if (call.id)
    copy_took(&call, work);
}

/* ---- Reading ---- */

/* The host's history is short: a gap is explained when it is first seen. The caller holds the lock. */
static struct gp_timeline_gap explain(struct line *line, const struct gp_gap *gap) {
  for (size_t i = 0; i < CAUSES; i++)
    if (line->causes[i].explained && line->causes[i].start == gap->start && line->causes[i].length == gap->length)
      return line->causes[i];
  const struct gp_timeline_gap explained = {gap->start, gap->length, 1,
                                            gp_host_history_during(gap->start, gap->start + gap->length)};
  line->causes[line->cause_next++ % CAUSES] = explained;
  return explained;
}

static void read_streams(const struct line *line, struct gp_timeline_device *out) {
  out->stream_count = line->stream_count;
  out->stream_more = line->stream_more;
  for (size_t i = 0; i < line->stream_count; i++) {
    const struct stream_line *stream = &line->streams[i];
    out->streams[i] = (struct gp_timeline_stream){.number = stream->number,
                                                  .kernels = stream->counts.kernels,
                                                  .copies = stream->counts.copies,
                                                  .graphs = stream->counts.graphs,
                                                  .sums = gp_busy_sums(&stream->busy)};
  }
}

static void read_latency(const struct line *line, struct gp_timeline_device *out) {
  static const double wanted[] = {0.5, 0.95};
  const struct gp_distribution *list[] = {&line->latency};
  uint64_t values[2];
  out->latency_count = line->latency.count;
  out->latency_max = line->latency.maximum;
  gp_distributions_quantiles(list, 1, wanted, values, 2);
  out->latency_median = values[0];
  out->latency_p95 = values[1];
}

int gp_timeline_read(int device, struct gp_timeline_device *out) {
  pthread_mutex_lock(&lock);
  const int exhausted = add_told_works();
  struct line *line = device >= 0 && device < GP_DEVICES ? lines[device] : NULL;
  const int has_work = line && line->busy.intervals;
  if (has_work) {
    *out = (struct gp_timeline_device){.index = device,
                                       .source = line->source,
                                       .kernels = line->counts.kernels,
                                       .copies = line->counts.copies,
                                       .graphs = line->counts.graphs,
                                       .own_ns = line->own_ns,
                                       .sums = gp_busy_sums(&line->busy)};
    for (size_t i = 0; i < out->sums.gaps.kept; i++)
      out->gaps[i] = explain(line, &out->sums.gaps.longest[i]);
    read_streams(line, out);
    read_latency(line, out);
  }
  pthread_mutex_unlock(&lock);
  if (exhausted)
    gp_log_exhausted("timeline");
  return has_work;
}

int gp_timeline_own_ns(uint64_t *own, uint64_t *busy) {
  int known = 0, unknown = 0;
  *own = *busy = 0;
  pthread_mutex_lock(&lock);
  unknown |= add_told_works();
  for (int device = 0; device < GP_DEVICES; device++)
    if (lines[device]) {
      const int has_times = lines[device]->source == GP_TIME_CUPTI;
      known |= has_times;
      unknown |= !has_times;
      *own += lines[device]->own_ns;
      *busy += gp_busy_sums(&lines[device]->busy).busy_ns;
    }
  pthread_mutex_unlock(&lock);
  return known && !unknown;
}

/* ---- Waits ---- */
static void hear_wait(const char *call, uint64_t start, uint64_t end) {
  const struct gp_thread_facts *own = gp_thread_facts();
  if (own && own->copy_start >= start) /* a copy that waits is no wait of its own */
    return;
  gp_host_history_add((struct gp_host_event){.start = start, .end = end, .context = gp_regions_context(), .kind = GP_HOST_WAIT});
  if (gp_trace_is_on())
    gp_trace_wait(call, start, end);
}

/* ---- Executions of regions ---- */

/* Shorter ones explain no gap worth a line. */
#define LONG_TICKS 50000u /* 12 to 50 us */

static void hear_execution(const struct gp_context *context, uint64_t ticks) {
  const uint64_t end = gp_now(), ns = (uint64_t)((double)ticks * gp_ticks_ns_lately());
  gp_host_history_add((struct gp_host_event){
      .start = ns < end ? end - ns : 0, .end = end, .context = context, .kind = GP_HOST_REGION});
}

/* ---- Memory, for the trace ---- */
static void hear_memory(unsigned place, uint64_t bytes, uint64_t ns) {
  if (gp_trace_is_on())
    gp_trace_counter(place, place == GP_USAGE_HOST ? "host memory of CUDA" : "memory", gp_start_ns() + ns, bytes);
}

void gp_timeline_start(void) {
  gp_host_waits_listen(hear_wait);
  gp_usage_listen(hear_memory);
  gp_host_times_listen(hear_execution, LONG_TICKS);
  gp_trace_prepare();
}

/* What the parent had stays unused: the child has one thread, and little of it. */
void gp_timeline_begin_anew(void) {
  for (int i = 0; i < GP_DEVICES; i++)
    lines[i] = NULL;
  gp_ring_reset(&told_works);
  pending = NULL;
  gp_host_history_reset();
  gp_copies_reset();
}
