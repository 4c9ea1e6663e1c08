// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_ceilings.h"

#include <string.h>

/* A list of ceilings: `key` names each, `unit` may be null. */
struct list {
  const char *key, *unit;
  const char *const *names;
  const double *rates;
  int count;
  unsigned measured, derived;
};

static const char *source_of(const struct gp_ceilings *c, int is_measured, int is_derived) {
  static const char *const sources[2][2] = {{"datasheet", "datasheet, not checked"}, {"derived", "derived, not checked"}};
  return is_measured ? "measured" : sources[is_derived][c->is_unchecked];
}

static void write_list(struct gp_json *json, const struct gp_ceilings *c, const struct list *list) {
  for (int i = 0; i < list->count; i++) {
    if (list->rates[i] <= 0)
      continue;
    gp_json_object(json, NULL);
    gp_json_text(json, list->key, list->names[i]);
    if (list->unit)
      gp_json_text(json, "unit", list->unit);
    gp_json_real(json, "per_second", list->rates[i]);
    gp_json_text(json, "source", source_of(c, list->measured >> i & 1, list->derived >> i & 1));
    gp_json_close_object(json);
  }
}

static void write_tensor_row(struct gp_json *json, int precision, const char *instruction, double per_second, const char *source) {
  if (per_second <= 0)
    return;
  gp_json_object(json, NULL);
  gp_json_text(json, "precision", gp_tensor_names[precision]);
  gp_json_text(json, "unit", "tensor");
  gp_json_text(json, "instruction", instruction);
  gp_json_real(json, "per_second", per_second);
  gp_json_text(json, "source", source);
  gp_json_close_object(json);
}

/* A row an instruction, the fastest first. */
static void write_tensor(struct gp_json *json, const struct gp_ceilings *c) {
  for (int i = 0; i < GP_TENSOR_COUNT; i++) {
    const char *fastest = gp_tensor_instruction(c, i);
    write_tensor_row(json, i, fastest, c->tensor[i], source_of(c, c->measured.tensor >> i & 1, c->derived.tensor >> i & 1));
    if (strcmp(fastest, "mma.sync"))
      write_tensor_row(json, i, "mma.sync", c->mma_sync[i], c->measured.mma_sync & 1u << i ? "measured" : "measured on an H200");
  }
}

static void write_special(struct gp_json *json, const struct gp_ceilings *c) {
  gp_json_object(json, "special_functions");
  if (c->special > 0)
    gp_json_real(json, "per_second", c->special);
  else
    gp_json_null(json, "per_second");
  gp_json_text(json, "source", c->special > 0 ? source_of(c, c->measured.special, c->derived.special) : NULL);
  gp_json_close_object(json);
}

void gp_report_ceilings(struct gp_json *json, const struct gp_ceilings *c) {
  const struct list core = {"precision", "core", gp_core_names, c->core, GP_CORE_COUNT, c->measured.core, c->derived.core};
  const struct list bytes = {"level", NULL, gp_level_names, c->bytes, GP_LEVEL_COUNT, c->measured.bytes, c->derived.bytes};
  const struct list integer = {"operation",        NULL, gp_integer_names, c->integer, GP_INTEGER_COUNT,
                               c->measured.integer,  c->derived.integer};
  gp_json_object(json, "ceilings");
  gp_json_array(json, "flops");
  write_list(json, c, &core);
  write_tensor(json, c);
  gp_json_close_array(json);
  gp_json_array(json, "bytes");
  write_list(json, c, &bytes);
  gp_json_close_array(json);
  write_special(json, c);
  gp_json_array(json, "integer");
  write_list(json, c, &integer);
  gp_json_close_array(json);
  gp_json_close_object(json);
}
