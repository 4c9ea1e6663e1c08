// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report for programs: every count as the exact integer it is, as CSV or as JSON rows. */
#include "report/formats.h"

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
  char kind_names[FLOP_KIND_COUNT][32]; /* "fp32_flops", "tensor_int8_ops" */
};

static void name_kinds(struct writer *writer) {
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i) {
    const struct flop_kind_row *kind = &flop_kinds[i];
    snprintf(writer->kind_names[i], sizeof writer->kind_names[i], "%s%s%s_%s", kind->group, *kind->key ? "_" : "",
             kind->key, kind->in_total ? "flops" : "ops");
  }
}

static void write_row(struct text *out, const struct writer *writer, const struct document *document,
                      const struct entry *entry) {
  writer->string(out, "file", document->file, true);
  writer->string(out, "type", entry->is_kernel ? "kernel" : "region", false);
  writer->string(out, "path", entry->path, false);
  writer->string(out, "name", entry->name, false);
  writer->string(out, "phase", entry_string(entry, STRING_PHASE), false);
  writer->string(out, "category", entry_string(entry, STRING_CATEGORY), false);
  writer->string(out, "device", document->device_kind, false);
  writer->string(out, "chip", document->chip, false);
  writer->string(out, "time_source", entry_string(entry, STRING_TIME_SOURCE), false);
  for (size_t i = 0; i < COUNT_COUNT; ++i)
    writer->integer(out, count_names[i].name, entry_count(entry, (enum entry_count)i));
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i)
    writer->integer(out, writer->kind_names[i], entry_flops(entry, (enum flop_kind)i));
  writer->integer(out, "accumulate_flops", entry_accumulate_flops(entry));
  writer->integer(out, "requested_bytes", entry_requested_bytes(entry));
  writer->real(out, "intensity_requested", entry_number(entry, NUMBER_INTENSITY_REQUESTED));
  writer->real(out, "intensity_dram", entry_number(entry, NUMBER_INTENSITY_DRAM));
  writer->string(out, "dram_source", entry_string(entry, STRING_DRAM_SOURCE), false);
  writer->string(out, "bound", entry_string(entry, STRING_BOUND), false);
  writer->real(out, "attained_per_second", entry_number(entry, NUMBER_ATTAINED));
  writer->real(out, "attainable_per_second", entry_number(entry, NUMBER_ATTAINABLE));
  writer->real(out, "percent", entry_number(entry, NUMBER_PERCENT));
  writer->string(out, "status", entry_string(entry, STRING_STATUS), false);
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
        text_pass_on(out);
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
    text_unsigned(out, value.value);
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
  struct writer head = {.string = head_string, .integer = head_integer, .real = head_real},
                row = {.string = csv_string, .integer = csv_integer, .real = csv_real};
  const struct entry empty = {.name = "", .path = ""};
  name_kinds(&head);
  name_kinds(&row);
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

static void put_name(struct text *out, const char *name, bool first) {
  text_add(out, first ? "\"" : ", \"");
  text_add(out, name);
  text_add(out, "\": ");
}

static void json_string(struct text *out, const char *name, const char *value, bool first) {
  put_name(out, name, first);
  if (*value)
    json_quoted(out, value);
  else
    text_add(out, "null");
}

static void json_integer(struct text *out, const char *name, struct count value) {
  put_name(out, name, false);
  if (value.known)
    text_unsigned(out, value.value);
  else
    text_add(out, "null");
}

static void json_real(struct text *out, const char *name, struct number value) {
  put_name(out, name, false);
  if (value.known)
    text_format(out, "%.17g", value.value);
  else
    text_add(out, "null");
}

void report_json(struct text *out, const struct document *documents, size_t count,
                 const struct selection *selection) {
  struct writer row = {.string = json_string, .integer = json_integer, .real = json_real};
  name_kinds(&row);
  text_add(out, "[\n");
  write_all(out, &row, documents, count, selection, "  {", ",\n", "}");
  text_add(out, "\n]\n");
}
