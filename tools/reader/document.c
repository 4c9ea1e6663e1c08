// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Questions about a document and its entries. */
#include "common/text.h"
#include "reader/reader.h"

#include <stdlib.h>
#include <string.h>

/* The first, which is the fastest, or that of an instruction. */
static const struct ceiling *flop_ceiling(const struct document *document, enum flop_kind kind, const char *instruction) {
  const struct flop_kind_row *row = &flop_kinds[kind];
  const char *precision = *row->key ? row->key : row->group;
  for (size_t i = 0; i < document->flop_ceiling_count; ++i) {
    const struct ceiling *ceiling = &document->flop_ceilings[i];
    if (!strcmp(ceiling->name, precision) && !strcmp(ceiling->unit, row->unit) &&
        (!instruction || !strcmp(ceiling->instruction, instruction)))
      return ceiling;
  }
  return NULL;
}

const struct ceiling *document_flop_ceiling(const struct document *document, enum flop_kind kind) {
  return flop_ceiling(document, kind, NULL);
}

const struct ceiling *document_mma_sync_ceiling(const struct document *document, enum flop_kind kind) {
  const struct ceiling *own = flop_ceiling(document, kind, "mma.sync");
  return own ? own : document_flop_ceiling(document, kind);
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

void remark_what(struct text *text, const struct remark *remark) {
  text_plain(text, remark->text);
  if (remark->launches.known)
    text_format(text, " (%llu)", (unsigned long long)remark->launches.value);
}

enum { IS_MEASURED = 1, IS_DATASHEET = 2, IS_DERIVED = 4 };

/* Each chip's ceilings of L1 and shared memory are derived: that is not told of all together. */
static unsigned source_bits(const struct ceiling *ceiling, bool is_rate_of_units) {
  return !strcmp(ceiling->source, "measured")    ? IS_MEASURED
         : strncmp(ceiling->source, "derived", 7) ? IS_DATASHEET
                                                  : is_rate_of_units * IS_DERIVED;
}

const char *document_ceiling_source(const struct document *document) {
  static const char *const texts[2][8] = {
      {"", "measured", "datasheet", "measured and datasheet", "derived", "measured and derived", "datasheet and derived",
       "measured, datasheet and derived"},
      {"", "measured", "datasheet, not checked", "measured and datasheet, not checked", "derived, not checked",
       "measured and derived, not checked", "datasheet and derived, not checked", "measured, datasheet and derived, not checked"}};
  unsigned sources = 0;
  bool unchecked = false;
  for (size_t i = 0; i < document->flop_ceiling_count + document->byte_ceiling_count; ++i) {
    size_t memory = i - document->flop_ceiling_count;
    const struct ceiling *ceiling =
        i < document->flop_ceiling_count ? &document->flop_ceilings[i] : &document->byte_ceilings[memory];
    sources |= source_bits(ceiling, i < document->flop_ceiling_count);
    unchecked |= strstr(ceiling->source, ", not checked") != NULL;
  }
  return texts[unchecked][sources];
}

const char *document_time_source(const struct document *document) {
  static const char *const sources[] = {"", "cupti", "event", "cpu"};
  const char *source = "";
  for (size_t i = 0; i < document->region_count + document->kernel_count; ++i) {
    const struct entry *entry =
        i < document->region_count ? &document->regions[i] : &document->kernels[i - document->region_count];
    if (!entry_count(entry, COUNT_TIME).known || !*entry_string(entry, STRING_TIME_SOURCE))
      continue;
    if (*source && strcmp(source, entry_string(entry, STRING_TIME_SOURCE)))
      return "mixed";
    source = entry_string(entry, STRING_TIME_SOURCE);
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
