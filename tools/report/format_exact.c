// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report for programs: every count as the exact integer it is, as CSV or as JSON rows. */
#include "report/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
} count_names[COUNT_COUNT] = {
#define GP_COUNT_NAME(id, path, name) {name},
    GP_ENTRY_COUNTS(GP_COUNT_NAME)
#undef GP_COUNT_NAME
};

/* What a row is made of: each writer gets the same fields in the same order. */
struct writer {
  void (*string)(struct text *out, const char *name, const char *value, bool first);
  void (*integer)(struct text *out, const char *name, struct count value);
  void (*real)(struct text *out, const char *name, struct number value);
};

static void kind_name(char *name, size_t size, const struct flop_kind_row *kind) {
  if (*kind->key)
    snprintf(name, size, "%s_%s_%s", kind->group, kind->key, kind->in_total ? "flops" : "ops");
  else
    snprintf(name, size, "%s_flops", kind->group);
}

static void write_row(struct text *out, const struct writer *writer, const struct document *document,
                      const struct entry *entry) {
  char name[64];
  writer->string(out, "file", document->file, true);
  writer->string(out, "type", entry->is_kernel ? "kernel" : "region", false);
  writer->string(out, "path", entry->path, false);
  writer->string(out, "name", entry->name, false);
  writer->string(out, "phase", entry->phase, false);
  writer->string(out, "category", entry->category, false);
  writer->string(out, "device", document->device_kind, false);
  writer->string(out, "chip", document->chip, false);
  writer->string(out, "time_source", entry->time_source, false);
  for (size_t i = 0; i < COUNT_COUNT; ++i)
    writer->integer(out, count_names[i].name, entry_count(entry, (enum entry_count)i));
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i) {
    kind_name(name, sizeof name, &flop_kinds[i]);
    writer->integer(out, name, entry_flops(entry, (enum flop_kind)i));
  }
  writer->integer(out, "accumulate_flops", entry->accumulate_flops);
  writer->integer(out, "requested_bytes", entry->requested_bytes);
  writer->real(out, "intensity_requested", entry->intensity_requested);
  writer->real(out, "intensity_dram", entry->intensity_dram);
  writer->string(out, "dram_source", entry->dram_source, false);
  writer->string(out, "bound", entry->bound, false);
  writer->real(out, "attained_per_second", entry->attained);
  writer->real(out, "attainable_per_second", entry->attainable);
  writer->real(out, "percent", entry->percent);
  writer->string(out, "status", entry->status, false);
}

static void write_all(struct text *out, const struct writer *writer, const struct document *documents,
                      size_t count, const struct selection *selection, const char *begin, const char *between,
                      const char *end) {
  bool first = true;
  for (size_t d = 0; d < count; ++d)
    for (int kernels = 0; kernels <= 1; ++kernels) {
      const struct entry *entries = kernels ? documents[d].kernels : documents[d].regions;
      size_t rows = kernels ? documents[d].kernel_count : documents[d].region_count;
      if (!(kernels ? selection->kernels : selection->regions))
        continue;
      for (size_t i = 0; i < rows; ++i) {
        text_add(out, first ? "" : between);
        text_add(out, begin);
        write_row(out, writer, &documents[d], &entries[i]);
        text_add(out, end);
        first = false;
      }
    }
}

/* ---- CSV: RFC 4180; unknown is an empty field ---- */

/* Programs for tables take a text that begins so for a formula, and may run it: an apostrophe before it says text. */
static bool is_formula(const char *value) { return *value && strchr("=+-@", *value); }

static void csv_quoted(struct text *out, const char *value) {
  struct text clean = {0};
  text_plain(&clean, value);
  bool formula = is_formula(text_get(&clean)), quote = formula || strpbrk(text_get(&clean), ",\"");
  text_add(out, quote ? "\"" : "");
  text_add(out, formula ? "'" : "");
  for (const char *at = text_get(&clean); *at; ++at) {
    if (*at == '"')
      text_add(out, "\"");
    text_bytes(out, at, 1);
  }
  text_add(out, quote ? "\"" : "");
  text_free(&clean);
}

static void csv_string(struct text *out, const char *name, const char *value, bool first) {
  (void)name;
  text_add(out, first ? "" : ",");
  csv_quoted(out, value);
}

static void csv_integer(struct text *out, const char *name, struct count value) {
  (void)name;
  text_add(out, ",");
  if (value.known)
    text_format(out, "%" PRIu64, value.value);
}

static void csv_real(struct text *out, const char *name, struct number value) {
  (void)name;
  text_add(out, ",");
  if (value.known)
    text_format(out, "%.17g", value.value);
}

static void head_string(struct text *out, const char *name, const char *value, bool first) {
  (void)value;
  text_format(out, "%s%s", first ? "" : ",", name);
}

static void head_integer(struct text *out, const char *name, struct count value) {
  (void)value;
  text_format(out, ",%s", name);
}

static void head_real(struct text *out, const char *name, struct number value) {
  (void)value;
  text_format(out, ",%s", name);
}

void report_csv(struct text *out, const struct document *documents, size_t count,
                const struct selection *selection) {
  static const struct writer head = {head_string, head_integer, head_real};
  static const struct writer row = {csv_string, csv_integer, csv_real};
  const struct entry empty = {.name = "",
                              .path = "",
                              .phase = "",
                              .category = "",
                              .time_source = "",
                              .dram_source = "",
                              .bound = "",
                              .status = ""};
  write_row(out, &head, &documents[0], &empty);
  text_add(out, "\n");
  write_all(out, &row, documents, count, selection, "", "", "\n");
}

/* ---- JSON: an array of flat objects; unknown is null ---- */
static void json_quoted(struct text *out, const char *value) {
  struct text clean = {0};
  text_plain(&clean, value);
  text_add(out, "\"");
  for (const char *at = text_get(&clean); *at; ++at) {
    if (*at == '"' || *at == '\\')
      text_add(out, "\\");
    text_bytes(out, at, 1);
  }
  text_add(out, "\"");
  text_free(&clean);
}

static void json_string(struct text *out, const char *name, const char *value, bool first) {
  text_format(out, "%s\"%s\": ", first ? "" : ", ", name);
  if (*value)
    json_quoted(out, value);
  else
    text_add(out, "null");
}

static void json_integer(struct text *out, const char *name, struct count value) {
  text_format(out, ", \"%s\": ", name);
  if (value.known)
    text_format(out, "%" PRIu64, value.value);
  else
    text_add(out, "null");
}

static void json_real(struct text *out, const char *name, struct number value) {
  text_format(out, ", \"%s\": ", name);
  if (value.known)
    text_format(out, "%.17g", value.value);
  else
    text_add(out, "null");
}

void report_json(struct text *out, const struct document *documents, size_t count,
                 const struct selection *selection) {
  static const struct writer row = {json_string, json_integer, json_real};
  text_add(out, "[\n");
  write_all(out, &row, documents, count, selection, "  {", ",\n", "}");
  text_add(out, "\n]\n");
}
