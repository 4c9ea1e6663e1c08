// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_json.h"

#include "base/log.h"
#include "base/settings.h"
#include "clones/addresses.h"
#include "report/json_writer.h"
#include "report/measured_peaks.h"
#include "report/report_builds.h"
#include "report/report_ceilings.h"
#include "report/report_communication.h"
#include "report/report_energy.h"
#include "report/report_hardware.h"
#include "report/report_host.h"
#include "report/report_memory.h"
#include "report/report_notes.h"
#include "report/report_overhead.h"
#include "report/report_occupancy.h"
#include "report/report_ranks.h"
#include "report/report_sites.h"
#include "report/report_synapses.h"
#include "report/report_timeline.h"
#include "report/roofline.h"
#include "sheet/sheet.h"

#include <stdlib.h>
#include <string.h>

static void real_or_null(struct gp_json *json, const char *key, double value) {
  if (value == GP_UNKNOWN)
    gp_json_null(json, key);
  else
    gp_json_real(json, key, value);
}

/* Values derived from counts, times and ceilings. Ceilings have only three digits. */
static void rounded_or_null(struct gp_json *json, const char *key, double value) {
  if (value == GP_UNKNOWN)
    gp_json_null(json, key);
  else
    gp_json_rounded(json, key, value);
}

static void count_or_null(struct gp_json *json, const char *key, uint64_t value, int known) {
  if (known)
    gp_json_unsigned(json, key, value);
  else
    gp_json_null(json, key);
}

static void real_if_positive(struct gp_json *json, const char *key, double value) {
  real_or_null(json, key, value > 0 ? value : GP_UNKNOWN);
}

/* ---- Head of the document ---- */

/* The cost of counting for the kernels is known only if it was zero: every launch ran clang's machine code
 * without gpuprof. Returns null, or the reason why it is unknown. */
static const char *ratio_unknown(const struct gp_report_facts *facts, const struct gp_aggregate *aggregate) {
  const struct gp_row *kernels = aggregate->kernels.children;
  if (!facts->device || strcmp(facts->device->kind, "gpu"))
    return "null: it is about kernels on a GPU";
  if (gp_addresses_untimed())
    return "null: kernels ran that mark the memory they touch";
  for (const struct gp_row *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->counted_by & 1u << GP_CLONE_NONE)
      return "null: some kernels carry counters (those whose counted_by is in_kernel or several), and this program has no "
             "plain ones to time them against; bench/overhead/run does that for the kernels of gpuprof";
  return kernels ? NULL : "null: no kernel ran";
}

static void write_ratio(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate) {
  if (ratio_unknown(facts, aggregate))
    gp_json_null(json, "kernels_ratio");
  else
    gp_json_real(json, "kernels_ratio", 1.0);
}

/* The first member of the context. While the program runs, `signal` is null: report.c may overwrite these
 * four characters. */
static void write_state(struct gp_json *json, const struct gp_report_facts *facts) {
  gp_json_object(json, "end");
  gp_json_text(json, "state", facts->how ? "complete" : "running");
  gp_json_text(json, "how", facts->how);
  count_or_null(json, "signal", (uint64_t)facts->signal, facts->signal > 0);
  gp_json_unsigned(json, "counted_until_ns", facts->counted_until_ns);
  count_or_null(json, "process_start", facts->process_start, facts->process_start > 0);
  gp_json_unsigned(json, "launches_running", facts->snapshot.running);
  gp_json_boolean(json, "consistent", facts->snapshot.exact);
  gp_json_close_object(json);
}

/* Written if asked for. */
static void write_ways(struct gp_json *json, const struct gp_report_facts *facts) {
  const struct gp_settings *settings = gp_settings();
  if (settings->sample > 1)
    gp_json_unsigned(json, "sample", settings->sample);
  if (!settings->times_file)
    return;
  gp_json_object(json, "exact");
  gp_json_boolean(json, "matched", facts->times.matched);
  gp_json_text(json, "why", facts->times.matched ? NULL : facts->times.why);
  gp_json_close_object(json);
}

static void write_context(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate) {
  gp_json_object(json, "context");
  write_state(json, facts);
  gp_json_text(json, "tool_version", facts->tool_version);
  gp_json_text(json, "command", facts->command);
  gp_json_text(json, "host", facts->host);
  gp_json_signed(json, "pid", facts->pid);
  gp_report_ranks(json, facts->device);
  gp_json_text(json, "start_time", facts->start_time);
  gp_json_unsigned(json, "duration_ns", facts->duration_ns);
  gp_json_text(json, "compiler", facts->compiler);
  gp_json_text(json, "plugin_options", facts->plugin_options);
  gp_report_builds(json);
  gp_json_unsigned(json, "warmup", facts->warmup);
  gp_json_text(json, "filter", facts->filter);
  write_ways(json, facts);
  gp_json_object(json, "overhead");
  gp_json_unsigned(json, "launches_ns", facts->launches_ns);
  write_ratio(json, facts, aggregate);
  gp_report_overhead(json, facts, aggregate);
  gp_json_close_object(json);
  gp_json_close_object(json);
}

static void write_conventions(struct gp_json *json) {
  gp_json_object(json, "conventions");
  gp_json_unsigned(json, "fma_flops", 2);
  gp_json_unsigned(json, "accumulate_flops", 1);
  gp_json_text(json, "special_functions", "separate");
  gp_json_text(json, "integer_tensor", "separate");
  gp_json_text(json, "bytes", "requested");
  gp_json_text(json, "peaks", "dense");
  gp_json_real(json, "latency_below_percent", GP_LATENCY_PERCENT);
  gp_json_real(json, "bound_from_percent", GP_BOUND_PERCENT);
  gp_json_close_object(json);
}

static void write_device(struct gp_json *json, const struct gp_report_facts *facts) {
  const struct gp_device_info *device = facts->device;
  gp_json_object(json, "device");
  gp_json_text(json, "kind", device ? device->kind : NULL);
  gp_json_text(json, "name", device ? device->name : NULL);
  gp_json_text(json, "chip", facts->chip ? facts->chip->id : NULL);
  if (!device) {
    static const char *const keys[] = {"index", "uuid", "sm_count", "clock_hz"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      gp_json_null(json, keys[i]);
  } else {
    gp_json_signed(json, "index", device->index);
    gp_json_text(json, "uuid", device->uuid[0] ? device->uuid : NULL);
    gp_json_unsigned(json, "sm_count", device->sm_count);
    gp_json_unsigned(json, "clock_hz", device->clock_hz);
  }
  gp_json_close_object(json);
}

/* ---- Rows ---- */

/* Data common to all rows. */
struct shared {
  struct gp_sites sites;
  struct gp_line_files files;
  const struct gp_ceilings *ceilings;
  struct gp_json_defaults *defaults; /* null without memory: rows are then complete */
  struct gp_multiprocessors multiprocessors;
  int of_site;                       /* the current object is a site, not a row */
};

/* Left out if the distribution repeats the total, as for one launch. */
static void unless_total(struct gp_json *json, const char *key, const struct gp_times *time, int known, uint64_t value) {
  if (known && value != time->total)
    gp_json_unsigned(json, key, value);
  else if (!known && time->timed)
    gp_json_null(json, key);
}

static void write_time(struct gp_json *json, const struct gp_row *row) {
  const struct gp_times *time = &row->time;
  static const char *const sources[] = {
      [GP_TIME_NONE] = NULL, [GP_TIME_CUPTI] = "cupti", [GP_TIME_EVENT] = "event", [GP_TIME_CPU] = "cpu"};
  gp_json_object(json, "time_ns");
  if (time->timed)
    gp_json_unsigned(json, "total", time->total);
  else
    gp_json_null(json, "total");
  const struct gp_distribution **parts = calloc(time->part_count + 1, sizeof *parts);
  uint64_t least = UINT64_MAX, most = 0;
  for (size_t i = 0; parts && i < time->part_count; i++) {
    parts[i] = &time->parts[i];
    least = parts[i]->minimum < least ? parts[i]->minimum : least;
    most = parts[i]->maximum > most ? parts[i]->maximum : most;
  }
  const int known = parts && time->timed && time->part_count && !row->partial;
  static const double wanted[] = {0.5, 0.95};
  uint64_t quantiles[] = {0, 0};
  if (known)
    gp_distributions_quantiles(parts, time->part_count, wanted, quantiles, 2);
  unless_total(json, "min", time, known, least);
  unless_total(json, "median", time, known, quantiles[0]);
  unless_total(json, "p95", time, known, quantiles[1]);
  unless_total(json, "max", time, known, most);
  free(parts);
  gp_json_text(json, "source", time->timed ? sources[time->source] : NULL);
  gp_json_close_object(json);
}

/* The members of the groups from `first` up to `end`, exclusive (null: the last), in the order of
 * cost_classes.inc. As FLOPs if `flops` is 1 (integer tensor operations as operations). Null if unknown. */
static void write_groups(struct gp_json *json, const struct gp_totals *totals, int known, const char *first,
                         const char *end, int flops) {
  const char *group = NULL;
  for (unsigned i = 0; i < GP_COST_COUNT; i++) {
    const struct gp_cost_class *class = &gp_cost_classes[i];
    if (!group && !gp_cost_is_of(class, first))
      continue;
    if (group && end && class->group != group && gp_cost_is_of(class, end))
      break;
    if (!group || !gp_cost_is_of(class, group)) {
      if (group)
        gp_json_close_object(json);
      gp_json_object(json, class->group);
    }
    group = class->group;
    count_or_null(json, class->key, totals->amount[i] * (flops && class->flops ? class->flops : 1), known);
  }
  gp_json_close_object(json);
}

static int unique_known(const struct gp_row *row) {
  return (!row->in_kernel || row->whole_kernel) && row->unique_launches == row->launches && gp_row_is_counted(row);
}

/* All but the bytes. */
static void write_operations(struct gp_json *json, const struct gp_totals *totals, int known) {
  gp_json_object(json, "flops");
  count_or_null(json, "total", gp_totals_flops(totals), known);
  write_groups(json, totals, known, "fp64", "count", 1);
  gp_json_close_object(json);
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    if (gp_cost_is_of(&gp_cost_classes[i], "count"))
      count_or_null(json, gp_cost_classes[i].key, totals->amount[i], known);
}

static void write_counts(struct gp_json *json, const struct gp_row *row) {
  const int known = gp_row_is_counted(row);
  write_operations(json, &row->totals, known);
  write_groups(json, &row->totals, known, "integer_least", "expansion", 0);
  gp_json_object(json, "bytes");
  write_groups(json, &row->totals, known, "global", "lanes", 0);
  count_or_null(json, "unique", row->unique_bytes, unique_known(row));
  gp_report_moved_bytes(json, row);
  gp_json_close_object(json);
}

static int requests_known(const struct gp_row *row) {
  return (!row->in_kernel || row->whole_kernel) && row->launches && row->request_launches == row->launches;
}

static void write_coalescing(struct gp_json *json, const struct gp_row *row) {
  const int known = requests_known(row);
  gp_json_object(json, "coalescing");
  if (known) {
    gp_json_unsigned(json, "requests", row->requests);
    gp_json_unsigned(json, "sectors", row->request_sectors);
  } else {
    gp_json_null(json, "requests");
    gp_json_null(json, "sectors");
  }
  rounded_or_null(json, "sectors_per_request",
               known ? (double)row->request_sectors / (double)row->requests : GP_UNKNOWN);
  gp_json_close_object(json);
}

/* Time on a GPU of all launches. If the time of a few is missing, they are assumed to last as long as the
 * others. Meaningless if the work of some launches is missing. */
static double gpu_time(const struct gp_row *row) {
  const struct gp_times *time = &row->time;
  if (!time->timed || row->uncounted_launches || time->source == GP_TIME_CPU || 2 * time->timed < row->launches)
    return GP_UNKNOWN;
  return (double)time->total * (double)row->launches / (double)time->timed;
}

static int accumulates(const struct gp_totals *totals) {
  return totals->amount[GP_COST_fp64_accumulate] || totals->amount[GP_COST_fp32_accumulate] ||
         totals->amount[GP_COST_fp16_accumulate] || totals->amount[GP_COST_bf16_accumulate];
}

static void remark_time(const struct gp_row *row) {
  if (row->time.timed < row->launches)
    gp_remark(row->path,
              "%llu of %llu launches have no time: the percentage takes the mean of the others for them",
              (unsigned long long)(row->launches - row->time.timed), (unsigned long long)row->launches);
}

static void remark_placement(const struct gp_row *row, const struct gp_placement *p) {
  if (accumulates(&row->totals))
    gp_remark("roofline", "accumulates, the additions of atomics, are FLOPs of attained_per_second and of intensity, but "
                          "bounded by no ceiling of cores: L2 executes those in global memory");
  if (p->without_ceiling & 1u << GP_BY_L2)
    gp_remark("model_times_ns.l2",
              "null: no ceiling of L2 is known for this chip, so that L2 bytes bound nothing");
  for (unsigned i = 0; i < GP_BY_LATENCY; i++)
    if (i != GP_BY_L2 && p->without_ceiling & 1u << i)
      gp_remark(row->path,
                "the chip's ceiling is not known for all of its %s work, so that its roof may be lower",
                gp_resource_names[i]);
  if (p->without_mma_sync)
    gp_remark("ceilings.flops", "no rate of mma.sync is known for this chip: its products stand under the ceiling of a faster "
                                "instruction of the tensor cores, so that their roof may be lower; 'gpuprof peaks' measures it");
  if (p->bound == GP_BY_NOTHING && p->without_dram && p->attainable != GP_UNKNOWN)
    gp_remark("roofline.bound",
              "null where DRAM bytes are not known and no known resource fills %g %% of the measured "
              "time: DRAM may be what limits; attainable_per_second and percent are of the largest "
              "known roof, so that the true percentage is that or more",
              GP_BOUND_PERCENT);
  if (p->status == GP_ROOF_ABOVE)
    gp_remark(row->path,
              "it is above its roof: a ceiling or the measured time is wrong, so this is no result");
}

static void write_placement(struct gp_json *json, const struct shared *shared, const struct gp_row *row) {
  struct gp_work work = {.totals = row->totals,
                         .l1_bytes = gp_hardware_value(row, GP_HARDWARE_l1),
                         .sector_bytes = requests_known(row) ? GP_SECTOR_BYTES * (double)row->request_sectors : GP_UNKNOWN,
                         .l2_bytes = gp_hardware_value(row, GP_HARDWARE_l2),
                         .dram_bytes = gp_hardware_dram(row),
                         .unique_bytes = unique_known(row) ? (double)row->unique_bytes : GP_UNKNOWN,
                         .gpu_ns = gpu_time(row)};
  struct gp_placement p;
  if (work.gpu_ns != GP_UNKNOWN && !shared->of_site)
    remark_time(row);
  gp_roofline_place(&work, shared->ceilings, &p);
  const int whole = !row->uncounted_launches; /* otherwise the missing part would move the point */
  if (!whole)
    gp_roofline_forget(&p);
  else if (!shared->of_site)
    remark_placement(row, &p);
  int measured = work.dram_bytes != GP_UNKNOWN;
  double flops = whole ? (double)gp_totals_flops(&row->totals) : GP_UNKNOWN;
  double dram = gp_roofline_intensity(flops, measured ? work.dram_bytes : work.unique_bytes);
  gp_json_object(json, "intensity");
  rounded_or_null(json, "requested",
               gp_roofline_intensity(flops, (double)gp_totals_group(&row->totals, "global")));
  const double l1 = gp_roofline_intensity(flops, work.l1_bytes >= 0 ? work.l1_bytes : work.sector_bytes);
  rounded_or_null(json, "l1", l1);
  gp_json_text(json, "l1_source", l1 == GP_UNKNOWN ? NULL : work.l1_bytes >= 0 ? "hardware" : "sectors");
  rounded_or_null(json, "l2", gp_roofline_intensity(flops, work.l2_bytes));
  rounded_or_null(json, "dram", dram);
  gp_json_text(json, "dram_source", dram == GP_UNKNOWN ? NULL : measured ? "hardware" : "unique");
  gp_json_close_object(json);
  gp_json_object(json, "roofline");
  gp_json_text(json, "bound", gp_resource_names[p.bound]);
  gp_json_object(json, "model_times_ns");
  for (int i = 0; i < GP_BY_LATENCY; i++)
    rounded_or_null(json, gp_resource_names[i], p.model_ns[i]);
  gp_json_close_object(json);
  rounded_or_null(json, "attained_per_second", p.attained);
  rounded_or_null(json, "attainable_per_second", p.attainable);
  rounded_or_null(json, "percent", p.percent);
  gp_json_text(json, "status", gp_roof_status_names[p.status]);
  gp_json_close_object(json);
}

/* The work stated by the program, against all executed work. */
static void write_expected(struct gp_json *json, const struct gp_row *row) {
  double flops = (double)gp_totals_flops(&row->totals);
  gp_json_object(json, "expected");
  real_if_positive(json, "flops", row->expected_flops);
  real_if_positive(json, "bytes", row->expected_bytes);
  real_if_positive(json, "items", row->expected_items);
  rounded_or_null(json, "executed_over_expected",
               row->expected_flops > 0 && !row->uncounted_launches ? flops / row->expected_flops : GP_UNKNOWN);
  gp_json_close_object(json);
}

/* ---- Spikes, own counters, steps ---- */

static const char *const spike_keys[] = {"spikes_positive", "spikes_negative", "silent", "firing_rate"};

/* As members, or without keys as items. */
static void write_spikes(struct gp_json *json, const struct gp_values *values, const char *const *keys) {
  uint64_t all = 0;
  for (unsigned i = 0; i < GP_SPIKES; i++) {
    all += values->spikes[i];
    count_or_null(json, keys ? keys[i] : NULL, values->spikes[i], values->has_spikes);
  }
  real_or_null(json, keys ? keys[GP_SPIKES] : NULL,
               all ? (double)(all - values->spikes[GP_SPIKE_NONE]) / (double)all : GP_UNKNOWN);
}

static void write_user_counters(struct gp_json *json, const char *key, const struct gp_values *values) {
  gp_json_object(json, key);
  for (size_t i = 0; i < values->counter_count; i++)
    gp_json_signed(json, values->counters[i].name, values->counters[i].value);
  gp_json_close_object(json);
}

static void write_items(struct gp_json *json, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    gp_json_text(json, NULL, names[i]);
}

static void write_names(struct gp_json *json, const char *key, const char *const *names, size_t count) {
  gp_json_array(json, key);
  write_items(json, names, count);
  gp_json_close_array(json);
}

/* A step is an array in this order; items omitted at its end have the values given here. */
static void write_step_columns(struct gp_json *json) {
  static const char *const columns[] = {"step",   "flops",       "bytes",        "spikes_positive", "spikes_negative",
                                        "silent", "firing_rate", "user_counters"};
  gp_json_object(json, "per_step");
  gp_json_array(json, "columns");
  write_items(json, columns, sizeof columns / sizeof *columns);
  gp_report_synapse_columns(json);
  gp_json_close_array(json);
  gp_json_array(json, "defaults");
  gp_json_null(json, NULL);
  gp_json_unsigned(json, NULL, 0);
  gp_json_unsigned(json, NULL, 0);
  for (unsigned i = 0; i < GP_SPIKES + 1; i++)
    gp_json_null(json, NULL);
  gp_json_object(json, NULL);
  gp_json_close_object(json);
  gp_report_no_synapses(json);
  gp_json_close_array(json);
  gp_json_close_object(json);
}

static void write_step(struct gp_json *json, const struct gp_step *step) {
  const struct gp_values *values = &step->values;
  gp_json_array(json, NULL);
  if (step->number == GP_OTHER_STEPS)
    gp_json_null(json, NULL);
  else
    gp_json_signed(json, NULL, step->number);
  gp_json_unsigned(json, NULL, step->flops);
  gp_json_unsigned(json, NULL, step->bytes);
  if (values->has_spikes || values->counter_count || values->synapses.known)
    write_spikes(json, values, NULL);
  if (values->counter_count || values->synapses.known)
    write_user_counters(json, NULL, values);
  if (values->synapses.known)
    gp_report_synapse_items(json, &values->synapses);
  gp_json_close_array(json);
}

static void write_snn(struct gp_json *json, const struct gp_row *row) {
  gp_json_object(json, "snn");
  write_spikes(json, &row->values, spike_keys);
  gp_report_synapse_members(json, &row->values.synapses);
  gp_synapses_remark(row);
  gp_json_array(json, "per_step");
  for (size_t i = 0; i < row->step_count; i++)
    write_step(json, &row->steps[i]);
  gp_json_close_array(json);
  gp_json_close_object(json);
}

/* ---- Lines ---- */

/* A line is an array in this order; zeros at its end are omitted. */
#define LINE_NUMBERS 8
static void write_line_columns(struct gp_json *json) {
  static const char *const columns[LINE_NUMBERS] = {"line",  "executions",   "integer_ops",       "bytes",
                                                    "flops", "shared_bytes", "special_functions", "file"};
  gp_json_object(json, "lines");
  write_names(json, "columns", columns, LINE_NUMBERS);
  gp_json_array(json, "defaults");
  for (unsigned i = 0; i < LINE_NUMBERS; i++)
    gp_json_unsigned(json, NULL, 0);
  gp_json_close_array(json);
  gp_json_close_object(json);
}

static void write_line(struct gp_json *json, struct shared *shared, const struct gp_line *line) {
  const long file = gp_line_file_number(&shared->files, line->file);
  const uint64_t numbers[LINE_NUMBERS] = {line->line,         line->executions,        line->integer_ops,        line->bytes, line->flops,
                                          line->shared_bytes, line->special_functions, file < 0 ? 0 : (uint64_t)file};
  size_t count = file < 0 ? LINE_NUMBERS - 1 : LINE_NUMBERS;
  while (file >= 0 && count > 1 && !numbers[count - 1])
    count--;
  gp_json_array(json, NULL);
  for (size_t i = 0; i < count; i++)
    gp_json_unsigned(json, NULL, numbers[i]);
  if (file < 0)
    gp_json_text(json, NULL, line->file);
  gp_json_close_array(json);
}

static void write_tail(struct gp_json *json, struct shared *shared, const struct gp_row *row) {
  write_user_counters(json, "user_counters", &row->values);
  gp_report_row_memory(json, row);
  if (row->copies)
    gp_report_copies(json, row->copies);
  gp_report_occupancy(json, &shared->multiprocessors, row);
  gp_report_row_energy(json, row);
  gp_report_hardware(json, row);
  gp_json_array(json, "lines");
  for (size_t i = 0; i < row->line_count; i++)
    write_line(json, shared, &row->lines[i]);
  gp_json_close_array(json);
}

static const char *counted_by(const struct gp_row *row) {
  static const char *const ways[] = {[1u << GP_CLONE_NONE] = "in_kernel",
                                     [1u << GP_CLONE_FREE] = "clone_free",
                                     [1u << GP_CLONE_LIGHT] = "clone_light"};
  return row->counted_by < sizeof ways / sizeof *ways && ways[row->counted_by] ? ways[row->counted_by]
         : row->counted_by                                                     ? "several"
                                                                               : NULL;
}

static void write_left_out(struct gp_json *json, const struct gp_row *row) {
  gp_json_object(json, "left_out");
  gp_json_unsigned(json, "executions", row->left_out_executions);
  gp_json_unsigned(json, "launches", row->left_out_launches);
  gp_json_close_object(json);
}

/* Counts of each N-th launch stand for all. */
static void write_estimate(struct gp_json *json, const struct gp_row *row) {
  gp_json_object(json, "estimate");
  gp_json_unsigned(json, "counted_launches", row->launches - row->plain_launches);
  gp_json_close_object(json);
}

/* A row's path mostly consists of the names around it and its own. */
static int path_follows(const struct gp_row *row) {
  const char *around = row->parent && row->parent->path ? row->parent->path : "";
  const size_t length = strlen(around);
  if (!length)
    return !strcmp(row->path, row->name);
  return !strncmp(row->path, around, length) && row->path[length] == '/' && !strcmp(row->path + length + 1, row->name);
}

static void write_identity(struct gp_json *json, const struct gp_row_site *site, const struct gp_row *row) {
  gp_json_text(json, "name", row->name);
  gp_report_site(json, site, row);
  if (!path_follows(row))
    gp_json_text(json, "path", row->path);
}

/* Members left out by a row if equal in the enclosing row, and written otherwise even if equal to a
 * default. */
static const char *const inherited[] = {"phase", "category", "launches", "threads"};

static void unless_inherited(struct gp_json *json, const struct shared *shared, const char *key, uint64_t value,
                             const struct gp_row *around, uint64_t value_around) {
  const int has_row_around = around && around->path;
  if (shared->of_site || (has_row_around && value == value_around))
    return;
  gp_json_keep(json, has_row_around);
  gp_json_unsigned(json, key, value);
  gp_json_keep(json, 0);
}

static void write_members(struct gp_json *json, struct shared *shared, const struct gp_row *row) {
  const struct gp_row *around = row->parent;
  gp_json_text(json, "mangled", row->mangled);
  count_or_null(json, "executions", row->executions, row->has_executions);
  unless_inherited(json, shared, "launches", row->launches, around, around ? around->launches : 0);
  gp_json_unsigned(json, "uncounted_launches", row->uncounted_launches);
  unless_inherited(json, shared, "threads", row->threads, around, around ? around->threads : 0);
  gp_json_text(json, "counted_by", counted_by(row));
  if (row->left_out_executions || row->left_out_launches)
    write_left_out(json, row);
  if (row->plain_launches && !shared->of_site)
    write_estimate(json, row);
  write_time(json, row);
  gp_report_host_time(json, row);
  write_counts(json, row);
  write_coalescing(json, row);
  write_placement(json, shared, row);
  write_expected(json, row);
  write_snn(json, row);
  write_tail(json, shared, row);
}

static void write_rows(struct gp_json *json, const char *key, struct shared *shared, const struct gp_row *parent) {
  gp_json_array(json, key);
  for (const struct gp_row *row = parent->children; row; row = row->next) {
    if (!row->shown)
      continue;
    const struct gp_row_site *site = gp_report_find_site(&shared->sites, row);
    gp_json_compact(json, 0); /* a line a row */
    gp_json_sparse_object(json, NULL, gp_site_defaults(site, shared->defaults));
    gp_json_compact(json, 1);
    write_identity(json, site, row);
    write_members(json, shared, row);
    write_rows(json, "children", shared, row);
    gp_json_close_object(json);
  }
  gp_json_close_array(json);
}

/* The members of a row without any execution, as a part of a kernel: the kind with the fewest known
 * values. */
static void write_defaults(struct gp_json *json, struct shared *shared) {
  static const struct gp_row nothing = {.kind = "device", .in_kernel = 1};
  gp_json_object_of_defaults(json, "defaults", shared->defaults);
  gp_json_compact(json, 1);
  gp_json_null(json, "phase");
  gp_json_null(json, "category");
  write_members(json, shared, &nothing);
  gp_json_array(json, "children");
  gp_json_close_array(json);
  gp_json_close_object(json);
  gp_json_compact(json, 0);
}

static void write_site_members(struct gp_json *json, void *closure, const struct gp_row *row) {
  struct shared *shared = closure;
  shared->of_site = 1;
  write_members(json, shared, row);
  shared->of_site = 0;
}

/* Instructions for reading rows. */
static void write_reading(struct gp_json *json, struct shared *shared, const struct gp_aggregate *aggregate) {
  gp_json_object(json, "rows");
  write_defaults(json, shared);
  gp_json_compact(json, 1);
  write_names(json, "inherited", inherited, sizeof inherited / sizeof *inherited);
  write_step_columns(json);
  write_line_columns(json);
  gp_report_files(json, &shared->files, aggregate);
  gp_json_compact(json, 0);
  gp_report_sites(json, &shared->sites, aggregate, shared->defaults, write_site_members, shared);
  gp_json_close_object(json);
}

static void write_devices(struct gp_json *json, const struct gp_aggregate *aggregate) {
  gp_json_array(json, "devices");
  for (unsigned i = 0; i < GP_DEVICES; i++) {
    const struct gp_device_sum *device = &aggregate->devices[i];
    if (!device->launches)
      continue;
    gp_json_object(json, NULL);
    gp_json_unsigned(json, "index", i);
    gp_json_unsigned(json, "launches", device->launches);
    gp_json_unsigned(json, "threads", device->threads);
    write_operations(json, &device->totals, 1);
    gp_json_object(json, "bytes");
    write_groups(json, &device->totals, 1, "global", "lanes", 0);
    gp_json_close_object(json);
    gp_json_close_object(json);
  }
  gp_json_close_array(json);
}

/* ---- End of the document ---- */

static void write_end(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate) {
  gp_report_memory(json, facts->how != NULL, facts->asks_device);
  gp_report_copies(json, aggregate->regions.copies);
  gp_report_timeline(json);
  gp_report_remark_copies(aggregate->regions.copies);
}

/* The rows, after the instructions for reading them. Without memory for defaults rows are complete. */
static void write_all_rows(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate,
                           const struct gp_ceilings *ceilings) {
  struct shared shared = {.ceilings = ceilings,
                          .multiprocessors = gp_multiprocessors_of(facts->device, facts->chip),
                          .defaults = malloc(sizeof *shared.defaults)};
  write_reading(json, &shared, aggregate);
  write_rows(json, "regions", &shared, &aggregate->regions);
  gp_json_compact(json, 0);
  write_rows(json, "kernels", &shared, &aggregate->kernels);
  gp_json_compact(json, 0);
  gp_sites_free(&shared.sites);
  gp_line_files_free(&shared.files);
  free(shared.defaults);
}

int gp_report_json(FILE *stream, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate) {
  struct gp_ceilings ceilings = {0};
  if (facts->chip)
    gp_chip_ceilings(facts->chip, &ceilings);
  gp_measured_peaks_apply(&ceilings, facts->device, facts->chip);
  struct gp_json writer, *json = &writer;
  gp_json_begin(json, stream);
  gp_json_object(json, NULL);
  gp_json_text(json, "schema", "gpuprof.roofline");
  gp_json_unsigned(json, "version", 2);
  write_context(json, facts, aggregate);
  write_conventions(json);
  write_device(json, facts);
  write_devices(json, aggregate);
  gp_report_host(json, aggregate);
  gp_report_ceilings(json, &ceilings);
  gp_report_energy(json);
  gp_report_communication(json, facts->duration_ns);
  write_all_rows(json, facts, aggregate, &ceilings);
  write_end(json, facts, aggregate);
  gp_report_tell_trace(aggregate, &ceilings);
  gp_report_uncounted(json, aggregate);
  gp_report_notes(json, facts, aggregate, ratio_unknown(facts, aggregate));
  gp_json_close_object(json);
  return gp_json_end(json);
}
