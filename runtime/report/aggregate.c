// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/aggregate.h"

#include "base/demangle.h"
#include "base/log.h"
#include "base/settings.h"
#include "clones/clones.h"
#include "core/counters.h"
#include "core/kernels.h"
#include "core/time_steps.h"
#include "core/warmup.h"
#include "report/reading.h"
#include "report/report_synapses.h"
#include "report/rows.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct builder {
  struct gp_aggregate *aggregate;
  uint64_t record; /* number of the current record */
  struct gp_row *here; /* row of the current context */
  struct gp_warmup warmup; /* the decision for this context */
  const regex_t *filter; /* null: everything */
  int torn;              /* counts are of several moments */
  struct gp_reading *reading;
  struct gp_scratch *memory;
  /* Terms of this kernel's sheet with lines, in the order of lines. Many records in sequence belong to one
   * kernel. */
  const struct gp_sheet_kernel *lines_of;
  const struct gp_sheet_term **line_terms;
  size_t line_term_count;
  /* Of the current record: */
  const struct gp_record_reading *read;
  uint64_t uncounted; /* of its launches */
};

static int passes(const struct builder *b, const char *path) {
  return !b->filter || (path && !regexec(b->filter, path, 0, NULL, 0));
}

/* ---- Kernels ---- */

static struct gp_row *kernel_row(struct builder *b, const struct gp_kernel *kernel) {
  struct gp_row *row = gp_row_child(&b->aggregate->kernels, kernel->name);
  if (!row || row->mangled)
    return row;
  row->mangled = kernel->name;
  row->kind = "kernel";
  row->in_kernel = row->whole_kernel = 1;
  row->demangled = gp_demangle(kernel->name);
  if (row->demangled) {
    const size_t bytes = strlen(row->demangled) + 1;
    char *path = gp_scratch_grow(b->memory, row->demangled, bytes, bytes);
    if (!path)
      return NULL;
    row->path = path;
    row->name = row->demangled;
  }
  return row;
}

/* ---- Uncounted instructions and launches ---- */

static int add_uncounted(struct builder *b, struct gp_uncounted entry) {
  return gp_uncounted_add_code(&b->reading->uncounted, b->aggregate, entry);
}

/* In the region of the current context. */
static int add_uncounted_launches(struct builder *b, const char *kernel, const char *why, uint64_t launches) {
  return gp_uncounted_add_launches(b->aggregate, kernel, why, b->here->path ? b->here->path : "", launches);
}

/* Stores the number of the record's launches missing in its counts. */
static int find_uncounted(struct builder *b) {
  const struct gp_record *record = &b->read->record;
  size_t count;
  const struct uncounted_of *of = gp_uncounted_launches_of(&b->reading->uncounted, b->read->original, &count);
  b->uncounted = 0;
  for (size_t i = 0; i < count; i++) {
    b->uncounted += of[i].launches;
    if (add_uncounted_launches(b, of[i].kind->kernel, of[i].kind->why, of[i].launches))
      return -1;
  }
  const char *why = "the kernel that counts them did not run to its end";
  uint64_t lost = b->read->lost;
  if (b->read->error) {
    why = "what they counted could not be read from the device";
    lost = record->launches > b->uncounted ? record->launches - b->uncounted : 0;
  }
  b->uncounted += lost;
  return lost ? add_uncounted_launches(b, record->kernel->name, why, lost) : 0;
}

/* Launches without a record: only the names of their kernels are known. */
static int add_unknown_launches(struct builder *b, const struct gp_context *context) {
  size_t count;
  const struct uncounted_of *of = gp_uncounted_launches_of(&b->reading->uncounted, context, &count);
  for (size_t i = 0; i < count; i++) {
    const struct gp_uncounted_launches *kind = of[i].kind;
    if (b->warmup.left_out) {
      b->here->left_out_launches += of[i].launches;
      continue;
    }
    b->here->launches += of[i].launches;
    b->here->uncounted_launches += of[i].launches;
    if (add_uncounted_launches(b, kind->kernel, kind->why, of[i].launches))
      return -1;
  }
  return 0;
}

/* ---- One instance of one kernel in one context ---- */

struct contribution {
  struct builder *builder;
  const struct gp_record *record;
  size_t copy; /* of the record's kernel */
  const struct gp_sheet *sheet;
  const struct gp_sheet_kernel *kernel;
  const uint64_t *counts;
  struct gp_row *around;     /* of the sheet's outermost regions */
  struct gp_row *kernel_row; /* null: a warm-up, excluded from all kernels' totals */
  uint64_t step_id;          /* of the kernel's first region with steps */
  struct gp_row **regions;   /* rows of the sheet's regions, made on demand */
  struct gp_derived_synapses *derived; /* in regions with the clause synapse */
  size_t derived_count;
  int with_launches;         /* launches, times and unique bytes still have to be added to the region rows */
};

static void add_requests(struct gp_row *row, const struct gp_record *record) {
  row->requests += record->requests;
  row->request_sectors += record->request_sectors;
  row->request_launches += record->request_launches;
}

static struct gp_row *region_row(struct contribution *c, uint32_t region) {
  if (region == GP_NONE)
    return c->around;
  if (c->regions[region])
    return c->regions[region];
  const struct gp_sheet_region *facts = &c->sheet->regions[region];
  struct gp_row *around = region_row(c, facts->parent);
  struct gp_row *row = around ? gp_row_child(around, facts->description.name) : NULL;
  if (!row)
    return NULL;
  gp_row_describe(row, &facts->description);
  row->in_kernel = 1;
  row->whole_kernel = facts->parent == GP_NONE && !strcmp(row->kind, "kernel");
  c->regions[region] = row;
  if (!c->with_launches || row->latest_record == c->builder->record)
    return row;
  row->latest_record = c->builder->record; /* otherwise each chain of calls to it would add the launches */
  row->launches += c->record->launches;
  row->uncounted_launches += c->builder->uncounted;
  row->threads += c->record->threads;
  if (!row->whole_kernel)
    return row;
  row->executions += c->record->launches;
  row->has_executions = 1;
  row->unique_bytes += c->record->unique_bytes;
  row->unique_launches += c->record->unique_launches;
  add_requests(row, c->record);
  gp_hardware_add_to(&row->hardware, c->record->hardware);
  gp_row_add_time(row, c->record->time.total, c->record->time.count, c->record->source);
  return gp_row_add_part(row, &c->record->time) ? NULL : row;
}

static int add_amount(struct gp_row *row, const struct gp_sheet_term *term, const char *file, uint64_t amount) {
  row->totals.amount[term->cost] += amount;
  if (!file)
    return 0;
  const struct gp_line line = {.file = file,
                               .line = term->line,
                               .flops = amount * gp_cost_classes[term->cost].flops,
                               .bytes = gp_cost_adds_to(term->cost, "global") ? amount : 0,
                               .shared_bytes = gp_cost_adds_to(term->cost, "shared") ? amount : 0,
                               .special_functions = term->cost == GP_COST_special ? amount : 0,
                               .integer_ops = term->cost == GP_COST_integer ? amount : 0,
                               .vague_bytes = gp_lanes_are_vague(term->cost) ? amount : 0};
  return gp_row_add_line(row, &line);
}

/* ---- Executions of lines ---- */

static int by_line(const void *a, const void *b) {
  const struct gp_sheet_term *x = *(const struct gp_sheet_term *const *)a, *y = *(const struct gp_sheet_term *const *)b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  return (x->region > y->region) - (x->region < y->region);
}

static int add_executions(struct contribution *c, struct gp_row *row, const struct gp_sheet_term *term,
                          uint64_t executions) {
  const struct gp_line line = {
      .file = c->sheet->files[term->file], .line = term->line, .executions = executions};
  return row && executions ? gp_row_add_line(row, &line) : 0;
}

/* `terms` sorted by line, and within a line by region. */
static int add_sorted_lines(struct contribution *c, const struct gp_sheet_term **terms, size_t count) {
  uint64_t in_region = 0, in_kernel = 0;
  for (size_t i = 0; i < count; i++) {
    const struct gp_sheet_term *term = terms[i], *next = i + 1 < count ? terms[i + 1] : NULL;
    uint64_t executions = c->counts[term->group];
    in_region = executions > in_region ? executions : in_region;
    in_kernel = executions > in_kernel ? executions : in_kernel;
    int line_ends = !next || next->file != term->file || next->line != term->line;
    if (line_ends || next->region != term->region) {
      if (add_executions(c, region_row(c, term->region), term, in_region))
        return -1;
      in_region = 0;
    }
    if (line_ends) {
      if (add_executions(c, c->kernel_row, term, in_kernel))
        return -1;
      in_kernel = 0;
    }
  }
  return 0;
}

static int sort_terms(struct builder *b, const struct gp_sheet_kernel *kernel) {
  if (b->lines_of == kernel)
    return 0;
  const struct gp_sheet_term **terms = gp_scratch_get(b->memory, kernel->term_count * sizeof *terms);
  if (!terms)
    return -1;
  size_t count = 0;
  for (size_t i = 0; i < kernel->term_count; i++)
    if (kernel->terms[i].file != GP_NONE)
      terms[count++] = &kernel->terms[i];
  if (count)
    qsort(terms, count, sizeof *terms, by_line);
  b->lines_of = kernel;
  b->line_terms = terms;
  b->line_term_count = count;
  return 0;
}

static int add_line_executions(struct contribution *c) {
  struct builder *b = c->builder;
  return sort_terms(b, c->kernel) ? -1 : add_sorted_lines(c, b->line_terms, b->line_term_count);
}

static int add_terms(struct contribution *c) {
  for (size_t i = 0; i < c->kernel->term_count; i++) {
    const struct gp_sheet_term *term = &c->kernel->terms[i];
    const char *file = term->file == GP_NONE ? NULL : c->sheet->files[term->file];
    uint64_t amount = c->counts[term->group] * term->amount;
    struct gp_row *row = region_row(c, term->region);
    if (!row || (amount && add_amount(row, term, file, amount)) ||
        (amount && c->kernel_row && add_amount(c->kernel_row, term, file, amount)))
      return -1;
  }
  for (size_t i = 0; i < c->kernel->uncounted_count; i++) {
    const struct gp_sheet_uncounted *u = &c->kernel->uncounted[i];
    const char *file = u->file == GP_NONE ? NULL : c->sheet->files[u->file];
    if (c->counts[u->group == GP_NONE ? 0 : u->group] &&
        add_uncounted(c->builder, (struct gp_uncounted){.what = u->what, .why = u->why, .file = file, .line = u->line}))
      return -1;
  }
  return 0;
}

/* ---- Regions without counts ---- */

static int is_empty(const struct gp_sheet_kernel *kernel, uint32_t region) {
  for (size_t i = 0; i < kernel->empty_count; i++)
    if (kernel->empty[i].region == region)
      return 1;
  return 0;
}

/* The name of the innermost region around an empty one with counts. */
static const char *around_empty(struct contribution *c, uint32_t region) {
  do
    region = c->sheet->regions[region].parent;
  while (region != GP_NONE && is_empty(c->kernel, region));
  const struct gp_row *row = region == GP_NONE ? NULL : region_row(c, region);
  return row ? row->path : "the kernel";
}

static void remark_empty(struct contribution *c, const struct gp_row *row, const struct gp_sheet_empty *empty) {
  switch (empty->left) {
  case GP_EMPTY_REMOVED:
    gp_remark(row->path,
              "the optimiser left its kernel no instruction that is this region's alone: its work was folded, or is part "
              "of instructions that count for '%s'",
              around_empty(c, empty->region));
    break;
  case GP_EMPTY_FUSED:
    gp_remark(row->path, "its products are part of fused multiply-adds, which count for the region of the sum");
    break;
  case GP_EMPTY_FREE:
    gp_remark(row->path, "it has no instruction that counts as work (docs/costs.md)");
    break;
  case GP_EMPTY_UNCOUNTED:
    gp_remark(row->path, "its work is not counted: see uncounted");
    break;
  }
}

static int add_empty_regions(struct contribution *c) {
  for (size_t i = 0; i < c->kernel->empty_count; i++) {
    const struct gp_row *row = region_row(c, c->kernel->empty[i].region);
    if (!row)
      return -1;
    remark_empty(c, row, &c->kernel->empty[i]);
  }
  return 0;
}

/* ---- Own counters, spikes and steps ---- */

static int is_within(const struct gp_sheet *sheet, uint32_t region, uint32_t around) {
  while (region != around && region != GP_NONE)
    region = sheet->regions[region].parent;
  return region == around;
}

static int add_value(struct gp_scratch *memory, struct gp_values *to, const struct gp_sheet_value *value, uint64_t count) {
  if (value->kind == GP_VALUE_COUNT)
    return gp_values_count(memory, to, value->name, (int64_t)count);
  if (value->kind == GP_VALUE_SYNAPSE) {
    gp_synapses_add_sum(&to->synapses, value->sum, count);
    return 0;
  }
  to->spikes[value->kind - GP_VALUE_SPIKE_POSITIVE] += count;
  to->has_spikes = 1;
  return 0;
}

static int states_synapses(const struct contribution *c, uint32_t region) {
  for (size_t i = 0; i < c->kernel->value_count; i++)
    if (c->kernel->values[i].kind == GP_VALUE_SYNAPSE && c->kernel->values[i].region == region)
      return 1;
  return 0;
}

/* The innermost region with a directive or the clause decides. */
static int derives_synapses(const struct contribution *c, uint32_t region) {
  for (; region != GP_NONE; region = c->sheet->regions[region].parent)
    if (states_synapses(c, region) || c->sheet->regions[region].description.synapse)
      return !states_synapses(c, region);
  return !states_synapses(c, GP_NONE) && c->around->derives_synapses;
}

static int may_derive_synapses(const struct contribution *c) {
  int may = c->around->derives_synapses;
  for (size_t i = 0; i < c->sheet->region_count; i++)
    may |= c->sheet->regions[i].description.synapse;
  return may;
}

static int add_derived_synapses(struct contribution *c, const struct gp_derived_synapses *derived) {
  const uint64_t executions = c->counts[derived->group];
  struct gp_row *row = region_row(c, derived->region);
  if (!row)
    return -1;
  gp_synapses_add_derived(&row->values.synapses, derived, executions);
  if (c->kernel_row)
    gp_synapses_add_derived(&c->kernel_row->values.synapses, derived, executions);
  return 0;
}

static int derive_synapses(struct contribution *c) {
  size_t count;
  if (!may_derive_synapses(c))
    return 0;
  if (!(c->derived = gp_synapses_derive(c->kernel, &count)))
    return -1;
  for (size_t i = 0; i < count; i++)
    if (derives_synapses(c, c->derived[i].region)) {
      if (add_derived_synapses(c, &c->derived[i]))
        return -1;
      c->derived[c->derived_count++] = c->derived[i];
    }
  return 0;
}

static int add_values(struct contribution *c) {
  for (size_t i = 0; i < c->kernel->value_count; i++) {
    const struct gp_sheet_value *value = &c->kernel->values[i];
    struct gp_row *row = region_row(c, value->region);
    if (!row || add_value(row->memory, &row->values, value, c->counts[value->group]) ||
        (c->kernel_row && add_value(row->memory, &c->kernel_row->values, value, c->counts[value->group])))
      return -1;
  }
  return 0;
}

/* Adds the work of one step of region `stepped` to a row of this region or of the kernel. */
static int add_step(struct contribution *c, struct gp_row *row, uint32_t stepped, int64_t number,
                    const uint64_t *counts) {
  struct gp_step *step = gp_row_step(row, number);
  if (!step)
    return -1;
  for (size_t i = 0; i < c->kernel->term_count; i++) {
    const struct gp_sheet_term *term = &c->kernel->terms[i];
    if (!is_within(c->sheet, term->region, stepped))
      continue;
    uint64_t amount = counts[term->group] * term->amount;
    step->flops += amount * gp_cost_classes[term->cost].flops;
    step->bytes += gp_cost_adds_to(term->cost, "global") ? amount : 0;
  }
  for (size_t i = 0; i < c->kernel->value_count; i++) {
    const struct gp_sheet_value *value = &c->kernel->values[i];
    if (is_within(c->sheet, value->region, stepped) && add_value(row->memory, &step->values, value, counts[value->group]))
      return -1;
  }
  for (size_t i = 0; i < c->derived_count; i++)
    if (is_within(c->sheet, c->derived[i].region, stepped))
      gp_synapses_add_derived(&step->values.synapses, &c->derived[i], counts[c->derived[i].group]);
  return 0;
}

/* True if a group of the region counted anything. */
static int did_something(const struct contribution *c, uint32_t stepped, const uint64_t *counts) {
  for (size_t i = 0; i < c->kernel->term_count; i++)
    if (counts[c->kernel->terms[i].group] && is_within(c->sheet, c->kernel->terms[i].region, stepped))
      return 1;
  for (size_t i = 0; i < c->kernel->value_count; i++)
    if (counts[c->kernel->values[i].group] && is_within(c->sheet, c->kernel->values[i].region, stepped))
      return 1;
  return 0;
}

/* A kernel is divided by its outermost regions with steps. */
static int is_outermost(const struct contribution *c, uint32_t stepped) {
  for (size_t i = 0; i < c->kernel->stepped_count; i++)
    if (c->kernel->stepped[i] != stepped && is_within(c->sheet, stepped, c->kernel->stepped[i]))
      return 0;
  return 1;
}

static int add_step_of(struct contribution *c, struct gp_row *row, uint32_t stepped, int64_t number,
                       const uint64_t *counts) {
  if (!did_something(c, stepped, counts))
    return 0;
  if (number == GP_OTHER_STEPS)
    gp_remark(
        row->path,
        "steps for whose numbers there was no room stand together in per_step, as that without a number: "
        "GPUPROF_STEPS=N makes room for more in one launch");
  int result = add_step(c, row, stepped, number, counts);
  if (!result && c->kernel_row && is_outermost(c, stepped))
    result = add_step(c, c->kernel_row, stepped, number, counts);
  return result;
}

/* `counts` has room for the counts of one step. */
static int add_level(struct contribution *c, size_t level, uint64_t *counts) {
  const uint32_t stepped = c->kernel->stepped[level];
  struct gp_row *row = region_row(c, stepped);
  if (!row || add_step_of(c, row, stepped, GP_OTHER_STEPS, c->counts + (1 + level) * c->kernel->groups))
    return -1;
  size_t lines = 0;
  const struct gp_step_line *line =
      c->step_id ? gp_time_steps_of(&c->builder->reading->steps, c->step_id + level, &lines) : NULL;
  for (size_t i = 0, next; i < lines; i = next) {
    memset(counts, 0, c->kernel->groups * sizeof *counts);
    for (next = i; next < lines && line[next].step == line[i].step; next++)
      for (uint32_t place = 0; place < GPUPROF_STEP_LINE; place++)
        if (line[next].line * GPUPROF_STEP_LINE + place < c->kernel->groups)
          counts[line[next].line * GPUPROF_STEP_LINE + place] += line[next].counts[place];
    if (add_step_of(c, row, stepped, line[i].step, counts))
      return -1;
  }
  return 0;
}

static int add_steps(struct contribution *c) {
  if (!c->kernel->stepped_count)
    return 0;
  uint64_t *counts = gp_scratch_get(c->builder->memory, c->kernel->groups * sizeof *counts);
  int result = counts ? 0 : -1;
  for (size_t level = 0; level < c->kernel->stepped_count && !result; level++)
    result = add_level(c, level, counts);
  return result;
}

static void tell_unread(const struct gp_record *record, int error) {
  gp_log(GP_WARN, record->kernel->name, "its counts are missing, since they could not be read from the device: %s",
         gp_device()->error_text(error));
}

static int add_calls(struct contribution *caller, const struct gp_callee *callee);

static int add_all(struct contribution *c, const struct gp_callee *callee) {
  return add_terms(c) || derive_synapses(c) || add_empty_regions(c) || add_line_executions(c) || add_values(c) ||
         add_steps(c) || add_calls(c, callee);
}

static int add_contribution(struct contribution *c, const struct gp_callee *callee) {
  c->derived = NULL; /* a callee's contribution begins as a copy of its caller's */
  c->derived_count = 0;
  const int failed = add_all(c, callee);
  free(c->derived);
  return failed ? -1 : 0;
}

static struct gp_row **rows_of_regions(struct contribution *c) {
  return c->regions = gp_scratch_get(c->builder->memory, (c->sheet->region_count + 1) * sizeof *c->regions);
}

static int add_callee(struct contribution *caller, const struct gp_callee_reading *read) {
  const struct gp_callee *callee = read->callee;
  const struct gp_sheet_call *call = &caller->kernel->calls[callee->call];
  if (!callee->at.unit)
    return add_uncounted(caller->builder,
                         (struct gp_uncounted){.what = call->name,
                                               .why = "its file was compiled without the gpuprof plugin, or lies in a library "
                                                      "before the files that call it"});
  struct contribution c = *caller;
  c.sheet = callee->at.unit->sheet;
  c.kernel = gp_copy_sheet(&callee->at);
  c.around = region_row(caller, call->region);
  c.step_id = callee->step_id;
  c.counts = read->counts;
  if (!rows_of_regions(&c) || !c.around)
    return -1;
  if (read->error)
    tell_unread(c.record, read->error);
  return add_contribution(&c, callee); /* even without a thread in it: its regions keep their rows */
}

/* Adds the work of functions of other units reached by the contribution's calls. */
static int add_calls(struct contribution *caller, const struct gp_callee *from) {
  for (const struct gp_callee_reading *read = caller->builder->read->callees; read && read->callee; read++)
    if (read->callee->copy == caller->copy && read->callee->caller == from && add_callee(caller, read))
      return -1;
  return 0;
}

/* The ways of counting the instance, bit k for enum gp_clone_kind k. Counters of a cloned kernel belong to
 * its instrumented twin, run where the clone could not count. */
static unsigned ways_of(const struct gp_record *record, size_t index) {
  const enum gp_clone_kind kind = gp_copy_sheet(&record->kernel->copies[index])->clone.kind;
  const int in_kernel = record->counters[index] || record->saved[index];
  return (in_kernel ? 1u << GP_CLONE_NONE : 0) | (record->tallies || !in_kernel ? 1u << kind : 0);
}

/* Stores the number of threads counted by the instance. */
static int add_copy(struct builder *b, const struct gp_record *record, size_t index, struct gp_row *kernel,
                    int with_launches, uint64_t *threads) {
  const struct gp_kernel_copy *copy = &record->kernel->copies[index];
  struct contribution c = {.builder = b,
                           .record = record,
                           .copy = index,
                           .sheet = copy->unit->sheet,
                           .kernel = gp_copy_sheet(copy),
                           .around = b->here,
                           .kernel_row = kernel,
                           .counts = b->read->counts[index],
                           .step_id = record->step_ids[index],
                           .with_launches = with_launches};
  const uint64_t *counts = c.counts;
  int result = rows_of_regions(&c) ? 0 : -1;
  *threads = counts[0];
  /* Instances without a run would only add empty rows beside those of the one run. */
  if (!result && (counts[0] || record->kernel->copy_count == 1))
    result = add_contribution(&c, NULL);
  if (!result && kernel && !kernel->file && c.kernel->file != GP_NONE) {
    kernel->file = c.sheet->files[c.kernel->file];
    kernel->line = c.kernel->line;
  }
  if (!result && kernel && counts[0])
    kernel->counted_by |= ways_of(record, index);
  return result;
}

/* ---- One kernel in one context ---- */

/* If launches are known to be missing, this has been reported. */
static void check_threads(const struct builder *b, const struct gp_record *record, uint64_t counted) {
  if (!record->kernel->copy_count || b->uncounted || counted == record->threads)
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

static int add_own(const struct builder *b, struct gp_row *row, const struct gp_record *record) {
  row->launches += record->launches;
  row->threads += record->threads;
  row->uncounted_launches += b->uncounted;
  row->unique_bytes += record->unique_bytes;
  row->unique_launches += record->unique_launches;
  add_requests(row, record);
  gp_hardware_add_to(&row->hardware, record->hardware);
  gp_row_add_time(row, record->time.total, record->time.count, record->source);
  return 0;
}

/* The kernel's row had these totals before the record was added. */
static void add_to_device(struct builder *b, const struct gp_record *record, const struct gp_row *kernel,
                          const struct gp_totals *before) {
  struct gp_device_sum *device = &b->aggregate->devices[record->device];
  device->launches += record->launches;
  device->threads += record->threads;
  for (unsigned i = 0; i < GP_COST_COUNT; i++)
    device->totals.amount[i] += kernel->totals.amount[i] - before->amount[i];
}

static int add_record(struct builder *b) {
  const struct gp_record *record = &b->read->record;
  struct gp_row *kernel = NULL;
  struct gp_totals before = {0};
  b->record++;
  if (!b->here->warmup) {
    kernel = kernel_row(b, record->kernel);
    if (!kernel || add_own(b, kernel, record) || gp_row_add_part(kernel, &record->time))
      return -1;
    before = kernel->totals;
    kernel->executions = kernel->launches;
    kernel->has_executions = 1;
    kernel->shown |= passes(b, kernel->path) || passes(b, b->here->path);
  }
  if (add_own(b, b->here, record))
    return -1;
  uint64_t counted = 0;
  for (size_t i = 0; i < record->kernel->copy_count; i++) {
    uint64_t threads;
    if (add_copy(b, record, i, kernel, !counted, &threads))
      return -1;
    counted += threads;
  }
  if (kernel)
    add_to_device(b, record, kernel, &before);
  check_threads(b, record, counted);
  return 0;
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

static int is_left_out(const struct builder *b) { return b->warmup.left_out || (!b->warmup.decided && b->read->early); }

static int add_counted(struct builder *b, struct gp_record_reading *read) {
  if (read->error)
    tell_unread(&read->record, read->error);
  return gp_reading_samples(b->reading, read) || find_uncounted(b) || add_record(b) ? -1 : 0;
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
  struct gp_record_reading **all = gp_scratch_get(b->memory, context->record_count * sizeof *all);
  for (size_t i = 0; all && i < context->record_count; i++)
    all[i] = &b->reading->records[context->first_record + i];
  if (all && context->record_count > 1)
    qsort(all, context->record_count, sizeof *all, by_first_launch);
  return all;
}

static int add_records(struct builder *b, const struct gp_context_reading *context) {
  struct gp_record_reading **all = records_in(b, context);
  int result = all ? 0 : -1;
  for (size_t i = 0; i < context->record_count && !result; i++) {
    b->read = all[i];
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

static int describe_context(struct builder *b, struct gp_row *row, const struct gp_context_reading *read) {
  const struct gp_site *site = read->context->site;
  gp_row_describe(row, &site->description);
  row->executions += read->executions;
  row->has_executions = 1;
  row->is_step = site->is_step;
  row->step = site->step;
  if (!read->values)
    return 0;
  return gp_reading_value_samples(b->reading, read) || add_context_values(row, read->values) ? -1 : 0;
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
  const struct gp_context_reading *read = &b->reading->contexts[number];
  const struct gp_site *site = read->context->site;
  const struct gp_warmup warmup_around = b->warmup;
  struct gp_row *row = around;
  b->warmup = read->warmup;
  if (site) {
    row = gp_row_child(around, site->description.name);
    if (add_site(b, read, row, warmup_around))
      return -1;
  }
  b->here = row;
  if (add_records(b, read) || add_unknown_launches(b, read->context))
    return -1;
  for (size_t child = number + 1; child < read->end; child = b->reading->contexts[child].end)
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

static int make_rows(struct builder *b) {
  struct gp_aggregate *a = b->aggregate;
  const int error = b->reading->step_error;
  if (error)
    gp_log(GP_WARN, "", "steps of kernels are missing, since they could not be read: %s",
           error < 0 ? "memory is exhausted" : gp_device()->error_text(error));
  return add_context(b, 0, &a->regions) || gp_rows_add_up(&a->regions) || gp_rows_filter(&a->regions, b->filter) ? -1 : 0;
}

int gp_aggregate_add_up(struct gp_aggregate *a, int torn) {
  const char *filter = gp_settings()->filter;
  regex_t expression;
  const int filtered = filter && !regcomp(&expression, filter, REG_EXTENDED | REG_NOSUB);
  struct builder b = {
      .aggregate = a, .filter = filtered ? &expression : NULL, .torn = torn, .reading = a->reading, .memory = &a->memory};
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
