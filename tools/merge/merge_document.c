// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/merge_document.h"

#include "common/text.h"
#include "merge/merge_rows.h"
#include "merge/merge_values.h"

#include <stdlib.h>
#include <string.h>

#define DOCUMENT_VERSION 2
#define ABOUT_RANKS "ranks"

void sentences_add(struct sentences *sentences, char *sentence) {
  for (size_t i = 0; i < sentences->count; ++i)
    if (!strcmp(sentences->items[i], sentence)) {
      free(sentence);
      return;
    }
  if (sentences->count == sentences->capacity) {
    sentences->capacity = sentences->capacity ? 2 * sentences->capacity : 8;
    sentences->items = reallocate(sentences->items, sentences->capacity * sizeof *sentences->items);
  }
  sentences->items[sentences->count++] = sentence;
}

void sentences_free(struct sentences *sentences) {
  for (size_t i = 0; i < sentences->count; ++i)
    free(sentences->items[i]);
  free(sentences->items);
  *sentences = (struct sentences){0};
}

struct merge {
  struct gp_json *json;
  const struct rank_list *ranks;
  const struct sentences *sentences;
  struct row_merge rows;
  bool has_reading;
  struct side a, b; /* the documents */
};

static const char *text_at(struct side side, const char *dotted) { return string_of(side_at(side, dotted).value); }

static struct side with(struct side side, const struct json *value) {
  side.value = value;
  return side;
}

/* ---- Context: members of a process that have no sum ---- */

static void keep_first(struct merge *merge, const char *name, struct side a, struct side b) {
  copy_value(merge->json, name, a.value ? a : b);
}

static void keep_largest(struct merge *merge, const char *name, struct side a, struct side b) {
  const struct count left = count_of(a.value), right = count_of(b.value);
  copy_value(merge->json, name, !left.known || (right.known && right.value > left.value) ? b : a);
}

static void keep_earliest(struct merge *merge, const char *name, struct side a, struct side b) {
  const char *left = string_of(a.value), *right = string_of(b.value);
  copy_value(merge->json, name, !*left || (*right && strcmp(right, left) < 0) ? b : a);
}

static void forget(struct merge *merge, const char *name, struct side a, struct side b) {
  const bool is_one = !a.value || !b.value;
  const struct side one = a.value ? a : b;
  if (is_one && merge->ranks->count < 2)
    copy_value(merge->json, name, one);
  else
    gp_json_null(merge->json, name);
}

static void leave_out(struct merge *merge, const char *name, struct side a, struct side b) { (void)merge, (void)name, (void)a, (void)b; }

/* "node1, node2" */
static void join_hosts(struct merge *merge, const char *name, struct side a, struct side b) {
  struct text hosts = {0};
  (void)a;
  (void)b;
  for (size_t i = 0; i < merge->ranks->count; ++i) {
    const char *host = merge->ranks->items[i].host;
    size_t before = 0;
    while (host && before < i && (!merge->ranks->items[before].host || strcmp(host, merge->ranks->items[before].host)))
      ++before;
    if (host && before == i)
      text_format(&hosts, "%s%s", hosts.length ? ", " : "", host);
  }
  gp_json_text(merge->json, name, text_get(&hosts));
  text_free(&hosts);
}

/* Complete where each is. */
static void join_states(struct merge *merge, const char *name, struct side a, struct side b) {
  const char *left = string_of(a.value), *right = string_of(b.value);
  copy_value(merge->json, name, !strcmp(left, "running") || !*right ? a : b);
}

static void write_end(struct merge *merge, const char *name, struct side a, struct side b);

/* How each member of an object is merged; others by their values. */
struct member_rule {
  const char *name;
  void (*write)(struct merge *merge, const char *name, struct side a, struct side b);
};
static const struct member_rule context_rules[] = {{"end", write_end},
                                                   {"tool_version", keep_first},
                                                   {"command", keep_first},
                                                   {"host", join_hosts},
                                                   {"pid", forget},
                                                   {"rank", forget},
                                                   {"local_rank", forget},
                                                   {"local_size", forget},
                                                   {"world_size", keep_largest},
                                                   {"device_uuid", forget},
                                                   {"start_time", keep_earliest},
                                                   {"duration_ns", keep_largest},
                                                   {"compiler", keep_first},
                                                   {"plugin_options", keep_first},
                                                   {"builds", keep_first},
                                                   {"warmup", keep_first},
                                                   {"filter", keep_first},
                                                   {"sample", keep_largest},
                                                   {"ranks", leave_out},
                                                   {NULL, NULL}},
                                end_rules[] = {{"state", join_states},
                                               {"counted_until_ns", keep_largest},
                                               {"process_start", forget},
                                               {"launches_running", NULL},
                                               {"signal", keep_largest},
                                               {NULL, NULL}},
                                device_rules[] = {{"kind", keep_first}, {"name", keep_first}, {"chip", keep_first}, {"index", NULL}, {NULL, NULL}},
                                root_rules[];

struct object {
  struct merge *merge;
  const struct member_rule *rules;
};

static void write_member(void *closure, const char *name, struct side a, struct side b) {
  const struct object *object = closure;
  for (const struct member_rule *rule = object->rules; rule->name; ++rule)
    if (rule->write && !strcmp(rule->name, name)) {
      rule->write(object->merge, name, a, b);
      return;
    }
  merge_values(object->merge->json, name, a, b);
}

static void write_members(struct merge *merge, const struct member_rule *rules, struct side a, struct side b) {
  struct object object = {merge, rules};
  sides_each_member(a, b, write_member, &object);
}

static void write_object(struct merge *merge, const char *name, const struct member_rule *rules, struct side a, struct side b) {
  gp_json_object(merge->json, name);
  write_members(merge, rules, a, b);
  gp_json_close_object(merge->json);
}

static void write_end(struct merge *merge, const char *name, struct side a, struct side b) {
  write_object(merge, name, end_rules, a, b);
}

static void write_context(struct merge *merge, const char *name, struct side a, struct side b) {
  gp_json_object(merge->json, name);
  write_members(merge, context_rules, a, b);
  rank_list_write(merge->json, merge->ranks);
  gp_json_close_object(merge->json);
}

static void write_device(struct merge *merge, const char *name, struct side a, struct side b) {
  const bool has_first = *text_at(a, "kind"); /* a rank may have launched nothing */
  write_object(merge, name, device_rules, has_first ? a : b, has_first ? b : with(a, NULL));
}

/* ---- Communication ---- */

static const struct member_rule communication_rules[] = {{"common_ends", leave_out}, {"share", leave_out}, {NULL, NULL}};

/* The share of the time of all ranks. */
static struct number share_of(const struct rank_list *ranks) {
  struct number communication = {false, 0}, all = {false, 0};
  for (size_t i = 0; i < ranks->count; ++i) {
    const struct rank_facts *facts = &ranks->items[i];
    if (!facts->duration_ns.known)
      return communication;
    all = (struct number){true, all.value + (double)facts->duration_ns.value};
    communication.known |= facts->communication_ns.known;
    communication.value += facts->communication_ns.known ? (double)facts->communication_ns.value : 0;
  }
  return quotient(communication, all);
}

static void write_communication(struct merge *merge, const char *name, struct side a, struct side b) {
  gp_json_object(merge->json, name);
  write_members(merge, communication_rules, a, b);
  write_number(merge->json, "share", share_of(merge->ranks));
  gp_json_close_object(merge->json);
}

/* ---- Memory: the largest peak of a rank, and the sum of all ---- */

static void write_exhausted(struct merge *merge, const char *name, struct side a, struct side b) {
  gp_json_object(merge->json, name);
  merge_values(merge->json, "allocations", side_member(a, "allocations"), side_member(b, "allocations"));
  gp_json_array(merge->json, "first");
  gp_json_close_array(merge->json);
  gp_json_close_object(merge->json);
}

static void write_null(struct merge *merge, const char *name, struct side a, struct side b) {
  (void)a;
  (void)b;
  gp_json_null(merge->json, name);
}

/* Single allocations have stacks in the modules of one process: they stand in the documents of the ranks. */
static const struct member_rule memory_rules[] = {{"peak_sum_bytes", leave_out},
                                                  {"peak_time_ns", write_null},
                                                  {"leaks", write_null},
                                                  {"exhausted", write_exhausted},
                                                  {"largest", leave_out},
                                                  {"places", leave_out},
                                                  {"stacks", leave_out},
                                                  {"modules", leave_out},
                                                  {NULL, NULL}};

static void write_memory(struct merge *merge, const char *name, struct side a, struct side b) {
  struct count sum = {false, 0};
  for (size_t i = 0; i < merge->ranks->count; ++i)
    sum = count_sum(sum, merge->ranks->items[i].peak_bytes);
  gp_json_object(merge->json, name);
  write_members(merge, memory_rules, a, b);
  if (sum.known)
    gp_json_unsigned(merge->json, "peak_sum_bytes", sum.value);
  else
    gp_json_null(merge->json, "peak_sum_bytes");
  gp_json_close_object(merge->json);
}

/* ---- Copies and the time line ---- */

static void write_direction(void *closure, const char *name, struct side a, struct side b) {
  struct merge *merge = closure;
  static const struct member_rule rules[] = {{"bytes_per_second", leave_out}, {NULL, NULL}};
  const struct number count = sum_at(a, b, "count"), timed = sum_at(a, b, "timed");
  struct number rate = quotient(sum_at(a, b, "bytes"), sum_at(a, b, "time_ns"));
  rate.known &= count.value == timed.value;
  rate.value *= 1e9;
  gp_json_object(merge->json, name);
  write_members(merge, rules, a, b);
  write_number(merge->json, "bytes_per_second", rate);
  gp_json_close_object(merge->json);
}

static void write_copies(struct merge *merge, const char *name, struct side a, struct side b) {
  gp_json_object(merge->json, name);
  sides_each_member(a, b, write_direction, merge);
  gp_json_close_object(merge->json);
}

static void write_timeline(struct merge *merge, const char *name, struct side a, struct side b) {
  static const struct member_rule rules[] = {{"devices", leave_out}, {NULL, NULL}};
  write_object(merge, name, rules, a, b);
}

/* ---- Energy: of all GPUs; the power is that of one ---- */

static void write_energy(struct merge *merge, const char *name, struct side a, struct side b) {
  static const struct member_rule rules[] = {{"mean_watts", leave_out}, {NULL, NULL}};
  gp_json_object(merge->json, name);
  write_members(merge, rules, a, b);
  if (!a.value || !b.value)
    copy_value(merge->json, "mean_watts", side_member(a.value ? a : b, "mean_watts"));
  else
    write_number(merge->json, "mean_watts", quotient(sum_at(a, b, "joules"), sum_at(a, b, "seconds")));
  gp_json_close_object(merge->json);
}

/* ---- Remarks: each once ---- */

static bool is_same_remark(struct side a, struct side b) {
  static const char *const names[] = {"about", "text", "what", "where", "why"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(string_of(side_member(a, names[i]).value), string_of(side_member(b, names[i]).value)))
      return false;
  return true;
}

static struct side same_remark(struct side list, struct side remark) {
  JSON_EACH(item, list.value)
    if (is_same_remark(with(list, item), remark))
      return with(list, item);
  return with(list, NULL);
}

/* A sentence of this merge, or of one before. */
static bool is_of_ranks(struct side remark) { return !strcmp(string_of(side_member(remark, "about").value), ABOUT_RANKS); }

static void write_remarks(struct merge *merge, struct side a, struct side b) {
  JSON_EACH(item, a.value)
    if (!is_of_ranks(with(a, item)))
      merge_values(merge->json, NULL, with(a, item), same_remark(b, with(a, item)));
  JSON_EACH(item, b.value)
    if (!same_remark(a, with(b, item)).value && !is_of_ranks(with(b, item)))
      copy_value(merge->json, NULL, with(b, item));
}

static void write_uncounted(struct merge *merge, const char *name, struct side a, struct side b) {
  gp_json_array(merge->json, name);
  write_remarks(merge, a, b);
  gp_json_close_array(merge->json);
}

/* The reason for null where a document of one rank has a value. */
static void write_standing_note(struct gp_json *json) {
  gp_json_object(json, NULL);
  gp_json_text(json, "about", ABOUT_RANKS);
  gp_json_text(json, "text", "of several ranks medians and percentiles are null, and rates and facts in which the ranks differ; leaks, stacks "
                             "and the time line of each device are in the documents of the ranks");
  gp_json_boolean(json, "standing", 1);
  gp_json_close_object(json);
}

static void write_notes(struct merge *merge, const char *name, struct side a, struct side b) {
  gp_json_array(merge->json, name);
  for (size_t i = 0; i < merge->sentences->count; ++i) {
    gp_json_object(merge->json, NULL);
    gp_json_text(merge->json, "about", ABOUT_RANKS);
    gp_json_text(merge->json, "text", merge->sentences->items[i]);
    gp_json_close_object(merge->json);
  }
  write_remarks(merge, a, b);
  if (merge->ranks->count > 1)
    write_standing_note(merge->json);
  gp_json_close_array(merge->json);
}

/* ---- All ---- */

/* What rows are read by stands before them, also where documents of version 1 have none. */
static void write_rows(struct merge *merge, const char *name, struct side a, struct side b) {
  if (!merge->has_reading)
    merge_reading(&merge->rows, merge->a, merge->b);
  merge->has_reading = true;
  merge_rows(&merge->rows, name, a, b);
  gp_json_compact(merge->json, 0);
}

static void write_version(struct merge *merge, const char *name, struct side a, struct side b) {
  (void)a;
  (void)b;
  gp_json_unsigned(merge->json, name, DOCUMENT_VERSION);
}

static const struct member_rule root_rules[] = {{"schema", keep_first},
                                                {"version", write_version},
                                                {"context", write_context},
                                                {"conventions", keep_first},
                                                {"device", write_device},
                                                {"devices", leave_out}, /* an index means another device in each rank */
                                                {"ceilings", keep_first},
                                                {"communication", write_communication},
                                                {"rows", leave_out}, /* write_rows() writes it */
                                                {"regions", write_rows},
                                                {"kernels", write_rows},
                                                {"memory", write_memory},
                                                {"copies", write_copies},
                                                {"timeline", write_timeline},
                                                {"energy", write_energy},
                                                {"uncounted", write_uncounted},
                                                {"notes", write_notes},
                                                {NULL, NULL}};

/* The rank to name for what a document has most of; of a merged one its rows say it. */
static struct count rank_of(const struct document *document) {
  return document ? count_of(json_find(&document->tree, &document->tree.root, "context.rank")) : (struct count){false, 0};
}

static struct side side_of(const struct document *document) {
  return document ? (struct side){.tree = &document->tree, .value = &document->tree.root} : (struct side){.tree = NULL};
}

bool merge_documents(FILE *stream, const struct document *a, const struct document *b, const struct rank_list *ranks,
                     const struct sentences *sentences) {
  struct gp_json *json = allocate(sizeof *json);
  struct gp_json_defaults *defaults = allocate(sizeof *defaults);
  struct merge merge = {.json = json, .ranks = ranks, .sentences = sentences, .a = side_of(a), .b = side_of(b)};
  merge.rows = (struct row_merge){.json = json, .defaults = defaults, .rank_a = rank_of(a), .rank_b = rank_of(b)};
  memset(defaults, 0, sizeof *defaults);
  gp_json_begin(json, stream);
  write_object(&merge, NULL, root_rules, merge.a, merge.b);
  const bool good = !gp_json_end(json);
  row_merge_free(&merge.rows);
  free(defaults);
  free(json);
  return good;
}
