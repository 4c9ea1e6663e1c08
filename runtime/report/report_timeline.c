// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_timeline.h"

#include "base/clock.h"
#include "base/log.h"
#include "core/kernels.h"
#include "timeline/timeline.h"
#include "timeline/trace_rows.h"

#include <stdlib.h>
#include <string.h>

static void unsigned_if(struct gp_json *json, const char *key, int known, uint64_t value) {
  if (known)
    gp_json_unsigned(json, key, value);
  else
    gp_json_null(json, key);
}

/* ---- Copies ---- */

static void write_copies(struct gp_json *json, enum gp_copy_direction direction, const struct gp_copy_sum *sum) {
  gp_json_object(json, gp_copy_direction_names[direction]);
  gp_json_unsigned(json, "count", sum->count);
  gp_json_unsigned(json, "bytes", sum->bytes);
  if (direction == GP_COPY_HOST_TO_DEVICE || direction == GP_COPY_DEVICE_TO_HOST) {
    gp_json_unsigned(json, "pageable_bytes", sum->pageable_bytes);
    gp_json_unsigned(json, "pinned_bytes", sum->pinned_bytes);
  }
  gp_json_unsigned(json, "timed", sum->timed);
  unsigned_if(json, "time_ns", sum->timed > 0, sum->time_ns);
  if (sum->time_ns)
    gp_json_rounded(json, "bytes_per_second", 1e9 * (double)sum->timed_bytes / (double)sum->time_ns);
  else
    gp_json_null(json, "bytes_per_second");
  gp_json_close_object(json);
}

void gp_report_remark_copies(const struct gp_copy_sums *sums) {
  uint64_t count = 0, timed = 0;
  for (unsigned i = 0; sums && i < GP_COPY_DIRECTIONS; i++) {
    count += sums->of[i].count;
    timed += sums->of[i].timed;
  }
  if (timed < count)
    gp_remark("copies", "the time of %llu of %llu copies and fills is not known: the device gave none, or they were of a batch",
              (unsigned long long)(count - timed), (unsigned long long)count);
}

void gp_report_copies(struct gp_json *json, const struct gp_copy_sums *sums) {
  gp_json_object(json, "copies");
  for (unsigned i = 0; sums && i < GP_COPY_DIRECTIONS; i++)
    if (sums->of[i].count)
      write_copies(json, (enum gp_copy_direction)i, &sums->of[i]);
  gp_json_close_object(json);
}

/* ---- Gaps ---- */

static const char *host_in(const struct gp_timeline_gap *gap) {
  const struct gp_host_activity *host = &gap->host;
  if (2 * host->copy_ns >= gap->length)
    return "copy";
  if (2 * host->wait_ns >= gap->length)
    return "synchronisation";
  return host->region && host->region->parent ? "region" : "outside";
}

/* Puts the names of a path before `end`, the innermost last; returns the start of the text. */
static char *path_before(char *start, char *end, const struct gp_context *context) {
  *--end = 0;
  for (; context && context->parent; context = context->parent) {
    const char *name = context->site ? context->site->description.name : NULL;
    const size_t length = name ? strlen(name) : 0;
    if (!name || (size_t)(end - start) < length + 1)
      continue;
    if (*end)
      *--end = '/';
    end -= length;
    memcpy(end, name, length);
  }
  return end;
}

static void write_gap(struct gp_json *json, const struct gp_timeline_gap *gap) {
  char text[1024];
  const char *path = path_before(text, text + sizeof text, gap->host.region);
  gp_json_object(json, NULL);
  gp_json_unsigned(json, "start_ns", gap->start > gp_start_ns() ? gap->start - gp_start_ns() : 0);
  gp_json_unsigned(json, "length_ns", gap->length);
  gp_json_text(json, "host", host_in(gap));
  gp_json_text(json, "region", path[0] ? path : NULL);
  gp_json_unsigned(json, "synchronisation_ns", gap->host.wait_ns);
  gp_json_unsigned(json, "copy_ns", gap->host.copy_ns);
  gp_json_close_object(json);
}

static void write_gaps(struct gp_json *json, const struct gp_busy_gaps *gaps, const struct gp_timeline_gap *explained) {
  gp_json_object(json, "gaps");
  gp_json_unsigned(json, "count", gaps->count);
  gp_json_unsigned(json, "total_ns", gaps->total);
  if (explained) {
    gp_json_array(json, "longest");
    for (size_t i = 0; i < gaps->kept; i++)
      write_gap(json, &explained[i]);
    gp_json_close_array(json);
  } else {
    gp_json_unsigned(json, "longest_ns", gaps->kept ? gaps->longest[0].length : 0);
  }
  gp_json_close_object(json);
}

/* ---- Devices ---- */

static void write_stream(struct gp_json *json, const struct gp_timeline_stream *stream) {
  gp_json_object(json, NULL);
  gp_json_unsigned(json, "stream", stream->number);
  gp_json_unsigned(json, "busy_ns", stream->sums.busy_ns);
  gp_json_unsigned(json, "kernels", stream->kernels);
  gp_json_unsigned(json, "copies", stream->copies);
  gp_json_unsigned(json, "graphs", stream->graphs);
  write_gaps(json, &stream->sums.gaps, NULL);
  gp_json_close_object(json);
}

static void write_latency(struct gp_json *json, const struct gp_timeline_device *device) {
  const int known = device->latency_count > 0;
  gp_json_object(json, "launch_latency_ns");
  gp_json_unsigned(json, "launches", device->latency_count);
  unsigned_if(json, "median", known, device->latency_median);
  unsigned_if(json, "p95", known, device->latency_p95);
  unsigned_if(json, "max", known, device->latency_max);
  gp_json_close_object(json);
}

static uint64_t span_of(const struct gp_busy_sums *sums) { return sums->last - sums->first; }

static void write_device(struct gp_json *json, const struct gp_timeline_device *device) {
  const struct gp_busy_sums *sums = &device->sums;
  gp_json_object(json, NULL);
  gp_json_signed(json, "index", device->index);
  gp_json_unsigned(json, "first_ns", sums->first > gp_start_ns() ? sums->first - gp_start_ns() : 0);
  gp_json_unsigned(json, "span_ns", span_of(sums));
  gp_json_unsigned(json, "busy_ns", sums->busy_ns);
  gp_json_unsigned(json, "idle_ns", span_of(sums) - sums->busy_ns);
  gp_json_unsigned(json, "overlap_ns", sums->several_ns);
  gp_json_unsigned(json, "own_ns", device->own_ns);
  gp_json_unsigned(json, "left_out_ns", sums->late_ns);
  gp_json_unsigned(json, "kernels", device->kernels);
  gp_json_unsigned(json, "copies", device->copies);
  gp_json_unsigned(json, "graphs", device->graphs);
  write_gaps(json, &sums->gaps, device->gaps);
  write_latency(json, device);
  gp_json_array(json, "streams");
  for (size_t i = 0; i < device->stream_count; i++)
    write_stream(json, &device->streams[i]);
  gp_json_close_array(json);
  gp_json_close_object(json);
}

struct sums {
  uint64_t busy, span;
  enum gp_time_source source;
};

static struct sums add_up(struct gp_timeline_device *device) {
  struct sums sums = {0};
  for (int i = 0; i < GP_DEVICES; i++) {
    if (!gp_timeline_read(i, device))
      continue;
    sums.busy += device->sums.busy_ns;
    sums.span += span_of(&device->sums);
    sums.source = device->source;
    if (device->stream_more)
      gp_remark("timeline", "device %d worked on more than %d streams: %llu pieces of work of the others are in no stream's row",
                i, GP_TIMELINE_STREAMS, (unsigned long long)device->stream_more);
  }
  return sums;
}

static void remark_on_source(const struct sums *sums) {
  if (sums->source == GP_TIME_EVENT)
    gp_remark("timeline", "times are of CUDA events: without those of copies and fills, and a few microseconds too long");
}

static void write_sums(struct gp_json *json, const struct sums *sums) {
  static const char *const sources[] = {
      [GP_TIME_NONE] = NULL, [GP_TIME_CUPTI] = "cupti", [GP_TIME_EVENT] = "event", [GP_TIME_CPU] = "cpu"};
  const int known = sums->source != GP_TIME_NONE, of_gpu = known && sums->source != GP_TIME_CPU;
  gp_json_text(json, "source", sources[sums->source]);
  unsigned_if(json, "gpu_busy_ns", of_gpu, sums->busy);
  unsigned_if(json, "gpu_idle_ns", of_gpu, sums->span - sums->busy);
  unsigned_if(json, "gpu_span_ns", of_gpu, sums->span);
  unsigned_if(json, "device_busy_ns", known, sums->busy);
  unsigned_if(json, "device_idle_ns", known, sums->span - sums->busy);
  unsigned_if(json, "device_span_ns", known, sums->span);
  remark_on_source(sums);
}

void gp_report_timeline(struct gp_json *json) {
  struct gp_timeline_device *device = malloc(sizeof *device); /* too large for the stack of a thread */
  const struct sums none = {0}, sums = device ? add_up(device) : none;
  if (!device)
    gp_remark("timeline", "null: gpuprof's own memory was exhausted");
  gp_json_object(json, "timeline");
  write_sums(json, &sums);
  gp_json_array(json, "devices");
  for (int i = 0; device && i < GP_DEVICES; i++)
    if (gp_timeline_read(i, device))
      write_device(json, device);
  gp_json_close_array(json);
  gp_json_close_object(json);
  free(device);
}

/* ---- Kernels in the trace ---- */

struct gp_traced {
  struct gp_traced *next;
  const struct gp_record *record;
  struct gp_work work;
  uint64_t launches;
};

int gp_report_keep_traced(struct gp_aggregate *aggregate, const struct gp_record *original, const struct gp_record *record,
                          const struct gp_totals *totals, const struct gp_totals *before) {
  struct gp_traced *traced = gp_scratch_get(&aggregate->memory, sizeof *traced);
  if (!traced)
    return -1;
  *traced = (struct gp_traced){.next = aggregate->traced, .record = original, .launches = record->launches};
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    traced->work.totals.amount[i] = totals->amount[i] - before->amount[i];
  const int has_unique = record->launches && record->unique_launches == record->launches;
  const int has_time = record->source != GP_TIME_CPU && record->launches && record->time.count == record->launches;
  traced->work.l2_bytes = traced->work.dram_bytes = GP_UNKNOWN;
  traced->work.unique_bytes = has_unique ? (double)record->unique_bytes : GP_UNKNOWN;
  traced->work.gpu_ns = has_time ? (double)record->time.total : GP_UNKNOWN;
  aggregate->traced = traced;
  return 0;
}

static void tell(const struct gp_traced *traced, const struct gp_ceilings *ceilings) {
  struct gp_placement placement;
  gp_roofline_place(&traced->work, ceilings, &placement);
  const uint64_t launches = traced->launches ? traced->launches : 1;
  const struct gp_trace_row row = {.known = traced->launches > 0 && !gp_record_uncounted(traced->record),
                                   .flops = gp_totals_flops(&traced->work.totals) / launches,
                                   .bytes = gp_totals_group(&traced->work.totals, "global") / launches,
                                   .bound = gp_resource_names[placement.bound]};
  gp_trace_rows_set(traced->record, &row);
}

void gp_report_tell_trace(const struct gp_aggregate *aggregate, const struct gp_ceilings *ceilings) {
  for (const struct gp_traced *traced = aggregate->traced; traced; traced = traced->next)
    tell(traced, ceilings);
}
