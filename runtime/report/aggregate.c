// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/aggregate.h"

#include "base/demangle.h"
#include "base/device.h"
#include "base/log.h"
#include "base/settings.h"
#include "core/kernels.h"
#include "core/time_steps.h"
#include "core/warmup.h"
#include "report/contribution.h"
#include "report/reading.h"
#include "report/report_memory.h"
#include "report/report_synapses.h"
#include "report/report_timeline.h"
#include "report/rows.h"
#include "timeline/trace.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  struct gp_contributions shared;
  struct gp_row *here;     /* row of the current context */
  struct gp_warmup warmup; /* the decision for this context */
  const regex_t *filter;   /* null: everything */
  int torn;                /* counts are of several moments */
};

static int passes(const struct builder *b, const char *path) {
  return !b->filter || (path && !regexec(b->filter, path, 0, NULL, 0));
}

/* ---- Kernels ---- */

static struct gp_row *kernel_row(struct builder *b, const struct gp_kernel *kernel) {
  struct gp_row *row = gp_row_child(&b->shared.aggregate->kernels, kernel->name);
  if (!row || row->mangled)
    return row;
  row->mangled = kernel->name;
  row->kind = "kernel";
  row->in_kernel = row->whole_kernel = 1;
  row->demangled = gp_demangle(kernel->name);
  if (row->demangled) {
    const size_t bytes = strlen(row->demangled) + 1;
    char *path = gp_scratch_grow(b->shared.memory, row->demangled, bytes, bytes);
    if (!path)
      return NULL;
    row->path = path;
    row->name = row->demangled;
  }
  return row;
}

/* ---- Uncounted instructions and launches ---- */

/* In the region of the current context. */
static int add_uncounted_launches(struct builder *b, const char *kernel, const char *why, uint64_t launches) {
  return gp_uncounted_add_launches(b->shared.aggregate, kernel, why, b->here->path ? b->here->path : "", launches);
}

/* Stores the number of the record's launches missing in its counts. */
static int find_uncounted(struct builder *b) {
  const struct gp_record *record = &b->shared.read->record;
  size_t count;
  const struct uncounted_of *of = gp_uncounted_launches_of(&b->shared.reading->uncounted, b->shared.read->original, &count);
  b->shared.uncounted = 0;
  for (size_t i = 0; i < count; i++) {
    b->shared.uncounted += of[i].launches;
    if (add_uncounted_launches(b, of[i].kind->kernel, of[i].kind->why, of[i].launches))
      return -1;
  }
  const char *why = "the kernel that counts them did not run to its end";
  uint64_t lost = b->shared.read->lost;
  if (b->shared.read->error) {
    why = "what they counted could not be read from the device";
    lost = record->launches > b->shared.uncounted ? record->launches - b->shared.uncounted : 0;
  } else if (b->shared.reading->fault && !lost) {
    why = "the device stopped with an error, and they are not known to have ended before it";
    const uint64_t known = b->shared.uncounted + record->time.count;
    lost = record->launches > known ? record->launches - known : 0;
  }
  b->shared.uncounted += lost;
  return lost ? add_uncounted_launches(b, record->kernel->name, why, lost) : 0;
}

/* Launches without a record: only the names of their kernels are known. */
static int add_unknown_launches(struct builder *b, const struct gp_context *context) {
  size_t count;
  const struct uncounted_of *of = gp_uncounted_launches_of(&b->shared.reading->uncounted, context, &count);
  for (size_t i = 0; i < count; i++) {
    const struct gp_uncounted_launches *kind = of[i].kind;
    if (b->warmup.left_out) {
      b->here->left_out_launches += kind->ignored ? 0 : of[i].launches;
      continue;
    }
    if (!kind->ignored) {
      b->here->launches += of[i].launches;
      b->here->uncounted_launches += of[i].launches;
    }
    if (add_uncounted_launches(b, kind->kernel, kind->why, of[i].launches))
      return -1;
  }
  return 0;
}

/* ---- One kernel in one context ---- */

/* If launches are known to be missing, this has been reported. */
static void check_threads(const struct builder *b, const struct gp_record *record, uint64_t counted) {
  if (!b->shared.read->instance_count || b->shared.uncounted || counted == record->threads)
    return;
  if (b->torn)
    gp_remark(record->kernel->name,
              "%llu threads were counted, but the launches that had ended had %llu: other launches were still running when "
              "this was written, and what they had done by then is counted",
              (unsigned long long)counted, (unsigned long long)record->threads);
  else
    gp_remark(record->kernel->name,
              "%llu threads were counted, but its launches had %llu: some ended early, or ran in a graph",
              (unsigned long long)counted, (unsigned long long)record->threads);
}

static void add_own(const struct builder *b, struct gp_row *row, const struct gp_record *record) {
  row->launches += record->launches;
  row->threads += record->threads;
  row->uncounted_launches += b->shared.uncounted;
  row->plain_launches += record->plain_launches;
  gp_row_add_measurements(row, record);
}

/* The kernel's row had these totals before the record was added. */
static void add_to_device(struct builder *b, const struct gp_record *record, const struct gp_row *kernel,
                          const struct gp_totals *before) {
  struct gp_device_sum *device = &b->shared.aggregate->devices[record->device];
  device->launches += record->launches;
  device->threads += record->threads;
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    device->totals.amount[i] += kernel->totals.amount[i] - before->amount[i];
}

static int add_record(struct builder *b) {
  const struct gp_record *record = &b->shared.read->record;
  struct gp_row *kernel = NULL;
  struct gp_totals before = {0};
  b->shared.number++;
  if (!b->here->warmup) {
    kernel = kernel_row(b, record->kernel);
    if (!kernel)
      return -1;
    add_own(b, kernel, record);
    if (gp_row_add_part(kernel, &record->time))
      return -1;
    before = kernel->totals;
    kernel->executions = kernel->launches;
    kernel->has_executions = 1;
    kernel->shown |= passes(b, kernel->path) || passes(b, b->here->path);
  }
  add_own(b, b->here, record);
  uint64_t counted = 0;
  for (size_t i = 0; i < b->shared.read->instance_count; i++) {
    uint64_t threads;
    if (gp_contribution_add(&b->shared, i, b->here, kernel, !counted, &threads))
      return -1;
    counted += threads;
  }
  if (kernel)
    add_to_device(b, record, kernel, &before);
  check_threads(b, record, counted);
  return kernel && gp_trace_is_on() ? gp_report_keep_traced(b->shared.aggregate, b->shared.read->original, record, &kernel->totals, &before)
                                    : 0;
}

/* Marks rows shown without the executions left out by GPUPROF_WARMUP. */
static void mark_partial(struct gp_row *row) {
  for (; row; row = row->parent)
    row->partial = 1;
}

static int leave_out(struct builder *b, const struct gp_record *record) {
  struct gp_row *kernel = b->here->warmup ? NULL : kernel_row(b, record->kernel);
  if (!b->here->warmup && !kernel)
    return -1;
  b->here->left_out_launches += record->launches;
  if (kernel) {
    kernel->left_out_launches += record->launches;
    kernel->shown |= passes(b, kernel->path) || passes(b, b->here->path);
  }
  if (!b->warmup.decided)
    mark_partial(b->here);
  return 0;
}

static int is_left_out(const struct builder *b) { return b->warmup.left_out || (!b->warmup.decided && b->shared.read->early); }

static int add_counted(struct builder *b, struct gp_record_reading *read) {
  if (read->error)
    gp_reading_warn(&read->record, read->error);
  return gp_reading_samples(b->shared.reading, read) || find_uncounted(b) || add_record(b) ? -1 : 0;
}

static int by_first_launch(const void *a, const void *b) {
  const struct gp_record_reading *x = *(struct gp_record_reading *const *)a, *y = *(struct gp_record_reading *const *)b;
  const uint32_t kernel_x = x->record.kernel->number, kernel_y = y->record.kernel->number;
  if (kernel_x != kernel_y)
    return kernel_x < kernel_y ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/* Records of the context, by the first launch of their kernels; null without memory. */
static struct gp_record_reading **records_in(struct builder *b, const struct gp_context_reading *context) {
  struct gp_record_reading **all = gp_scratch_get(b->shared.memory, context->record_count * sizeof *all);
  for (size_t i = 0; all && i < context->record_count; i++)
    all[i] = &b->shared.reading->records[context->first_record + i];
  if (all && context->record_count > 1)
    qsort(all, context->record_count, sizeof *all, by_first_launch);
  return all;
}

static int add_records(struct builder *b, const struct gp_context_reading *context) {
  struct gp_record_reading **all = records_in(b, context);
  int result = all ? 0 : -1;
  for (size_t i = 0; i < context->record_count && !result; i++) {
    b->shared.read = all[i];
    result = is_left_out(b) ? leave_out(b, &all[i]->record) : add_counted(b, all[i]);
  }
  return result;
}

/* ---- Contexts ---- */

static int add_context_values(struct gp_row *row, const struct gp_context_values *values) {
  row->expected_flops += values->expected_flops;
  row->expected_bytes += values->expected_bytes;
  row->expected_items += values->expected_items;
  for (unsigned i = 0; i < GP_SPIKES; i++) {
    row->values.spikes[i] += values->spikes[i];
    row->values.has_spikes |= values->spikes[i] > 0;
  }
  gp_synapses_add(&row->values.synapses, &values->synapses);
  if (values->synapses.known) /* stated operations are not derived again */
    row->derives_synapses = 0;
  int result = 0;
  for (struct gp_user_counter *counter = values->counters; counter && !result; counter = counter->next)
    result = gp_values_count(row->memory, &row->values, counter->name, counter->value);
  return result ? result : gp_row_add_part(row, &values->time);
}

/* Windows of several contexts may be the same ones. */
static void add_energy(struct gp_energy *to, const struct gp_energy *from) {
  to->joules += from->joules;
  to->seconds += from->seconds;
  to->windows = from->windows > to->windows ? from->windows : to->windows;
}

static int describe_context(struct builder *b, struct gp_row *row, const struct gp_context_reading *read) {
  const struct gp_site *site = read->context->site;
  gp_row_describe(row, &site->description);
  row->executions += read->executions;
  row->has_executions = 1;
  add_energy(&row->energy, &read->energy);
  row->is_step = site->is_step;
  row->step = site->step;
  gp_report_add_memory(row, read->context);
  if (!read->values)
    return 0;
  return gp_reading_value_samples(b->shared.reading, read) || add_context_values(row, read->values) ? -1 : 0;
}

/* Executions of a repeating region are left out as a whole. An enclosing region runs less often and lacks
 * them. */
static void leave_out_executions(struct builder *b, struct gp_row *row, const struct gp_context_reading *read,
                                 struct gp_warmup around) {
  row->left_out_executions += read->executions;
  if (b->warmup.decided != around.decided)
    mark_partial(row->parent);
}

static int add_site(struct builder *b, const struct gp_context_reading *read, struct gp_row *row, struct gp_warmup around) {
  if (!row)
    return -1;
  if (!b->warmup.left_out)
    return describe_context(b, row, read);
  leave_out_executions(b, row, read, around);
  return 0;
}

/* That of this number in the reading. */
static int add_context(struct builder *b, size_t number, struct gp_row *around) {
  const struct gp_context_reading *read = &b->shared.reading->contexts[number];
  const struct gp_site *site = read->context->site;
  const struct gp_warmup warmup_around = b->warmup;
  struct gp_row *row = around;
  b->warmup = read->warmup;
  if (site) {
    row = gp_row_child(around, site->description.name);
    if (add_site(b, read, row, warmup_around))
      return -1;
    if (!b->warmup.left_out && !row->in_kernel)
      gp_host_add_path(&row->host, &read->host);
  }
  b->here = row;
  if (!b->warmup.left_out && gp_row_add_copies_of(row, read->context))
    return -1;
  if (add_records(b, read) || add_unknown_launches(b, read->context))
    return -1;
  for (size_t child = number + 1; child < read->end; child = b->shared.reading->contexts[child].end)
    if (add_context(b, child, row))
      return -1;
  b->warmup = warmup_around;
  return 0;
}

static void sort_kernel_lines(struct gp_row *kernels) {
  for (struct gp_row *row = kernels->children; row; row = row->next)
    gp_row_sort_lines(row);
}

struct gp_aggregate *gp_aggregate_prepare(void) {
  struct gp_aggregate *a = calloc(1, sizeof *a);
  if (!a)
    return NULL;
  a->regions.memory = a->kernels.memory = &a->memory;
  a->reading = gp_scratch_get(&a->memory, sizeof *a->reading);
  if (a->reading && !gp_reading_prepare(a->reading, &a->memory))
    return a;
  gp_aggregate_free(a);
  return NULL;
}

int gp_aggregate_read(struct gp_aggregate *a) { return gp_reading_begin(a->reading); }

static void add_up_host(struct gp_aggregate *a) {
  const struct gp_context_reading *contexts = a->reading->contexts;
  a->host_threads = gp_regions_threads();
  for (size_t i = 1; i < contexts[0].end; i++)
    a->executions += contexts[i].context->site ? contexts[i].executions : 0;
  for (size_t child = 1; child < contexts[0].end; child = contexts[child].end)
    a->regions_ns += contexts[child].host.inclusive;
}

static int make_rows(struct builder *b) {
  struct gp_aggregate *a = b->shared.aggregate;
  const int error = b->shared.reading->step_error, fault = b->shared.reading->fault;
  if (fault)
    gp_remark("device", "it stopped with '%s': launches not known to have ended before are not counted", gp_device()->error_text(fault));
  if (error)
    gp_log(GP_WARN, "", "steps of kernels are missing, since they could not be read: %s",
           error < 0 ? "memory is exhausted" : gp_device()->error_text(error));
  add_up_host(a);
  return add_context(b, 0, &a->regions) || gp_rows_add_up(&a->regions) || gp_rows_filter(&a->regions, b->filter) ? -1 : 0;
}

int gp_aggregate_add_up(struct gp_aggregate *a, int torn) {
  const char *filter = gp_settings()->filter;
  regex_t expression;
  const int filtered = filter && !regcomp(&expression, filter, REG_EXTENDED | REG_NOSUB);
  struct builder b = {.shared = {.aggregate = a, .reading = a->reading, .memory = &a->memory},
                      .filter = filtered ? &expression : NULL,
                      .torn = torn};
  const int result = make_rows(&b);
  gp_reading_end(a->reading);
  a->reading = NULL;
  if (filtered)
    regfree(&expression);
  if (!result)
    sort_kernel_lines(&a->kernels);
  return result;
}

struct gp_aggregate *gp_aggregate_make(void) {
  struct gp_aggregate *a = gp_aggregate_prepare();
  if (!a || (!gp_aggregate_read(a) && !gp_aggregate_add_up(a, 0)))
    return a;
  gp_aggregate_free(a);
  return NULL;
}

void gp_aggregate_free(struct gp_aggregate *a) {
  if (a->reading)
    gp_reading_end(a->reading);
  gp_rows_free(&a->regions);
  gp_rows_free(&a->kernels);
  for (size_t i = 0; i < a->uncounted_count; i++)
    if (a->uncounted[i].launches) {
      free((char *)(uintptr_t)a->uncounted[i].what);
      free(a->uncounted[i].path);
    }
  free(a->uncounted);
  gp_scratch_free(&a->memory);
  free(a);
}
