// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/rows.h"

#include "report/report_memory.h"
#include "report/row_shapes.h"

#include <stdlib.h>
#include <string.h>

static void *room_for_one(struct gp_scratch *memory, void *array, size_t count, size_t size) {
  if (count & (count - 1))
    return array;
  return gp_scratch_grow(memory, array, count * size, (count ? 2 * count : 1) * size);
}

/* Initial room for lines of a row. */
#define LINES_LEAST 4u

static char *join(struct gp_scratch *memory, const char *path, const char *name) {
  char *joined = gp_scratch_get(memory, strlen(path) + strlen(name) + 2);
  if (!joined)
    return NULL;
  char *end = stpcpy(joined, path);
  if (path[0])
    *end++ = '/';
  strcpy(end, name);
  return joined;
}

/* Rows with more children than this have a table of them. */
#define FEW_CHILDREN 8u

static struct gp_row *find_child(struct gp_row *parent, const char *key, uint64_t hash) {
  if (!parent->by_key) {
    struct gp_row *row = parent->children;
    while (row && strcmp(row->key, key))
      row = row->next;
    return row;
  }
  for (struct gp_link *link = gp_table_first(parent->by_key, hash); link; link = gp_table_next(link))
    if (!strcmp(GP_HOLDER(link, struct gp_row, link)->key, key))
      return GP_HOLDER(link, struct gp_row, link);
  return NULL;
}

/* Without memory the children stay a list. */
static void make_table(struct gp_row *parent) {
  parent->by_key = gp_scratch_get(parent->memory, sizeof *parent->by_key);
  for (struct gp_row *row = parent->children; parent->by_key && row; row = row->next)
    gp_table_add(parent->by_key, &row->link, gp_hash_text(row->key));
}

static void add_child_row(struct gp_row *parent, struct gp_row *row, uint64_t hash) {
  *(parent->last_child ? &parent->last_child->next : &parent->children) = row;
  parent->last_child = row;
  parent->child_count++;
  if (parent->by_key)
    gp_table_add(parent->by_key, &row->link, hash);
  else if (parent->child_count > FEW_CHILDREN)
    make_table(parent);
}

struct gp_row *gp_row_child(struct gp_row *parent, const char *key) {
  const uint64_t hash = parent->by_key ? gp_hash_text(key) : 0;
  struct gp_row *row = find_child(parent, key, hash);
  if (row)
    return row;
  row = gp_scratch_get(parent->memory, sizeof *row);
  if (!row || !(row->path = join(parent->memory, parent->path ? parent->path : "", key)))
    return NULL;
  row->memory = parent->memory;
  row->name = row->key = key;
  row->parent = parent;
  row->phase = parent->phase;
  row->category = parent->category;
  row->warmup = parent->warmup;
  row->derives_synapses = parent->derives_synapses;
  add_child_row(parent, row, hash);
  return row;
}

void gp_row_describe(struct gp_row *row, const struct gp_description *d) {
  row->derives_synapses |= d->synapse;
  if (row->kind)
    return;
  row->kind = d->kind ? d->kind : "host";
  row->file = d->file;
  row->line = d->line;
  if (d->phase)
    row->phase = d->phase;
  if (d->category)
    row->category = d->category;
  row->warmup |= d->phase && !strcmp(d->phase, "warmup");
}

/* Lines of one place are added up from time to time: their number stays close to the number of places. */
int gp_row_add_line(struct gp_row *row, const struct gp_line *line) {
  if (row->line_count >= row->line_bound) {
    gp_row_sort_lines(row);
    const size_t bound = row->line_count < LINES_LEAST / 2 ? LINES_LEAST : 2 * row->line_count;
    struct gp_line *grown = gp_scratch_grow(row->memory, row->lines, row->line_count * sizeof *grown, bound * sizeof *grown);
    if (!grown)
      return -1;
    row->lines = grown;
    row->line_bound = bound;
  }
  row->lines[row->line_count++] = *line;
  return 0;
}

/* ---- Counters by name ---- */

#define FEW_COUNTERS 16u

/* The entry in `places` for the counter of this name, present or new. A place holds the counter's number,
 * from 1. */
static uint32_t *place_of(const struct gp_values *values, const char *name) {
  size_t at = (size_t)gp_hash_text(name) & values->place_mask;
  while (values->places[at] && strcmp(values->counters[values->places[at] - 1].name, name))
    at = (at + 1) & values->place_mask;
  return &values->places[at];
}

/* At least half of the places are free. */
static int make_places(struct gp_scratch *memory, struct gp_values *values) {
  const size_t count = values->places ? 2 * (values->place_mask + 1) : 4 * FEW_COUNTERS;
  uint32_t *places = gp_scratch_get(memory, count * sizeof *places);
  if (!places)
    return -1;
  values->places = places;
  values->place_mask = count - 1;
  for (size_t i = 0; i < values->counter_count; i++)
    *place_of(values, values->counters[i].name) = (uint32_t)i + 1;
  return 0;
}

static struct gp_counter *find_counter(const struct gp_values *values, const char *name) {
  if (values->places) {
    const uint32_t *place = place_of(values, name);
    return *place ? &values->counters[*place - 1] : NULL;
  }
  for (size_t i = 0; i < values->counter_count; i++)
    if (!strcmp(values->counters[i].name, name))
      return &values->counters[i];
  return NULL;
}

int gp_values_count(struct gp_scratch *memory, struct gp_values *values, const char *name, int64_t amount) {
  struct gp_counter *known = find_counter(values, name);
  if (known) {
    known->value = (int64_t)((uint64_t)known->value + (uint64_t)amount); /* a program may count anything */
    return 0;
  }
  struct gp_counter *grown = room_for_one(memory, values->counters, values->counter_count, sizeof *grown);
  if (!grown)
    return -1;
  values->counters = grown;
  grown[values->counter_count++] = (struct gp_counter){name, amount};
  const size_t full = values->places ? (values->place_mask + 1) / 2 : FEW_COUNTERS;
  if (values->counter_count > full)
    return make_places(memory, values);
  if (values->places)
    *place_of(values, name) = (uint32_t)values->counter_count;
  return 0;
}

/* ---- Copies ---- */

static int add_copies(struct gp_row *row, const struct gp_copy_sums *copies) {
  if (!copies)
    return 0;
  if (!row->copies) {
    row->copies = gp_scratch_grow(row->memory, copies, sizeof *copies, sizeof *copies);
    return row->copies ? 0 : -1;
  }
  gp_copies_add(row->copies, copies);
  return 0;
}

int gp_row_add_copies_of(struct gp_row *row, const struct gp_context *context) {
  struct gp_copy_sums copies = {0};
  return gp_copies_of(context, &copies) ? add_copies(row, &copies) : 0;
}

static int add_values(struct gp_scratch *memory, struct gp_values *to, const struct gp_values *from) {
  for (unsigned i = 0; i < GP_SPIKES; i++)
    to->spikes[i] += from->spikes[i];
  to->has_spikes |= from->has_spikes;
  gp_synapses_add(&to->synapses, &from->synapses);
  for (size_t i = 0; i < from->counter_count; i++)
    if (gp_values_count(memory, to, from->counters[i].name, from->counters[i].value))
      return -1;
  return 0;
}

struct gp_step *gp_row_step(struct gp_row *row, int64_t number) {
  size_t at = 0, end = row->step_count;
  while (at < end) {
    size_t middle = (at + end) / 2;
    if (row->steps[middle].number < number)
      at = middle + 1;
    else
      end = middle;
  }
  if (at < row->step_count && row->steps[at].number == number)
    return &row->steps[at];
  struct gp_step *grown = room_for_one(row->memory, row->steps, row->step_count, sizeof *grown);
  if (!grown)
    return NULL;
  row->steps = grown;
  memmove(&grown[at + 1], &grown[at], (row->step_count++ - at) * sizeof *grown);
  grown[at] = (struct gp_step){.number = number};
  return &grown[at];
}

void gp_row_add_measurements(struct gp_row *row, const struct gp_record *record) {
  row->unique_bytes += record->unique_bytes;
  row->unique_launches += record->unique_launches;
  row->requests += record->requests;
  row->request_sectors += record->request_sectors;
  row->request_launches += record->request_launches;
  gp_hardware_add_to(&row->hardware, record->hardware);
  gp_row_shapes_add(&row->shapes, record->kernel, record->shapes);
  gp_row_add_time(row, record->time.total, record->time.count, record->source);
}

int gp_row_add_part(struct gp_row *row, const struct gp_distribution *part) {
  if (!part->count)
    return 0;
  struct gp_times *t = &row->time;
  struct gp_distribution *grown = room_for_one(row->memory, t->parts, t->part_count, sizeof *grown);
  if (!grown)
    return -1;
  t->parts = grown;
  grown[t->part_count++] = *part;
  return 0;
}

void gp_row_add_time(struct gp_row *row, uint64_t total, uint64_t timed, enum gp_time_source source) {
  row->time.total += total;
  row->time.timed += timed;
  if (timed && source > row->time.source)
    row->time.source = source;
}

static int by_place(const void *a, const void *b) {
  const struct gp_line *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

static void add_to_line(struct gp_line *to, const struct gp_line *from) {
  to->flops += from->flops;
  to->bytes += from->bytes;
  to->shared_bytes += from->shared_bytes;
  to->vague_bytes += from->vague_bytes;
  to->special_functions += from->special_functions;
  to->integer_ops += from->integer_ops;
  to->executions += from->executions;
}

void gp_row_sort_lines(struct gp_row *row) {
  if (!row->line_count)
    return;
  qsort(row->lines, row->line_count, sizeof *row->lines, by_place);
  size_t kept = 1;
  for (size_t i = 1; i < row->line_count; i++) {
    if (!by_place(&row->lines[kept - 1], &row->lines[i]))
      add_to_line(&row->lines[kept - 1], &row->lines[i]);
    else
      row->lines[kept++] = row->lines[i];
  }
  row->line_count = kept;
}

static void add_launches(struct gp_row *to, const struct gp_row *from) {
  to->launches += from->launches;
  to->left_out_launches += from->left_out_launches;
  to->threads += from->threads;
  to->plain_launches += from->plain_launches;
  to->uncounted_launches += from->uncounted_launches;
  to->unique_bytes += from->unique_bytes;
  to->unique_launches += from->unique_launches;
  to->requests += from->requests;
  to->request_sectors += from->request_sectors;
  to->request_launches += from->request_launches;
  gp_hardware_add_to(&to->hardware, from->hardware);
  gp_row_shapes_join(&to->shapes, from->shapes);
  gp_row_add_time(to, from->time.total, from->time.timed, from->time.source);
}

static int add_as_step(struct gp_row *to, const struct gp_row *from) {
  struct gp_step *step = gp_row_step(to, from->step);
  if (!step)
    return -1;
  step->flops += gp_totals_flops(&from->totals);
  step->bytes += gp_totals_group(&from->totals, "global");
  return add_values(to->memory, &step->values, &from->values);
}

static int add_child(struct gp_row *to, const struct gp_row *from) {
  gp_totals_add(&to->totals, &from->totals);
  if (add_copies(to, from->copies) || add_values(to->memory, &to->values, &from->values) || (from->is_step && add_as_step(to, from)))
    return -1;
  gp_report_add_child_memory(to, from);
  if (!from->in_kernel) {
    add_launches(to, from);
    gp_host_add_row(&to->host, &from->host);
  }
  return 0;
}

int gp_rows_add_up(struct gp_row *row) {
  for (struct gp_row *child = row->children; child; child = child->next)
    if (gp_rows_add_up(child) || (child->warmup <= row->warmup && add_child(row, child)))
      return -1;
  gp_row_sort_lines(row);
  return 0;
}

/* Lines belong to the innermost shown row. */
static int add_hidden_lines(struct gp_row *to, const struct gp_row *hidden) {
  for (size_t i = 0; i < hidden->line_count; i++)
    if (gp_row_add_line(to, &hidden->lines[i]))
      return -1;
  gp_row_sort_lines(to);
  return 0;
}

int gp_rows_filter(struct gp_row *row, const regex_t *filter) {
  row->shown = !filter || (row->path && !regexec(filter, row->path, 0, NULL, 0));
  for (struct gp_row *child = row->children; child; child = child->next) {
    if (gp_rows_filter(child, filter))
      return -1;
    row->shown |= child->shown;
    if (!child->shown && child->warmup <= row->warmup && add_hidden_lines(row, child))
      return -1;
  }
  return 0;
}

/* Frees data outside of the rows' own memory. */
static void free_contents(struct gp_row *row) {
  for (struct gp_row *child = row->children; child; child = child->next)
    free_contents(child);
  free(row->hardware);
  gp_row_shapes_free(row->shapes);
  if (row->by_key)
    gp_table_free(row->by_key);
  free(row->demangled);
}

void gp_rows_free(struct gp_row *root) {
  free_contents(root);
  memset(root, 0, sizeof *root);
}
