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

const char *document_ceiling_source(const struct document *document) {
  bool measured = false, datasheet = false, unchecked = false;
  for (size_t i = 0; i < document->flop_ceiling_count + document->byte_ceiling_count; ++i) {
    size_t memory = i - document->flop_ceiling_count;
    const struct ceiling *ceiling =
        i < document->flop_ceiling_count ? &document->flop_ceilings[i] : &document->byte_ceilings[memory];
    measured |= !strcmp(ceiling->source, "measured");
    unchecked |= !strcmp(ceiling->source, "datasheet, not checked");
    datasheet |= strcmp(ceiling->source, "measured") != 0;
  }
  return measured && unchecked   ? "measured and datasheet, not checked"
         : unchecked             ? "datasheet, not checked"
         : measured && datasheet ? "measured and datasheet"
         : measured              ? "measured"
         : datasheet             ? "datasheet"
                                 : "";
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
