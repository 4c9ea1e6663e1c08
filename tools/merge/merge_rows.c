// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/merge_rows.h"

#include "common/text.h"
#include "reader/value.h"

#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 32

static const char *text_at(struct side side, const char *name) { return string_of(side_member(side, name).value); }

static struct side with(struct side side, const struct json *value) {
  side.value = value;
  return side;
}

/* ---- Lists whose items are matched: each item of the second list is used once ---- */

struct matcher {
  struct side list;
  bool *used;
  size_t next; /* ranks mostly agree in order */
};

typedef bool match_function(struct side a, struct side b);

static struct matcher matcher_of(struct side list) {
  bool *used = allocate(json_count(list.value) + 1);
  memset(used, 0, json_count(list.value) + 1);
  return (struct matcher){list, used, 0};
}

static struct side match(struct matcher *matcher, struct side item, match_function *matches) {
  const size_t count = json_count(matcher->list.value);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = (matcher->next + i) % count;
    const struct side other = with(matcher->list, json_item(matcher->list.value, at));
    if (matcher->used[at] || !matches(item, other))
      continue;
    matcher->used[at] = true;
    matcher->next = at + 1;
    return other;
  }
  return with(matcher->list, NULL);
}

typedef void pair_visitor(void *closure, struct side a, struct side b);

/* Each item of the first list with its match, and then what is left of the second one. */
static void each_pair(struct side a, struct side b, match_function *matches, pair_visitor *visit, void *closure) {
  struct matcher matcher = matcher_of(b);
  JSON_EACH(item, a.value)
    visit(closure, with(a, item), match(&matcher, with(a, item), matches));
  for (size_t i = 0; i < json_count(b.value); ++i)
    if (!matcher.used[i])
      visit(closure, with(a, NULL), with(b, json_item(b.value, i)));
  free(matcher.used);
}

/* ---- Lines and steps: arrays in the order of these columns ---- */

static const char *const line_columns[] = {"line",  "executions",   "integer_ops",       "bytes",
                                           "flops", "shared_bytes", "special_functions", "file"};
static const char *const step_columns[] = {"step",
                                           "flops",
                                           "bytes",
                                           "spikes_positive",
                                           "spikes_negative",
                                           "silent",
                                           "firing_rate",
                                           "user_counters",
                                           "synaptic_ops",
                                           "synaptic_accumulates",
                                           "synaptic_multiply_accumulates",
                                           "synaptic_possible",
                                           "synaptic_skipped",
                                           "synaptic_density"};
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static size_t file_number(struct line_files *files, const char *name) {
  for (size_t i = files->count; i-- > 0;)
    if (!strcmp(files->names[i], name))
      return i;
  if (files->count == files->capacity) {
    files->capacity = files->capacity ? 2 * files->capacity : 16;
    files->names = reallocate(files->names, files->capacity * sizeof *files->names);
  }
  files->names[files->count] = name;
  return files->count++;
}

static bool is_same_line(struct side a, struct side b) {
  return count_of(side_member(a, "line").value).value == count_of(side_member(b, "line").value).value &&
         !strcmp(text_at(a, "file"), text_at(b, "file"));
}

static void write_line(void *closure, struct side a, struct side b) {
  struct row_merge *merge = closure;
  const struct side known = a.value ? a : b;
  gp_json_array(merge->json, NULL);
  gp_json_unsigned(merge->json, NULL, count_of(side_member(known, "line").value).value);
  for (size_t i = 1; i + 1 < COUNT_OF(line_columns); ++i)
    merge_values(merge->json, NULL, side_member(a, line_columns[i]), side_member(b, line_columns[i]));
  gp_json_unsigned(merge->json, NULL, file_number(&merge->files, text_at(known, "file")));
  gp_json_close_array(merge->json);
}

static bool is_same_step(struct side a, struct side b) {
  return value_equal(value_of(side_member(a, "step").value), value_of(side_member(b, "step").value));
}

static struct number firing_rate(struct side a, struct side b) {
  struct number spikes = sum_at(a, b, "spikes_positive"), negative = sum_at(a, b, "spikes_negative"), all = sum_at(a, b, "silent");
  spikes.value += negative.value;
  all.value += spikes.value;
  return quotient(spikes, all);
}

static struct number synaptic_density(struct side a, struct side b) {
  return quotient(sum_at(a, b, "synaptic_ops"), sum_at(a, b, "synaptic_possible"));
}

/* These are compared to the last digit. */
static void write_exact(struct gp_json *json, const char *key, struct number number) {
  if (number.known)
    gp_json_real(json, key, number.value);
  else
    gp_json_null(json, key);
}

/* A member of `snn` or of one of its steps: where a rank knows nothing of it, it had none. */
static void write_spiking(struct gp_json *json, const char *key, const char *name, struct side a, struct side b) {
  a.idle = b.idle = true;
  if (!strcmp(name, "firing_rate"))
    write_exact(json, key, firing_rate(a, b));
  else if (!strcmp(name, "synaptic_density"))
    write_exact(json, key, synaptic_density(a, b));
  else
    merge_values(json, key, side_member(a, name), side_member(b, name));
}

static void write_step(void *closure, struct side a, struct side b) {
  struct row_merge *merge = closure;
  gp_json_array(merge->json, NULL);
  copy_value(merge->json, NULL, side_member(a.value ? a : b, "step"));
  for (size_t i = 1; i < COUNT_OF(step_columns); ++i)
    write_spiking(merge->json, NULL, step_columns[i], a, b);
  gp_json_close_array(merge->json);
}

static void write_items(struct row_merge *merge, const char *key, struct side a, struct side b, match_function *matches,
                        pair_visitor *write) {
  gp_json_array(merge->json, key);
  each_pair(a, b, matches, write, merge);
  gp_json_close_array(merge->json);
}

/* ---- Parts of rows with a rule of their own ---- */

/* Nothing is known of the times of single executions over several ranks but the least and the most. */
static const struct times {
  const char *name, *total, *last; /* members: last is written always */
} kinds_of_times[] = {{"time_ns", "total", "source"}, {"host_time_ns", "inclusive", "waiting"}};

static void write_times(struct row_merge *merge, const struct times *times, struct side a, struct side b) {
  static const char *const spread[] = {"min", "median", "p95", "max", "exclusive"};
  struct gp_json *json = merge->json;
  const bool is_one = !a.value || !b.value, is_host = times == &kinds_of_times[1];
  const struct side one = a.value ? a : b;
  const struct number total = sum_at(a, b, times->total);
  gp_json_object(json, times->name);
  merge_values(json, times->total, side_member(a, times->total), side_member(b, times->total));
  for (size_t i = 0; total.known && i < COUNT_OF(spread) - !is_host; ++i) {
    const struct side left = side_member(a, spread[i]), right = side_member(b, spread[i]);
    const struct number value = number_of(side_member(one, spread[i]).value);
    if (!is_one)
      merge_values(json, spread[i], left, right);
    else if (value.known != total.known || value.value != total.value)
      copy_value(json, spread[i], side_member(one, spread[i]));
  }
  merge_values(json, times->last, side_member(a, times->last), side_member(b, times->last));
  gp_json_close_object(json);
}

static struct number requested(struct side a, struct side b) {
  const struct number load = sum_at(a, b, "bytes.global.load"), store = sum_at(a, b, "bytes.global.store"),
                      atomic = sum_at(a, b, "bytes.global.atomic");
  return (struct number){load.known && store.known && atomic.known, load.value + store.value + atomic.value};
}

static const char *shared_text(struct side a, struct side b, const char *dotted) {
  const char *left = string_of(side_at(a, dotted).value), *right = string_of(side_at(b, dotted).value);
  if (!a.value || (a.idle && !*left))
    return right;
  return !b.value || (b.idle && !*right) || !strcmp(left, right) ? left : "";
}

/* Both sides, of what is not idle, know the value. */
static bool both_know(struct side a, struct side b, const char *dotted) { return sum_at(a, b, dotted).known; }

static struct number times(struct number number, double factor) { return (struct number){number.known, number.value * factor}; }

static struct number l1_bytes(struct side a, struct side b, const char *source) {
  if (!strcmp(source, "hardware"))
    return sum_at(a, b, "bytes.l1");
  return !strcmp(source, "sectors") ? times(sum_at(a, b, "coalescing.sectors"), SECTOR_BYTES) : (struct number){false, 0};
}

static void write_intensity(struct row_merge *merge, struct side a, struct side b) {
  const struct number none = {false, 0}, flops = sum_at(a, b, "flops.total");
  const char *source = shared_text(a, b, "intensity.dram_source"), *l1_source = shared_text(a, b, "intensity.l1_source");
  const struct number l1 = both_know(a, b, "intensity.l1") ? l1_bytes(a, b, l1_source) : none;
  const struct number dram = !strcmp(source, "hardware") ? sum_at(a, b, "bytes.dram")
                             : !strcmp(source, "unique") ? sum_at(a, b, "bytes.unique")
                                                         : none;
  gp_json_object(merge->json, "intensity");
  write_number(merge->json, "requested", both_know(a, b, "intensity.requested") ? quotient(flops, requested(a, b)) : none);
  write_number(merge->json, "l1", quotient(flops, l1));
  gp_json_text(merge->json, "l1_source", l1.known ? l1_source : NULL);
  write_number(merge->json, "l2", both_know(a, b, "intensity.l2") ? quotient(flops, sum_at(a, b, "bytes.l2")) : none);
  write_number(merge->json, "dram", both_know(a, b, "intensity.dram") ? quotient(flops, dram) : none);
  gp_json_text(merge->json, "dram_source", *source && dram.known ? source : NULL);
  gp_json_close_object(merge->json);
}

/* The largest least time of a resource, and its name. */
struct roof {
  const char *name;
  struct number ns;
  struct side a, b; /* rows */
};

static void raise_roof(void *closure, const char *name, struct side a, struct side b) {
  struct roof *roof = closure;
  char dotted[64];
  (void)a;
  (void)b;
  snprintf(dotted, sizeof dotted, "roofline.model_times_ns.%s", name);
  const struct number ns = strlen(name) < 32 ? sum_at(roof->a, roof->b, dotted) : (struct number){false, 0};
  if (ns.known && (!roof->ns.known || ns.value > roof->ns.value)) {
    roof->name = name;
    roof->ns = ns;
  }
}

static const char *bound_of(struct side a, struct side b, const struct roof *roof) {
  const bool any = *string_of(side_at(a, "roofline.bound").value) || *string_of(side_at(b, "roofline.bound").value);
  const char *shared = shared_text(a, b, "roofline.bound");
  return *shared ? shared : any ? roof->name : NULL;
}

static const char *status_of(struct side a, struct side b) {
  const char *left = string_of(side_at(a, "roofline.status").value), *right = string_of(side_at(b, "roofline.status").value);
  const char *const by_weight[] = {"above_roof", "no_gpu_time", "ok"};
  for (size_t i = 0; i < COUNT_OF(by_weight); ++i)
    if (!strcmp(left, by_weight[i]) || !strcmp(right, by_weight[i]))
      return by_weight[i];
  return NULL;
}

static void write_roofline(struct row_merge *merge, struct side a, struct side b) {
  struct gp_json *json = merge->json;
  const struct number none = {false, 0}, flops = sum_at(a, b, "flops.total"), time = sum_at(a, b, "time_ns.total");
  struct roof roof = {.a = a, .b = b};
  sides_each_member(side_at(a, "roofline.model_times_ns"), side_at(b, "roofline.model_times_ns"), raise_roof, &roof);
  gp_json_object(json, "roofline");
  gp_json_text(json, "bound", bound_of(a, b, &roof));
  merge_values(json, "model_times_ns", side_at(a, "roofline.model_times_ns"), side_at(b, "roofline.model_times_ns"));
  write_number(json, "attained_per_second",
               both_know(a, b, "roofline.attained_per_second") ? times(quotient(flops, time), 1e9) : none);
  write_number(json, "attainable_per_second",
               both_know(a, b, "roofline.attainable_per_second") ? times(quotient(flops, roof.ns), 1e9) : none);
  write_number(json, "percent", both_know(a, b, "roofline.percent") ? times(quotient(roof.ns, time), 100) : none);
  gp_json_text(json, "status", status_of(a, b));
  gp_json_close_object(json);
}

static void write_coalescing(struct row_merge *merge, struct side a, struct side b) {
  const struct number sectors = sum_at(a, b, "coalescing.sectors"), requests = sum_at(a, b, "coalescing.requests");
  gp_json_object(merge->json, "coalescing");
  merge_values(merge->json, "requests", side_at(a, "coalescing.requests"), side_at(b, "coalescing.requests"));
  merge_values(merge->json, "sectors", side_at(a, "coalescing.sectors"), side_at(b, "coalescing.sectors"));
  write_number(merge->json, "sectors_per_request", quotient(sectors, requests));
  gp_json_close_object(merge->json);
}

static void write_expected(struct row_merge *merge, struct side a, struct side b) {
  static const char *const names[] = {"flops", "bytes", "items"};
  const struct side left = side_member(a, "expected"), right = side_member(b, "expected");
  gp_json_object(merge->json, "expected");
  for (size_t i = 0; i < COUNT_OF(names); ++i)
    merge_values(merge->json, names[i], side_member(left, names[i]), side_member(right, names[i]));
  const bool known = both_know(a, b, "expected.executed_over_expected");
  write_number(merge->json, "executed_over_expected",
               known ? quotient(sum_at(a, b, "flops.total"), sum_at(a, b, "expected.flops")) : (struct number){false, 0});
  gp_json_close_object(merge->json);
}

struct snn {
  struct row_merge *merge;
  struct side a, b;
};

static void write_snn_member(void *closure, const char *name, struct side a, struct side b) {
  const struct snn *snn = closure;
  if (!strcmp(name, "per_step"))
    write_items(snn->merge, name, a, b, is_same_step, write_step);
  else
    write_spiking(snn->merge->json, name, name, snn->a, snn->b);
}

static void write_snn(struct row_merge *merge, struct side a, struct side b) {
  struct snn snn = {merge, side_member(a, "snn"), side_member(b, "snn")};
  gp_json_object(merge->json, "snn");
  sides_each_member(snn.a, snn.b, write_snn_member, &snn);
  gp_json_close_object(merge->json);
}

/* Facts of a kernel, not amounts: known where the ranks agree. */
static void write_fact(void *closure, const char *name, struct side a, struct side b) {
  struct gp_json *json = closure;
  const bool is_one = !a.value || !b.value || (b.idle && b.value->kind == JSON_NULL);
  const struct side one = !a.value || (a.idle && a.value->kind == JSON_NULL) ? b : a;
  const bool agree = !is_one && (a.value->kind == JSON_STRING ? !strcmp(string_of(a.value), string_of(b.value))
                                                               : value_equal(value_of(a.value), value_of(b.value)));
  if (is_one || agree || one.value == b.value)
    copy_value(json, name, one);
  else
    gp_json_null(json, name);
}

static void write_occupancy(struct row_merge *merge, struct side a, struct side b) {
  gp_json_object(merge->json, "occupancy");
  sides_each_member(side_member(a, "occupancy"), side_member(b, "occupancy"), write_fact, merge->json);
  gp_json_close_object(merge->json);
}

/* ---- The least and most of a rank ---- */

/* Of one rank, or of the ranks of a merged row. */
struct spread {
  bool known;
  uint64_t least, most;
  struct count rank; /* of the most */
};

static struct spread spread_of(struct side row, const char *name, const char *dotted, struct count rank) {
  const struct side merged = side_at(row, "over_ranks");
  const struct side own = side_member(merged, name);
  const struct count value = count_of(side_at(row, dotted).value), least = count_of(side_member(own, "min").value),
                     most = count_of(side_member(own, "max").value);
  if (merged.value)
    return (struct spread){least.known && most.known, least.value, most.value, count_of(side_member(own, "max_rank").value)};
  return (struct spread){value.known, value.value, value.value, rank};
}

static void write_spread(struct row_merge *merge, const char *name, const char *dotted, struct side a, struct side b) {
  struct spread one = spread_of(a, name, dotted, merge->rank_a), other = spread_of(b, name, dotted, merge->rank_b);
  if (!one.known) {
    one = other;
  } else if (other.known) {
    one.rank = other.most > one.most ? other.rank : one.rank;
    one.least = other.least < one.least ? other.least : one.least;
    one.most = other.most > one.most ? other.most : one.most;
  }
  if (!one.known || !one.most)
    return;
  gp_json_object(merge->json, name);
  gp_json_unsigned(merge->json, "min", one.least);
  gp_json_unsigned(merge->json, "max", one.most);
  if (one.rank.known)
    gp_json_unsigned(merge->json, "max_rank", one.rank.value);
  else
    gp_json_null(merge->json, "max_rank");
  gp_json_close_object(merge->json);
}

/* Ranks that have the row. */
static uint64_t ranks_of(struct side row) {
  const struct count ranks = count_of(side_at(row, "over_ranks.ranks").value);
  return ranks.known ? ranks.value : row.value != NULL;
}

static void write_over_ranks(struct row_merge *merge, struct side a, struct side b) {
  static const struct {
    const char *name, *dotted;
  } kept[] = {{"executions", "executions"}, {"launches", "launches"}, {"flops", "flops.total"}, {"time_ns", "time_ns.total"}};
  gp_json_object(merge->json, "over_ranks");
  gp_json_unsigned(merge->json, "ranks", ranks_of(a) + ranks_of(b));
  for (size_t i = 0; i < COUNT_OF(kept); ++i)
    write_spread(merge, kept[i].name, kept[i].dotted, a, b);
  gp_json_close_object(merge->json);
}

/* ---- Rows ---- */

static void write_row(void *closure, struct side a, struct side b);

static bool is_same_row(struct side a, struct side b) {
  return !strcmp(text_at(a, "name"), text_at(b, "name")) && !strcmp(text_at(a, "path"), text_at(b, "path")) &&
         !strcmp(text_at(a, "kind"), text_at(b, "kind")) && !strcmp(text_at(a, "file"), text_at(b, "file"));
}

/* Of what is counted in different ways in different ranks. */
static void write_counted_by(struct row_merge *merge, struct side a, struct side b) {
  const char *left = text_at(a, "counted_by"), *right = text_at(b, "counted_by");
  const bool differ = *left && *right && strcmp(left, right);
  gp_json_text(merge->json, "counted_by", differ ? "several" : *left ? left : *right ? right : NULL);
}

static void skip(struct row_merge *merge, struct side a, struct side b) { (void)merge, (void)a, (void)b; }

/* Members of their own rules; they get whole rows. */
static const struct part {
  const char *name;
  void (*write)(struct row_merge *merge, struct side a, struct side b);
  bool is_derived; /* of one row it is as it is */
} parts[] = {{"site", skip, false},
             {"parent", skip, false},
             {"path", skip, false},
             {"children", skip, false},
             {"over_ranks", skip, false},
             {"lines", skip, false},
             {"counted_by", write_counted_by, true},
             {"intensity", write_intensity, true},
             {"roofline", write_roofline, true},
             {"coalescing", write_coalescing, true},
             {"expected", write_expected, true},
             {"snn", write_snn, false},
             {"occupancy", write_occupancy, true}};

struct row {
  struct row_merge *merge;
  struct side a, b;
};

static void write_member(void *closure, const char *name, struct side a, struct side b) {
  const struct row *row = closure;
  for (size_t i = 0; i < COUNT_OF(parts); ++i)
    if (!strcmp(parts[i].name, name)) {
      if (parts[i].is_derived && (!row->a.value || !row->b.value))
        copy_value(row->merge->json, name, a.value ? a : b);
      else
        parts[i].write(row->merge, row->a, row->b);
      return;
    }
  for (size_t i = 0; i < COUNT_OF(kinds_of_times); ++i)
    if (!strcmp(kinds_of_times[i].name, name)) {
      write_times(row->merge, &kinds_of_times[i], a, b);
      return;
    }
  if (!strcmp(name, "line"))
    copy_value(row->merge->json, name, a.value ? a : b);
  else
    merge_values(row->merge->json, name, a, b);
}

static bool is_idle(struct side row) { return row.value && !count_of(side_member(row, "launches").value).value; }

/* The path follows from the row around and the name. In documents of version 1 rows may stand beside their parents. */
static void write_path(struct row_merge *merge, struct side row) {
  const char *path = text_at(row, "path"), *name = text_at(row, "name"), *parent = merge->around ? merge->around : "";
  const size_t length = strlen(parent);
  const bool follows = !length ? !strcmp(path, name)
                               : !strncmp(path, parent, length) && path[length] == '/' && !strcmp(path + length + 1, name);
  if (!follows)
    gp_json_text(merge->json, "path", path);
}

static bool is_name(struct side row) { return row.value && row.value->kind == JSON_STRING; }

static void write_row(void *closure, struct side a, struct side b) {
  struct row_merge *merge = closure;
  if (is_name(a) || is_name(b)) /* of a child that stands beside its parent */
    return;
  a.idle = is_idle(a);
  b.idle = is_idle(b);
  a.shared = &merge->shared_a;
  b.shared = &merge->shared_b;
  struct row row = {merge, a, b};
  gp_json_compact(merge->json, 0);
  gp_json_sparse_object(merge->json, NULL, merge->defaults);
  gp_json_compact(merge->json, 1);
  write_path(merge, a.value ? a : b);
  sides_each_member(a, b, write_member, &row);
  write_items(merge, "lines", side_member(a, "lines"), side_member(b, "lines"), is_same_line, write_line);
  write_over_ranks(merge, a, b);
  const char *around = merge->around;
  merge->around = text_at(a.value ? a : b, "path");
  merge_rows(merge, "children", side_member(a, "children"), side_member(b, "children"));
  merge->around = around;
  gp_json_close_object(merge->json);
}

void merge_rows(struct row_merge *merge, const char *key, struct side a, struct side b) {
  gp_json_array(merge->json, key);
  each_pair(a, b, is_same_row, write_row, merge);
  gp_json_close_array(merge->json);
}

/* ---- How to read them ---- */

static void write_default(void *closure, const char *name, struct side a, struct side b) {
  struct gp_json *json = closure;
  (void)b;
  for (size_t i = 0; i < COUNT_OF(kinds_of_times); ++i)
    if (!strcmp(kinds_of_times[i].name, name)) {
      gp_json_object(json, name); /* the others follow from the total */
      copy_value(json, kinds_of_times[i].total, side_member(a, kinds_of_times[i].total));
      copy_value(json, kinds_of_times[i].last, side_member(a, kinds_of_times[i].last));
      gp_json_close_object(json);
      return;
    }
  copy_value(json, name, a);
}

static void write_names(struct gp_json *json, const char *key, const char *const *names, size_t count) {
  gp_json_array(json, key);
  for (size_t i = 0; i < count; ++i)
    gp_json_text(json, NULL, names[i]);
  gp_json_close_array(json);
}

static void write_columns(struct gp_json *json, const char *key, const char *const *names, size_t count) {
  gp_json_object(json, key);
  write_names(json, "columns", names, count);
  gp_json_array(json, "defaults"); /* no value is left out */
  gp_json_close_array(json);
  gp_json_close_object(json);
}

static void know_files(struct line_files *files, struct side list) {
  JSON_EACH(row, list.value) {
    const struct side lines = side_member(with(list, row), "lines");
    JSON_EACH(line, lines.value)
      file_number(files, text_at(with(lines, line), "file"));
    know_files(files, side_member(with(list, row), "children"));
  }
}

/* The defaults as text. */
static char *text_of(struct side defaults) {
  struct gp_json *json = allocate(sizeof *json);
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (stream) {
    gp_json_begin(json, stream);
    gp_json_object(json, NULL);
    copy_value(json, "defaults", defaults);
    gp_json_close_object(json);
    (void)gp_json_end(json);
    fclose(stream);
  }
  free(json);
  return text;
}

/* Where both documents have one set of defaults, two default members become the default: no row is asked for them. */
static void share_defaults(struct row_merge *merge, struct side a, struct side b) {
  const struct side left = side_at(a, "rows.defaults"), right = side_at(b, "rows.defaults");
  char *first = left.value ? text_of(left) : NULL, *second = right.value ? text_of(right) : NULL;
  if (left.value && (!b.value || (first && second && !strcmp(first, second)))) {
    shared_lists_add(&merge->shared_a, left.value);
    shared_lists_add(&merge->shared_b, right.value);
  }
  free(first);
  free(second);
}

void merge_reading(struct row_merge *merge, struct side a, struct side b) {
  struct gp_json *json = merge->json;
  share_defaults(merge, a, b);
  static const char *const lists[] = {"regions", "kernels"};
  for (size_t i = 0; i < COUNT_OF(lists); ++i) {
    know_files(&merge->files, side_member(a, lists[i]));
    know_files(&merge->files, side_member(b, lists[i]));
  }
  gp_json_object(json, "rows");
  gp_json_object_of_defaults(json, "defaults", merge->defaults);
  gp_json_compact(json, 1);
  sides_each_member(side_at(a, "rows.defaults"), with(a, NULL), write_default, json);
  gp_json_close_object(json);
  gp_json_compact(json, 0);
  gp_json_compact(json, 1);
  write_names(json, "inherited", NULL, 0);
  write_columns(json, "per_step", step_columns, COUNT_OF(step_columns));
  write_columns(json, "lines", line_columns, COUNT_OF(line_columns));
  write_names(json, "files", merge->files.names, merge->files.count);
  write_names(json, "sites", NULL, 0);
  gp_json_compact(json, 0);
  gp_json_close_object(json);
}

void row_merge_free(struct row_merge *merge) { free(merge->files.names); }
