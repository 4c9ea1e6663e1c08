// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader/entry.h"

#include "common/text.h"
#include "reader/value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct flop_kind_row flop_kinds[FLOP_KIND_COUNT] = {
#define GP_KIND_ROW(id, group, key, shown, unit, in_total) {group, key, shown, unit, in_total},
    GP_FLOP_KINDS(GP_KIND_ROW)
#undef GP_KIND_ROW
};

#define ACCUMULATES 4
struct entry_paths {
  struct json_path counts[COUNT_COUNT], flops[FLOP_KIND_COUNT], mma_sync[FLOP_KIND_COUNT], accumulate[ACCUMULATES],
      numbers[NUMBER_COUNT], strings[STRING_COUNT], parts[PART_COUNT];
  struct json_path name, path, parent;
};

_Static_assert(sizeof(struct entry) <= 64, "a million entries take 64 MB");

/* ---- Values, whose types schema_check() has seen to ---- */

const char *string_of(const struct json *value) {
  return value && value->kind == JSON_STRING ? value->string : "";
}

struct count count_of(const struct json *value) {
  struct value number = value_of(value);
  return (struct count){number.kind == VALUE_WHOLE && !number.negative, number.magnitude};
}

struct number number_of(const struct json *value) {
  struct value number = value_of(value);
  return (struct number){value_is_number(number), value_is_number(number) ? number.real : 0};
}

struct count count_sum(struct count a, struct count b) {
  struct count sum;
  if (!a.known || !b.known)
    return a.known ? a : b;
  sum.known = true;
  if (__builtin_add_overflow(a.value, b.value, &sum.value))
    sum.value = UINT64_MAX;
  return sum;
}

/* ---- Where they stand ---- */

/* Below the entry's `flops`. */
static struct json_path flop_path(const struct json_tree *tree, const struct flop_kind_row *kind, const char *part) {
  char path[64];
  snprintf(path, sizeof path, "%s%s%s%s", kind->group, part, *kind->key ? "." : "", kind->key);
  return json_path_of(tree, path);
}

static void look_up(const struct json_tree *tree, const char *const *dotted, size_t count,
                    struct json_path *paths) {
  for (size_t i = 0; i < count; ++i)
    paths[i] = json_path_of(tree, dotted[i]);
}

struct entry_paths *entry_paths_of(const struct json_tree *tree) {
#define GP_PATH(id, path, ...) path,
  static const char
      *const counts[] = {GP_ENTRY_COUNTS(GP_PATH)},
             *const strings[] = {GP_ENTRY_STRINGS(GP_PATH)}, *const numbers[] = {GP_ENTRY_NUMBERS(GP_PATH)},
             *const parts[] = {GP_ENTRY_PARTS(GP_PATH)},
             *const accumulate[ACCUMULATES] = {"flops.fp64.accumulate", "flops.fp32.accumulate",
                                               "flops.fp16.accumulate", "flops.bf16.accumulate"};
#undef GP_PATH
  struct entry_paths *paths = allocate(sizeof *paths);
  look_up(tree, counts, COUNT_COUNT, paths->counts);
  look_up(tree, strings, STRING_COUNT, paths->strings);
  look_up(tree, numbers, NUMBER_COUNT, paths->numbers);
  look_up(tree, parts, PART_COUNT, paths->parts);
  look_up(tree, accumulate, ACCUMULATES, paths->accumulate);
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i)
    paths->flops[i] = flop_path(tree, &flop_kinds[i], ""), paths->mma_sync[i] = flop_path(tree, &flop_kinds[i], "_mma_sync");
  paths->name = json_path_of(tree, "name");
  paths->path = json_path_of(tree, "path");
  paths->parent = json_path_of(tree, "parent");
  return paths;
}

struct entry entry_of(const struct json *row, const struct entry_paths *paths) {
  struct entry entry = {.name = string_of(json_at(row, &paths->name)),
                        .path = string_of(json_at(row, &paths->path)),
                        .parent = string_of(json_at(row, &paths->parent)),
                        .json = row,
                        .paths = paths,
                        .parent_index = SIZE_MAX};
  if (!*entry.path)
    entry.path = entry.name;
  return entry;
}

/* ---- Values of an entry ---- */

struct count entry_count(const struct entry *entry, enum entry_count which) {
  return entry->json ? count_of(json_at(entry->json, &entry->paths->counts[which])) : (struct count){0};
}

/* A count, or the sum of the counts in an object. */
static struct count flops_of(const struct json *value) {
  struct count sum = {false, 0};
  if (!value || value->kind != JSON_OBJECT)
    return count_of(value);
  JSON_EACH_MEMBER(part, value)
  sum = count_sum(sum, count_of(part));
  return sum;
}

struct count entry_flops(const struct entry *entry, enum flop_kind kind) {
  return entry->json ? flops_of(json_at(entry_part(entry, PART_FLOPS), &entry->paths->flops[kind]))
                     : (struct count){0};
}

struct count entry_mma_sync_flops(const struct entry *entry, enum flop_kind kind) {
  return entry->json ? flops_of(json_at(entry_part(entry, PART_FLOPS), &entry->paths->mma_sync[kind]))
                     : (struct count){0};
}

struct flop_counts entry_all_flops(const struct entry *entry) {
  const struct json *flops = entry_part(entry, PART_FLOPS);
  struct flop_counts counts = {{0}};
  for (size_t i = 0; flops && i < FLOP_KIND_COUNT; ++i)
    counts.kinds[i] = flops_of(json_at(flops, &entry->paths->flops[i])).value;
  return counts;
}

struct count entry_accumulate_flops(const struct entry *entry) {
  struct count sum = {false, 0};
  for (size_t i = 0; entry->json && i < ACCUMULATES; ++i)
    sum = count_sum(sum, count_of(json_at(entry->json, &entry->paths->accumulate[i])));
  return sum;
}

struct count entry_requested_bytes(const struct entry *entry) {
  struct count sum = {false, 0};
  for (int i = COUNT_GLOBAL_LOAD; i <= COUNT_GLOBAL_ATOMIC; ++i)
    sum = count_sum(sum, entry_count(entry, (enum entry_count)i));
  return sum;
}

const char *entry_string(const struct entry *entry, enum entry_string which) {
  return entry->json ? string_of(json_at(entry->json, &entry->paths->strings[which])) : "";
}

struct number entry_number(const struct entry *entry, enum entry_number which) {
  return entry->json ? number_of(json_at(entry->json, &entry->paths->numbers[which])) : (struct number){0};
}

const struct json *entry_part(const struct entry *entry, enum entry_part which) {
  return entry->json ? json_at(entry->json, &entry->paths->parts[which]) : NULL;
}

static bool flops_fit(const struct entry *entry) {
  bool fit = entry_accumulate_flops(entry).value < UINT64_MAX;
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i)
    fit &= *flop_kinds[i].key || entry_flops(entry, (enum flop_kind)i).value < UINT64_MAX;
  return fit;
}

bool entry_sums_fit(const struct entry *entry, struct entry_sums *good) {
  const struct json *flops = entry_part(entry, PART_FLOPS), *bytes = entry_part(entry, PART_BYTES);
  if (flops != good->flops && !flops_fit(entry))
    return false;
  if (bytes != good->bytes && entry_requested_bytes(entry).value == UINT64_MAX)
    return false;
  *good = (struct entry_sums){flops, bytes};
  return true;
}

bool entry_misses_launches(const struct entry *entry) {
  return entry_count(entry, COUNT_UNCOUNTED).value && entry_count(entry, COUNT_FLOPS).known;
}

/* "_ZN3snn10lif_updateIfEEvPT_" → "snn::lif_update": enough of the Itanium rules to read a kernel's name. */
static char *plain_name(const char *mangled) {
  struct text name = {0};
  const char *at = mangled + 2;
  bool nested = *at == 'N', more = true;
  const char *end = mangled + strlen(mangled);
  at += nested;
  at += *at == 'L'; /* internal linkage */
  while (more && isdigit((unsigned char)*at)) {
    char *start;
    unsigned long length = strtoul(at, &start, 10);
    if (length > (size_t)(end - start))
      break;
    if (strncmp(start, "_GLOBAL__N_", 11)) { /* the unnamed namespace */
      text_add(&name, name.length ? "::" : "");
      text_bytes(&name, start, length);
    }
    at = start + length;
    more = nested;
  }
  if (!name.length)
    text_add(&name, mangled);
  else if (*at == 'I')
    text_add(&name, "<>");
  return name.data;
}

/* "void tiled<64>(float const*, int)" → "tiled<64>(float const*, int)": behind the result type. The parameter list begins at *end. */
static const char *title_of(const char *whole, const char **end) {
  const char *name = whole, *at = whole;
  int angle = 0;
  for (; *at && !(angle == 0 && *at == '(' && strncmp(at, "(anonymous", 10)); ++at) {
    angle += (*at == '<') - (*at == '>' && angle > 0);
    bool in_unnamed = at - whole >= 10 && !strncmp(at - 10, "(anonymous", 10);
    if (*at == ' ' && angle == 0 && *(at + 1) && !in_unnamed)
      name = at + 1;
  }
  *end = at;
  return name;
}

char *entry_title(const struct entry *entry) {
  if (!strncmp(entry->name, "_Z", 2))
    return plain_name(entry->name);
  if (!entry->is_kernel)
    return copy_string(entry->name);
  const char *end, *name = title_of(entry->name, &end);
  return name < end ? format_string("%.*s", (int)(end - name), name) : copy_string(entry->name);
}

char *entry_title_with_parameters(const struct entry *entry) {
  const char *end;
  const bool is_plain = !entry->is_kernel || !strncmp(entry->name, "_Z", 2);
  return copy_string(is_plain ? entry->name : title_of(entry->name, &end));
}
