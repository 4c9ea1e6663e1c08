// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Questions about a document and its entries. */
#include "common/text.h"
#include "reader/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct flop_kind_row flop_kinds[FLOP_KIND_COUNT] = {
#define GP_KIND_ROW(id, group, key, shown, unit, in_total) {group, key, shown, unit, in_total},
    GP_FLOP_KINDS(GP_KIND_ROW)
#undef GP_KIND_ROW
};

const struct ceiling *document_flop_ceiling(const struct document *document, enum flop_kind kind) {
  const struct flop_kind_row *row = &flop_kinds[kind];
  const char *precision = *row->key ? row->key : row->group;
  for (size_t i = 0; i < document->flop_ceiling_count; ++i) {
    const struct ceiling *ceiling = &document->flop_ceilings[i];
    if (!strcmp(ceiling->name, precision) && !strcmp(ceiling->unit, row->unit))
      return ceiling;
  }
  return NULL;
}

const struct ceiling *document_byte_ceiling(const struct document *document, const char *level) {
  for (size_t i = 0; i < document->byte_ceiling_count; ++i)
    if (!strcmp(document->byte_ceilings[i].name, level))
      return &document->byte_ceilings[i];
  return NULL;
}

const char *document_title(const struct document *document) {
  if (!*document->command)
    return document->file;
  const char *start = document->command;
  for (const char *at = start; *at && *at != ' '; ++at)
    if (*at == '/')
      start = at + 1;
  return start;
}

bool document_is_cpu(const struct document *document) { return !strcmp(document->device_kind, "cpu"); }

const char *chip_title(const char *chip) {
  static const char *const titles[][2] = {
#define GPUPROF_CHIP(id, pattern, title, ...) {id, title},
#include "../../runtime/report/chips.inc"
  };
  for (size_t i = 0; i < sizeof titles / sizeof *titles; ++i)
    if (!strcmp(chip, titles[i][0]))
      return titles[i][1];
  return chip;
}

bool entry_misses_launches(const struct entry *entry) {
  return entry_count(entry, COUNT_UNCOUNTED).value && entry_count(entry, COUNT_FLOPS).known;
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

void remark_what(struct text *text, const struct remark *remark) {
  text_plain(text, remark->text);
  if (remark->launches.known)
    text_format(text, " (%llu)", (unsigned long long)remark->launches.value);
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

char *entry_title(const struct entry *entry) {
  if (!strncmp(entry->name, "_Z", 2))
    return plain_name(entry->name);
  if (!entry->is_kernel)
    return copy_string(entry->name);
  /* "void tiled<64>(float const*, int)" → "tiled<64>": cut the parameter list and the result type. */
  const char *name = entry->name, *end = name;
  int angle = 0;
  for (; *end && !(angle == 0 && *end == '(' && strncmp(end, "(anonymous", 10)); ++end) {
    angle += (*end == '<') - (*end == '>' && angle > 0);
    bool in_unnamed = end - entry->name >= 10 && !strncmp(end - 10, "(anonymous", 10);
    if (*end == ' ' && angle == 0 && *(end + 1) && !in_unnamed)
      name = end + 1;
  }
  return name < end ? format_string("%.*s", (int)(end - name), name) : copy_string(entry->name);
}

const char *document_ceiling_source(const struct document *document) {
  bool measured = false, datasheet = false;
  for (size_t i = 0; i < document->flop_ceiling_count + document->byte_ceiling_count; ++i) {
    size_t memory = i - document->flop_ceiling_count;
    const struct ceiling *ceiling =
        i < document->flop_ceiling_count ? &document->flop_ceilings[i] : &document->byte_ceilings[memory];
    measured |= !strcmp(ceiling->source, "measured");
    datasheet |= strcmp(ceiling->source, "measured") != 0;
  }
  return measured && datasheet ? "measured and datasheet"
         : measured            ? "measured"
         : datasheet           ? "datasheet"
                               : "";
}

const char *document_time_source(const struct document *document) {
  static const char *const sources[] = {"", "cupti", "event", "cpu"};
  const char *source = "";
  for (size_t i = 0; i < document->region_count + document->kernel_count; ++i) {
    const struct entry *entry =
        i < document->region_count ? &document->regions[i] : &document->kernels[i - document->region_count];
    if (!entry_count(entry, COUNT_TIME).known || !*entry->time_source)
      continue;
    if (*source && strcmp(source, entry->time_source))
      return "mixed";
    source = entry->time_source;
  }
  for (size_t i = 0; i < sizeof sources / sizeof *sources; ++i)
    if (!strcmp(source, sources[i]))
      return sources[i];
  return "other";
}

bool document_misses_launches(const struct document *document) {
  for (size_t i = 0; i < document->region_count; ++i)
    if (entry_misses_launches(&document->regions[i]))
      return true;
  for (size_t i = 0; i < document->kernel_count; ++i)
    if (entry_misses_launches(&document->kernels[i]))
      return true;
  return false;
}
