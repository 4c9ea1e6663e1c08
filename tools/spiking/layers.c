// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spiking/layers.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 32

/* ---- Counts ---- */

/* Known where both are, or where nothing was added before. */
static void add_strictly(struct count *to, struct count from, bool first) {
  if (first)
    *to = from;
  else if (to->known && from.known)
    *to = count_sum(*to, from);
  else
    *to = (struct count){0};
}

static void add_number(struct number *to, struct number from) {
  to->known |= from.known;
  to->value += from.known ? from.value : 0;
}

/* Possible operations are known if they are known of all executed work. */
static void add_possible(struct layer_counts *to, const struct layer_counts *from) {
  if (from->operations.known)
    add_strictly(&to->possible, from->possible, !to->operations.known);
}

static void add_counts(struct layer_counts *to, const struct layer_counts *from, bool first) {
  add_strictly(&to->executions, from->executions, first);
  add_strictly(&to->launches, from->launches, first);
  add_strictly(&to->time_ns, from->time_ns, first);
  add_strictly(&to->flops, from->flops, first);
  add_strictly(&to->asked, from->asked, first);
  add_strictly(&to->unique, from->unique, first);
  add_strictly(&to->requests, from->requests, first);
  add_strictly(&to->sectors, from->sectors, first);
  to->positive = count_sum(to->positive, from->positive);
  to->negative = count_sum(to->negative, from->negative);
  to->silent = count_sum(to->silent, from->silent);
  add_possible(to, from);
  to->operations = count_sum(to->operations, from->operations);
  to->accumulates = count_sum(to->accumulates, from->accumulates);
  to->multiplies = count_sum(to->multiplies, from->multiplies);
  add_number(&to->items, from->items);
  add_number(&to->joules, from->joules);
  to->on_gpu = (first || to->on_gpu) && from->on_gpu;
  if (first) {
    to->firing_rate = from->firing_rate;
    to->density = from->density;
  }
}

static struct number ratio(struct count part, struct count whole, struct number stated) {
  if (!part.known || !whole.known)
    return stated;
  return (struct number){whole.value > 0, whole.value ? (double)part.value / (double)whole.value : 0};
}

/* Values derived from sums. */
static void finish_counts(struct layer_counts *counts) {
  const struct count spikes = layer_spikes(counts);
  const struct count values = counts->silent.known ? count_sum(spikes, counts->silent) : (struct count){0};
  counts->firing_rate = ratio(spikes, values, counts->firing_rate);
  counts->density = ratio(counts->operations, counts->possible, counts->density);
  counts->skipped.known = counts->operations.known && counts->possible.known &&
                          counts->possible.value >= counts->operations.value;
  counts->skipped.value = counts->skipped.known ? counts->possible.value - counts->operations.value : 0;
}

struct count layer_spikes(const struct layer_counts *counts) {
  return count_sum(counts->positive, counts->negative);
}

struct count layer_moved_bytes(const struct layer_counts *counts) {
  struct count bytes = counts->sectors;
  bytes.known = bytes.known && counts->requests.value &&
                !__builtin_mul_overflow(bytes.value, (uint64_t)SECTOR_BYTES, &bytes.value);
  return bytes;
}

struct number layer_items_per_second(const struct layer_counts *counts) {
  if (!counts->items.known || !counts->on_gpu || !counts->time_ns.known || !counts->time_ns.value)
    return (struct number){0};
  return (struct number){true, counts->items.value * 1e9 / (double)counts->time_ns.value};
}

static bool is_gpu_time(const char *source) { return !strcmp(source, "cupti") || !strcmp(source, "event"); }

struct layer_counts layer_counts_of(const struct entry *entry) {
  const char *source = entry_string(entry, STRING_TIME_SOURCE);
  struct layer_counts counts = {.executions = entry_count(entry, COUNT_EXECUTIONS),
                                .launches = entry_count(entry, COUNT_LAUNCHES),
                                .time_ns = *source ? entry_count(entry, COUNT_TIME) : (struct count){0},
                                .flops = entry_count(entry, COUNT_FLOPS),
                                .asked = entry_requested_bytes(entry),
                                .unique = entry_count(entry, COUNT_UNIQUE),
                                .requests = entry_count(entry, COUNT_REQUESTS),
                                .sectors = entry_count(entry, COUNT_SECTORS),
                                .positive = entry_count(entry, COUNT_SPIKES_POSITIVE),
                                .negative = entry_count(entry, COUNT_SPIKES_NEGATIVE),
                                .silent = entry_count(entry, COUNT_SILENT),
                                .operations = entry_count(entry, COUNT_SYNAPTIC_OPS),
                                .accumulates = entry_count(entry, COUNT_SYNAPTIC_ACCUMULATES),
                                .multiplies = entry_count(entry, COUNT_SYNAPTIC_MULTIPLY_ACCUMULATES),
                                .possible = entry_count(entry, COUNT_SYNAPTIC_POSSIBLE),
                                .firing_rate = entry_number(entry, NUMBER_FIRING_RATE),
                                .density = entry_number(entry, NUMBER_SYNAPTIC_DENSITY),
                                .items = entry_number(entry, NUMBER_ITEMS),
                                .joules = entry_number(entry, NUMBER_JOULES),
                                .on_gpu = is_gpu_time(source)};
  return counts;
}

/* ---- Steps ---- */

/* Where the members of a step stand in a document. */
struct step_paths {
  struct json_path number, flops, bytes, positive, negative, silent, rate, operations, accumulates,
      multiplies, possible, density;
};

static struct step_paths step_paths_of(const struct json_tree *tree) {
  return (struct step_paths){.number = json_path_of(tree, "step"),
                             .flops = json_path_of(tree, "flops"),
                             .bytes = json_path_of(tree, "bytes"),
                             .positive = json_path_of(tree, "spikes_positive"),
                             .negative = json_path_of(tree, "spikes_negative"),
                             .silent = json_path_of(tree, "silent"),
                             .rate = json_path_of(tree, "firing_rate"),
                             .operations = json_path_of(tree, "synaptic_ops"),
                             .accumulates = json_path_of(tree, "synaptic_accumulates"),
                             .multiplies = json_path_of(tree, "synaptic_multiply_accumulates"),
                             .possible = json_path_of(tree, "synaptic_possible"),
                             .density = json_path_of(tree, "synaptic_density")};
}

static struct layer_step step_of(const struct json *step, const struct step_paths *paths) {
  return (struct layer_step){.number = value_of(json_at(step, &paths->number)),
                             .counts = {.flops = count_of(json_at(step, &paths->flops)),
                                        .asked = count_of(json_at(step, &paths->bytes)),
                                        .positive = count_of(json_at(step, &paths->positive)),
                                        .negative = count_of(json_at(step, &paths->negative)),
                                        .silent = count_of(json_at(step, &paths->silent)),
                                        .firing_rate = number_of(json_at(step, &paths->rate)),
                                        .operations = count_of(json_at(step, &paths->operations)),
                                        .accumulates = count_of(json_at(step, &paths->accumulates)),
                                        .multiplies = count_of(json_at(step, &paths->multiplies)),
                                        .possible = count_of(json_at(step, &paths->possible)),
                                        .density = number_of(json_at(step, &paths->density))}};
}

static int compare_numbers(struct value a, struct value b) {
  if (value_is_number(a) != value_is_number(b))
    return value_is_number(a) ? -1 : 1; /* others stand last */
  if (value_equal(a, b))
    return 0;
  return value_gap(a, b) > 0 ? -1 : 1;
}

static int by_number(const void *first, const void *second) {
  return compare_numbers(((const struct layer_step *)first)->number,
                         ((const struct layer_step *)second)->number);
}

static void append_step(struct layer *layer, size_t *capacity, struct layer_step step) {
  if (layer->step_count == *capacity) {
    *capacity = *capacity ? 2 * *capacity : 8;
    layer->steps = reallocate(layer->steps, *capacity * sizeof *layer->steps);
  }
  layer->steps[layer->step_count++] = step;
}

/* Adds up steps of one number, from several rows. */
static void join_steps(struct layer *layer) {
  size_t kept = 0;
  if (layer->step_count > 1)
    qsort(layer->steps, layer->step_count, sizeof *layer->steps, by_number);
  for (size_t i = 0; i < layer->step_count; ++i) {
    if (kept && !compare_numbers(layer->steps[kept - 1].number, layer->steps[i].number))
      add_counts(&layer->steps[kept - 1].counts, &layer->steps[i].counts, false);
    else
      layer->steps[kept++] = layer->steps[i];
  }
  layer->step_count = kept;
  for (size_t i = 0; i < kept; ++i)
    finish_counts(&layer->steps[i].counts);
}

/* ---- Rows ---- */

/* A region made by gpuprof for a step of the host: it has no place in a file. */
static bool is_host_step(const struct entry *entry, struct value *number) {
  static const char prefix[] = "step_";
  char *end;
  if (entry->is_kernel || strncmp(entry->name, prefix, sizeof prefix - 1) ||
      *entry_string(entry, STRING_FILE) || strcmp(entry_string(entry, STRING_KIND), "host"))
    return false;
  const char *digits = entry->name + sizeof prefix - 1;
  const bool negative = *digits == '-';
  const unsigned long long magnitude = strtoull(digits + negative, &end, 10);
  if (end == digits + negative || *end)
    return false;
  *number = (struct value){VALUE_WHOLE, negative && magnitude, magnitude,
                           negative ? -(double)magnitude : (double)magnitude};
  return true;
}

static bool is_spiking(const struct entry *entry) {
  return entry_count(entry, COUNT_SPIKES_POSITIVE).known || entry_count(entry, COUNT_SPIKES_NEGATIVE).known ||
         entry_number(entry, NUMBER_FIRING_RATE).known || entry_count(entry, COUNT_SYNAPTIC_OPS).known;
}

/* The region around an entry, or null. */
static const struct entry *around(const struct entry *entries, const struct entry *entry) {
  return entry->parent_index == SIZE_MAX ? NULL : &entries[entry->parent_index];
}

/* Adds the path without steps of the host. Regions are at most a few dozen deep. */
static void add_path(struct text *path, const struct entry *entries, const struct entry *entry) {
  const struct entry *chain[64];
  size_t length = 0;
  struct value step;
  for (const struct entry *at = entry; at && length < sizeof chain / sizeof *chain; at = around(entries, at))
    if (!is_host_step(at, &step))
      chain[length++] = at;
  while (length) {
    text_add(path, path->length ? "/" : "");
    text_plain(path, chain[--length]->name);
  }
}

/* The host's step of an entry: the innermost one. */
static struct value step_around(const struct entry *entries, const struct entry *entry) {
  struct value step = {.kind = VALUE_ABSENT};
  for (const struct entry *at = around(entries, entry); at; at = around(entries, at))
    if (is_host_step(at, &step))
      return step;
  return step;
}

/* A row and its layer. */
struct layer_row {
  char *path;
  size_t index; /* of its entry */
};

static int by_path(const void *first, const void *second) {
  const struct layer_row *a = first, *b = second;
  const int paths = strcmp(a->path, b->path);
  return paths ? paths : (a->index > b->index) - (a->index < b->index);
}

static void add_steps(struct layer *layer, size_t *capacity, const struct entry *entries,
                      const struct entry *entry, const struct layer_counts *counts,
                      const struct step_paths *paths) {
  const struct json *steps = entry_part(entry, PART_STEPS);
  const struct value outer = step_around(entries, entry);
  JSON_EACH(step, steps)
  append_step(layer, capacity, step_of(step, paths));
  if (!json_count(steps) && outer.kind != VALUE_ABSENT)
    append_step(layer, capacity, (struct layer_step){outer, *counts});
}

/* A layer of rows with one path. */
static struct layer make_layer(const struct entry *entries, const struct layer_row *rows, size_t count,
                               const struct step_paths *paths) {
  struct layer layer = {.entry = &entries[rows->index], .path = rows->path, .parent = NO_LAYER};
  size_t capacity = 0;
  layer.title = entry_title(layer.entry);
  for (size_t i = 0; i < count; ++i) {
    const struct entry *entry = &entries[rows[i].index];
    const struct layer_counts counts = layer_counts_of(entry);
    add_counts(&layer.counts, &counts, !i);
    add_steps(&layer, &capacity, entries, entry, &counts, paths);
    if (i)
      free(rows[i].path);
  }
  join_steps(&layer);
  finish_counts(&layer.counts);
  return layer;
}

/* ---- The tree ---- */

static int by_layer_path(const void *first, const void *second) {
  return strcmp(((const struct layer *)first)->path, ((const struct layer *)second)->path);
}

/* The nearest enclosing region that is a layer, too. Layers are sorted by path. */
static size_t find_parent(const struct layers *layers, const struct entry *entries,
                          const struct layer *layer) {
  struct value step;
  for (const struct entry *at = around(entries, layer->entry); at; at = around(entries, at)) {
    struct text path = {0};
    if (is_host_step(at, &step))
      continue;
    add_path(&path, entries, at);
    const struct layer wanted = {.path = (char *)text_get(&path)};
    const struct layer *found =
        bsearch(&wanted, layers->items, layers->count, sizeof *layers->items, by_layer_path);
    text_free(&path);
    if (found)
      return (size_t)(found - layers->items);
  }
  return NO_LAYER;
}

static int by_first_row(const void *first, const void *second) {
  const struct layer *a = *(const struct layer *const *)first, *b = *(const struct layer *const *)second;
  return (a->entry > b->entry) - (a->entry < b->entry);
}

/* Children in the order of their first rows, as lists. */
struct family {
  size_t *first, *next, *place; /* place: where a layer comes to stand */
};

/* Puts each layer behind its parent, and children behind their elder siblings and the content of those.
 */
static void arrange(struct layers *layers) {
  const size_t count = layers->count, bytes = (count + 1) * sizeof(size_t);
  struct family family = {allocate(bytes), allocate(bytes), allocate(bytes)};
  const struct layer **order = allocate((count + 1) * sizeof *order);
  struct layer *arranged = allocate((count + 1) * sizeof *arranged);
  for (size_t i = 0; i <= count; ++i)
    family.first[i] = family.next[i] = NO_LAYER;
  for (size_t i = 0; i < count; ++i)
    order[i] = &layers->items[i];
  if (count > 1)
    qsort(order, count, sizeof *order, by_first_row);
  for (size_t i = count; i-- > 0;) { /* the last one first: lists grow at their head */
    const size_t layer = (size_t)(order[i] - layers->items),
                 parent = order[i]->parent == NO_LAYER ? count : order[i]->parent;
    layers->items[layer].last = family.first[parent] == NO_LAYER;
    family.next[layer] = family.first[parent];
    family.first[parent] = layer;
  }
  size_t placed = 0;
  for (size_t at = family.first[count]; at != NO_LAYER;) {
    struct layer *layer = &layers->items[at];
    layer->depth = layer->parent == NO_LAYER ? 0 : layers->items[layer->parent].depth + 1;
    family.place[at] = placed++;
    size_t next = family.first[at];
    for (size_t up = at; next == NO_LAYER && up != NO_LAYER; up = layers->items[up].parent)
      next = family.next[up];
    at = next;
  }
  for (size_t i = 0; i < count; ++i) {
    struct layer *layer = &arranged[family.place[i]];
    *layer = layers->items[i];
    layer->parent = layer->parent == NO_LAYER ? NO_LAYER : family.place[layer->parent];
  }
  free(layers->items);
  layers->items = arranged;
  free(order);
  free(family.first);
  free(family.next);
  free(family.place);
}

struct layers layers_of(const struct document *document, bool kernels, enum layers_of which) {
  const struct entry *entries = kernels ? document->kernels : document->regions;
  const size_t entry_count = kernels ? document->kernel_count : document->region_count;
  const struct step_paths paths = step_paths_of(&document->tree);
  struct layer_row *rows = NULL;
  size_t row_count = 0, capacity = 0;
  struct layers layers = {0};
  struct value step;
  for (size_t i = 0; i < entry_count; ++i) {
    if ((which == LAYERS_SPIKING && !is_spiking(&entries[i])) || is_host_step(&entries[i], &step))
      continue;
    if (row_count == capacity) {
      capacity = capacity ? 2 * capacity : 64;
      rows = reallocate(rows, capacity * sizeof *rows);
    }
    struct text path = {0};
    add_path(&path, entries, &entries[i]);
    rows[row_count++] = (struct layer_row){path.data ? path.data : copy_string(""), i};
  }
  if (row_count > 1)
    qsort(rows, row_count, sizeof *rows, by_path);
  layers.items = allocate((row_count + 1) * sizeof *layers.items);
  for (size_t i = 0, end; i < row_count; i = end) {
    for (end = i + 1; end < row_count && !strcmp(rows[i].path, rows[end].path);)
      ++end;
    layers.items[layers.count++] = make_layer(entries, &rows[i], end - i, &paths);
  }
  free(rows);
  for (size_t i = 0; i < layers.count; ++i)
    layers.items[i].parent = find_parent(&layers, entries, &layers.items[i]);
  arrange(&layers);
  return layers;
}

void layers_free(struct layers *layers) {
  for (size_t i = 0; i < layers->count; ++i) {
    free(layers->items[i].path);
    free(layers->items[i].title);
    free(layers->items[i].steps);
  }
  free(layers->items);
  *layers = (struct layers){0};
}

/* ---- Layers within layers ---- */

struct number layer_items(const struct layers *layers, size_t layer) {
  for (; layer != NO_LAYER; layer = layers->items[layer].parent)
    if (layers->items[layer].counts.items.known)
      return layers->items[layer].counts.items;
  return (struct number){0};
}

bool layer_is_in_total(const struct layers *layers, size_t layer) {
  const struct layer *own = &layers->items[layer];
  return own->parent == NO_LAYER && strcmp(entry_string(own->entry, STRING_PHASE), "warmup") != 0;
}
