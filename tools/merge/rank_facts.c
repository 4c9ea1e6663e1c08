// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "merge/rank_facts.h"

#include "common/text.h"
#include "reader/rank_lines.h"
#include "report/json_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

static char *string_at(const struct json_tree *tree, const struct json *object, const char *path) {
  const char *string = string_of(json_find(tree, object, path));
  return *string ? copy_string(string) : NULL;
}

static struct count count_at(const struct json_tree *tree, const struct json *object, const char *path) {
  return count_of(json_find(tree, object, path));
}

static struct signed_count signed_at(const struct json_tree *tree, const struct json *object, const char *path) {
  const struct json *value = json_find(tree, object, path);
  const struct count size = count_of(value);
  if (value && value->kind == JSON_NEGATIVE && value->magnitude <= INT64_MAX)
    return (struct signed_count){true, -(int64_t)value->magnitude};
  return (struct signed_count){size.known && size.value <= INT64_MAX, (int64_t)size.value};
}

static struct common_ends ends_of(const struct json_tree *tree, const struct json *communication) {
  const struct json *moments = communication ? json_find(tree, communication, "common_ends.realtime_ns") : NULL;
  const struct count stride = communication ? count_at(tree, communication, "common_ends.stride") : (struct count){false, 0};
  struct common_ends ends = {.stride = stride.known && stride.value ? stride.value : 1};
  ends.realtime_ns = allocate((json_count(moments) + 1) * sizeof *ends.realtime_ns);
  JSON_EACH(moment, moments)
    ends.realtime_ns[ends.count++] = count_of(moment).value;
  return ends;
}

static struct count sum_of_kernels(const struct document *document, enum entry_count which) {
  struct count sum = {document->kernel_count > 0, 0};
  for (size_t i = 0; i < document->kernel_count; ++i) {
    const struct count one = entry_count(&document->kernels[i], which);
    sum.known &= one.known;
    sum.value += one.value;
  }
  return sum;
}

static struct rank_facts facts_of(const struct document *document) {
  const struct json_tree *tree = &document->tree;
  const struct json *root = &tree->root, *communication = json_find(tree, root, "communication");
  struct rank_facts facts = {.file = copy_string(document->file),
                             .host = string_at(tree, root, "context.host"),
                             .device = string_at(tree, root, "device.name"),
                             .uuid = string_at(tree, root, "device.uuid"),
                             .start_time = string_at(tree, root, "context.start_time"),
                             .state = string_at(tree, root, "context.end.state"),
                             .rank = signed_at(tree, root, "context.rank"),
                             .local_rank = signed_at(tree, root, "context.local_rank"),
                             .world_size = signed_at(tree, root, "context.world_size"),
                             .pid = document->pid,
                             .duration_ns = document->duration_ns,
                             .launches = sum_of_kernels(document, COUNT_LAUNCHES),
                             .flops = sum_of_kernels(document, COUNT_FLOPS),
                             .time_ns = sum_of_kernels(document, COUNT_TIME),
                             .peak_bytes = count_at(tree, root, "memory.peak_bytes"),
                             .ends = ends_of(tree, communication)};
  facts.communication_ns = document_communication(document);
  facts.communication_kernels_ns = document_communication_kernels(document);
  if (communication) {
    facts.communication_calls = count_at(tree, communication, "calls");
    if (!count_at(tree, communication, "unknown_size_calls").value)
      facts.communication_bytes = count_at(tree, communication, "bytes");
  }
  return facts;
}

static struct rank_facts facts_again(const struct json_tree *tree, const struct json *item) {
  return (struct rank_facts){.file = string_at(tree, item, "file"),
                             .host = string_at(tree, item, "host"),
                             .device = string_at(tree, item, "device"),
                             .uuid = string_at(tree, item, "device_uuid"),
                             .start_time = string_at(tree, item, "start_time"),
                             .state = string_at(tree, item, "end_state"),
                             .rank = signed_at(tree, item, "rank"),
                             .local_rank = signed_at(tree, item, "local_rank"),
                             .world_size = signed_at(tree, &tree->root, "context.world_size"),
                             .pid = count_at(tree, item, "pid"),
                             .duration_ns = count_at(tree, item, "duration_ns"),
                             .launches = count_at(tree, item, "launches"),
                             .flops = count_at(tree, item, "flops"),
                             .time_ns = count_at(tree, item, "time_ns"),
                             .peak_bytes = count_at(tree, item, "peak_bytes"),
                             .communication_calls = count_at(tree, item, "communication.calls"),
                             .communication_bytes = count_at(tree, item, "communication.bytes"),
                             .communication_ns = count_at(tree, item, "communication.time_ns"),
                             .communication_kernels_ns = count_at(tree, item, "communication.kernels_ns"),
                             .ends = {.stride = 1},
                             .clock_offset_ns = signed_at(tree, item, "clock_offset_ns"),
                             .clock_error_ns = count_at(tree, item, "clock_error_ns")};
}

static void add(struct rank_list *list, struct rank_facts facts) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 16;
    list->items = reallocate(list->items, list->capacity * sizeof *list->items);
  }
  list->items[list->count++] = facts;
}

void rank_list_add(struct rank_list *list, const struct document *document) {
  const struct json_tree *tree = &document->tree;
  const struct json *ranks = json_find(tree, &tree->root, "context.ranks");
  if (!ranks)
    add(list, facts_of(document));
  JSON_EACH(item, ranks)
    add(list, facts_again(tree, item));
}

/* ---- Order: an insertion sort is stable, and files mostly come in order ---- */

static bool comes_before(const struct rank_facts *a, const struct rank_facts *b) {
  return a->rank.known && (!b->rank.known || a->rank.value < b->rank.value);
}

void rank_list_sort(struct rank_list *list) {
  for (size_t i = 1; i < list->count; ++i) {
    const struct rank_facts moved = list->items[i];
    size_t to = i;
    for (; to && comes_before(&moved, &list->items[to - 1]); --to)
      list->items[to] = list->items[to - 1];
    list->items[to] = moved;
  }
}

/* ---- Writing ---- */

static void write_count(struct gp_json *json, const char *key, struct count count) {
  if (count.known)
    gp_json_unsigned(json, key, count.value);
  else
    gp_json_null(json, key);
}

static void write_signed(struct gp_json *json, const char *key, struct signed_count count) {
  if (count.known)
    gp_json_signed(json, key, count.value);
  else
    gp_json_null(json, key);
}

static void write_communication(struct gp_json *json, const struct rank_facts *facts) {
  if (!facts->communication_ns.known) {
    gp_json_null(json, "communication");
    return;
  }
  gp_json_object(json, "communication");
  write_count(json, "calls", facts->communication_calls);
  write_count(json, "bytes", facts->communication_bytes);
  write_count(json, "time_ns", facts->communication_ns);
  write_count(json, "kernels_ns", facts->communication_kernels_ns);
  if (facts->duration_ns.known && facts->duration_ns.value)
    gp_json_rounded(json, "share", (double)facts->communication_ns.value / (double)facts->duration_ns.value);
  else
    gp_json_null(json, "share");
  gp_json_close_object(json);
}

static void write_one(struct gp_json *json, const struct rank_facts *facts) {
  gp_json_object(json, NULL);
  gp_json_compact(json, 1);
  write_signed(json, "rank", facts->rank);
  write_signed(json, "local_rank", facts->local_rank);
  gp_json_text(json, "file", facts->file);
  gp_json_text(json, "host", facts->host);
  write_count(json, "pid", facts->pid);
  gp_json_text(json, "device", facts->device);
  gp_json_text(json, "device_uuid", facts->uuid);
  gp_json_text(json, "start_time", facts->start_time);
  gp_json_text(json, "end_state", facts->state);
  write_count(json, "duration_ns", facts->duration_ns);
  write_count(json, "launches", facts->launches);
  write_count(json, "flops", facts->flops);
  write_count(json, "time_ns", facts->time_ns);
  write_count(json, "peak_bytes", facts->peak_bytes);
  write_communication(json, facts);
  write_signed(json, "clock_offset_ns", facts->clock_offset_ns);
  write_count(json, "clock_error_ns", facts->clock_error_ns);
  gp_json_close_object(json);
}

void rank_list_write(struct gp_json *json, const struct rank_list *list) {
  gp_json_array(json, "ranks");
  for (size_t i = 0; i < list->count; ++i) {
    gp_json_compact(json, 0); /* a line a rank */
    write_one(json, &list->items[i]);
  }
  gp_json_compact(json, 0);
  gp_json_close_array(json);
}

void rank_list_free(struct rank_list *list) {
  for (size_t i = 0; i < list->count; ++i) {
    struct rank_facts *facts = &list->items[i];
    char *const strings[] = {facts->file, facts->host, facts->device, facts->uuid, facts->start_time, facts->state};
    for (size_t s = 0; s < sizeof strings / sizeof *strings; ++s)
      free(strings[s]);
    free(facts->ends.realtime_ns);
  }
  free(list->items);
  *list = (struct rank_list){0};
}
