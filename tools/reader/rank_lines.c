// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/rank_lines.h"

#include "common/text.h"

#include <stdlib.h>
#include <string.h>

static struct rank_line line_of(const struct json_tree *tree, const struct json *item) {
  return (struct rank_line){.rank = number_of(json_find(tree, item, "rank")),
                            .clock_offset_ns = number_of(json_find(tree, item, "clock_offset_ns")),
                            .clock_error_ns = number_of(json_find(tree, item, "clock_error_ns")),
                            .host = string_of(json_find(tree, item, "host")),
                            .device = string_of(json_find(tree, item, "device")),
                            .duration_ns = count_of(json_find(tree, item, "duration_ns")),
                            .launches = count_of(json_find(tree, item, "launches")),
                            .flops = count_of(json_find(tree, item, "flops")),
                            .time_ns = count_of(json_find(tree, item, "time_ns")),
                            .communication_ns = count_of(json_find(tree, item, "communication.time_ns")),
                            .communication_kernels_ns = count_of(json_find(tree, item, "communication.kernels_ns"))};
}

static struct count sum_of_kernels(const struct document *document, enum entry_count which) {
  struct count sum = {false, 0};
  for (size_t i = 0; i < document->kernel_count; ++i)
    sum = count_sum(sum, entry_count(&document->kernels[i], which));
  return sum;
}

static bool is_communication(const struct entry *entry) { return !strcmp(entry_string(entry, STRING_PHASE), "communication"); }

/* The outermost such regions: those within them are in their time. */
static bool begins_communication(const struct document *document, const struct entry *entry) {
  const bool is_inner = entry->parent_index < document->region_count && is_communication(&document->regions[entry->parent_index]);
  return is_communication(entry) && !is_inner;
}

static struct count sum_of_communication(const struct document *document, const char *dotted) {
  const struct json_path path = json_path_of(&document->tree, dotted);
  struct count sum = {false, 0};
  for (size_t i = 0; i < document->region_count; ++i)
    if (begins_communication(document, &document->regions[i]))
      sum = count_sum(sum, count_of(json_at(document->regions[i].json, &path)));
  return sum;
}

struct count document_communication(const struct document *document) {
  const struct json_tree *tree = &document->tree;
  const struct count sum = sum_of_communication(document, "host_time_ns.inclusive");
  return sum.known ? sum : count_of(json_find(tree, &tree->root, "communication.time_ns"));
}

struct count document_communication_kernels(const struct document *document) {
  return sum_of_communication(document, "time_ns.total");
}

double document_run_ns(const struct document *document) {
  struct rank_lines ranks = ranks_of(document);
  double sum = 0;
  for (size_t i = 0; i < ranks.count; ++i)
    sum += (double)ranks.items[i].duration_ns.value;
  ranks_free(&ranks);
  return sum;
}

static struct rank_line own_line(const struct document *document) {
  const struct json_tree *tree = &document->tree;
  return (struct rank_line){.rank = number_of(json_find(tree, &tree->root, "context.rank")),
                            .host = document->host,
                            .device = document->device_name,
                            .duration_ns = document->duration_ns,
                            .launches = sum_of_kernels(document, COUNT_LAUNCHES),
                            .flops = sum_of_kernels(document, COUNT_FLOPS),
                            .time_ns = sum_of_kernels(document, COUNT_TIME),
                            .communication_ns = document_communication(document),
                            .communication_kernels_ns = document_communication_kernels(document)};
}

struct rank_lines ranks_of(const struct document *document) {
  const struct json_tree *tree = &document->tree;
  const struct json *list = json_find(tree, &tree->root, "context.ranks");
  struct rank_lines ranks = {.items = allocate((json_count(list) + 1) * sizeof *ranks.items), .is_merged = list != NULL};
  JSON_EACH(item, list)
    ranks.items[ranks.count++] = line_of(tree, item);
  if (!list)
    ranks.items[ranks.count++] = own_line(document);
  return ranks;
}

void ranks_free(struct rank_lines *ranks) {
  free(ranks->items);
  *ranks = (struct rank_lines){0};
}

struct rank_spread ranks_spread(const struct rank_lines *ranks, rank_value *value) {
  struct rank_spread spread = {false, 0, 0, 0};
  size_t known = 0;
  for (size_t i = 0; i < ranks->count; ++i) {
    const struct count one = value(&ranks->items[i]);
    const double number = (double)one.value;
    if (!one.known)
      continue;
    spread.least = known && spread.least < number ? spread.least : number;
    spread.most = known && spread.most > number ? spread.most : number;
    spread.mean += number;
    ++known;
  }
  spread.known = known > 0;
  spread.mean = known ? spread.mean / (double)known : 0;
  return spread;
}

struct count rank_duration(const struct rank_line *line) { return line->duration_ns; }
struct count rank_kernel_time(const struct rank_line *line) { return line->time_ns; }
struct count rank_communication(const struct rank_line *line) { return line->communication_ns; }
