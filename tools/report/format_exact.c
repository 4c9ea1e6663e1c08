// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The report for programs: every count as the exact integer it is, as CSV or as JSON rows. */
#include "report/formats.h"
#include "report/json_fields.h"

#include "spiking/energy.h"
#include "spiking/layers.h"

#include <stdio.h>
#include <stdlib.h>
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

/* Why a row that states items has no items/s; "" where it has, or states none. */
static const char *why_no_rate(const struct layer_counts *counts, const char *time_source) {
  if (!counts->items.known || layer_items_per_second(counts).known)
    return "";
  return !strcmp(time_source, "cpu") ? "the time is the CPU device's, not a GPU's" : "no GPU time was measured";
}

static void write_energy(struct text *out, const struct writer *writer, const struct energy_choices *choices, const struct layer_counts *counts) {
  for (size_t i = 0; choices && i < choices->count; ++i) {
    const struct energy energy = energy_of(&choices->items[i], counts);
    const struct {
      const char *name;
      struct number value;
    } fields[] = {{"accumulates", energy.accumulates},
                  {"multiply_accumulates", energy.multiplies},
                  {"operations", energy.sum},
                  {"dense", energy.dense},
                  {"per_item", energy_ratio(energy.sum, counts->items)}};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f) {
      char *name = format_string("estimated_%s%s%s_%s_joules", choices->items[i].table->name, *choices->items[i].operation->precision ? "_" : "",
                                 choices->items[i].operation->precision, fields[f].name);
      writer->real(out, name, fields[f].value);
      free(name);
    }
  }
}

static void write_row(struct text *out, const struct writer *writer, const struct document *document,
                      const struct selection *selection, const struct entry *entry) {
  const struct layer_counts counts = layer_counts_of(entry);
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
  writer->real(out, "intensity_l1", entry_number(entry, NUMBER_INTENSITY_L1));
  writer->real(out, "intensity_l2", entry_number(entry, NUMBER_INTENSITY_L2));
  writer->real(out, "occupancy", entry_number(entry, NUMBER_OCCUPANCY));
  writer->string(out, "occupancy_limiter", entry_string(entry, STRING_LIMITER), false);
  writer->real(out, "occupancy_achieved", entry_number(entry, NUMBER_ACHIEVED));
  writer->real(out, "registers", entry_number(entry, NUMBER_REGISTERS));
  writer->real(out, "local_bytes_per_thread", entry_number(entry, NUMBER_LOCAL));
  writer->real(out, "spill_store_bytes_per_thread", entry_number(entry, NUMBER_SPILL_STORES));
  writer->real(out, "spill_load_bytes_per_thread", entry_number(entry, NUMBER_SPILL_LOADS));
  writer->real(out, "waves", entry_number(entry, NUMBER_WAVES));
  writer->real(out, "energy_seconds", entry_number(entry, NUMBER_ENERGY_SECONDS));
  writer->real(out, "firing_rate", entry_number(entry, NUMBER_FIRING_RATE));
  writer->real(out, "synaptic_density", entry_number(entry, NUMBER_SYNAPTIC_DENSITY));
  writer->integer(out, "moved_bytes", layer_moved_bytes(&counts));
  writer->real(out, "items", counts.items);
  writer->real(out, "items_per_second", layer_items_per_second(&counts));
  writer->string(out, "items_per_second_unknown", why_no_rate(&counts, entry_string(entry, STRING_TIME_SOURCE)), false);
  writer->real(out, "energy_joules", counts.joules);
  write_energy(out, writer, selection->energy, &counts);
}

/* ---- Steps ---- */

static void write_number(struct text *out, const struct writer *writer, const char *name, struct value value) {
  if (value.kind == VALUE_WHOLE && value.negative)
    writer->real(out, name, (struct number){true, value.real});
  else
    writer->integer(out, name, (struct count){value.kind == VALUE_WHOLE, value.magnitude});
}

static void write_step(struct text *out, const struct writer *writer, const struct document *document, const struct selection *selection,
                       const struct layer *layer, const struct layer_step *step) {
  const struct layer_counts *counts = &step->counts;
  const struct {
    const char *name;
    struct count value;
  } fields[] = {{"executions", counts->executions},
                {"flops", counts->flops},
                {"requested_bytes", counts->asked},
                {"moved_bytes", layer_moved_bytes(counts)},
                {"unique_bytes", counts->unique},
                {"spikes_positive", counts->positive},
                {"spikes_negative", counts->negative},
                {"silent", counts->silent},
                {"synaptic_ops", counts->operations},
                {"synaptic_accumulates", counts->accumulates},
                {"synaptic_multiply_accumulates", counts->multiplies},
                {"synaptic_possible", counts->possible},
                {"synaptic_skipped", counts->skipped}};
  writer->string(out, "file", document->file, true);
  writer->string(out, "type", layer->entry->is_kernel ? "kernel" : "region", false);
  writer->string(out, "layer", layer->path, false);
  write_number(out, writer, "step", step->number);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
    writer->integer(out, fields[i].name, fields[i].value);
  writer->real(out, "firing_rate", counts->firing_rate);
  writer->real(out, "synaptic_density", counts->density);
  write_energy(out, writer, selection->energy, counts);
}

static void write_steps(struct text *out, const struct writer *writer, const struct document *documents, size_t count,
                        const struct selection *selection, const char *begin, const char *between, const char *end) {
  bool first = true;
  for (size_t d = 0; d < count; ++d)
    for (int kernels = 0; kernels <= 1; ++kernels) {
      if (!(kernels ? selection->kernels : selection->regions))
        continue;
      struct layers layers = layers_of(&documents[d], kernels, LAYERS_ALL);
      for (size_t i = 0; i < layers.count; ++i)
        for (size_t s = 0; s < layers.items[i].step_count; ++s) {
          text_add(out, first ? "" : between);
          text_add(out, begin);
          write_step(out, writer, &documents[d], selection, &layers.items[i], &layers.items[i].steps[s]);
          text_add(out, end);
          text_pass_on(out);
          first = false;
        }
      layers_free(&layers);
    }
}

/* ---- Rows ---- */

static void write_all(struct text *out, const struct writer *writer, const struct document *documents,
                      size_t count, const struct selection *selection, const char *begin, const char *between,
                      const char *end) {
  bool first = true;
  if (selection->steps) {
    write_steps(out, writer, documents, count, selection, begin, between, end);
    return;
  }
  for (size_t d = 0; d < count; ++d)
    for (int kernels = 0; kernels <= 1; ++kernels) {
      const struct entry *entries = kernels ? documents[d].kernels : documents[d].regions;
      size_t rows = kernels ? documents[d].kernel_count : documents[d].region_count;
      if (!(kernels ? selection->kernels : selection->regions))
        continue;
      for (size_t i = 0; i < rows; ++i) {
        text_add(out, first ? "" : between);
        text_add(out, begin);
        write_row(out, writer, &documents[d], selection, &entries[i]);
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
  const struct layer layer = {.entry = &empty, .path = ""};
  const struct layer_step step = {.number = {.kind = VALUE_WHOLE}};
  if (selection->steps)
    write_step(out, &head, &documents[0], selection, &layer, &step);
  else
    write_row(out, &head, &documents[0], selection, &empty);
  text_add(out, "\n");
  write_all(out, &row, documents, count, selection, "", "", "\n");
}

/* ---- JSON: an array of flat objects; unknown is null ---- */
void report_json(struct text *out, const struct document *documents, size_t count,
                 const struct selection *selection) {
  struct writer row = {.string = json_field_string, .integer = json_field_integer, .real = json_field_real};
  name_kinds(&row);
  text_add(out, "[\n");
  write_all(out, &row, documents, count, selection, "  {", ",\n", "}");
  text_add(out, "\n]\n");
}
