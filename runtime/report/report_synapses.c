// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_synapses.h"

#include "base/log.h"

#include <stdlib.h>

void gp_synapses_add_sum(struct gp_synapses *to, enum gp_synapse_sum sum, uint64_t count) {
  switch (sum) {
  case GP_SYNAPSE_ACCUMULATE:
  case GP_SYNAPSE_ACCUMULATE_OF:
    to->accumulates += count;
    break;
  case GP_SYNAPSE_MULTIPLY:
  case GP_SYNAPSE_MULTIPLY_OF:
    to->multiply_accumulates += count;
    break;
  case GP_SYNAPSE_POSSIBLE:
    to->possible += count;
    break;
  case GP_SYNAPSE_NEGATIVE:
    to->negative += count;
    break;
  }
  to->known = 1;
  to->open |= sum == GP_SYNAPSE_ACCUMULATE || sum == GP_SYNAPSE_MULTIPLY;
}

/* ---- The clause: from the instructions of a group ---- */

static int by_group_and_region(const void *a, const void *b) {
  const struct gp_sheet_term *x = *(const struct gp_sheet_term *const *)a,
                             *y = *(const struct gp_sheet_term *const *)b;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return (x->region > y->region) - (x->region < y->region);
}

/* A product and a sum or accumulate of one group and precision are a multiply-accumulate. */
static void derive_core(struct gp_derived_synapses *to, const struct gp_totals *totals) {
  static const struct {
    enum gp_cost add, mul, fma, accumulate;
  } precisions[] = {
#define PRECISION(P) {GP_COST_##P##_add, GP_COST_##P##_mul, GP_COST_##P##_fma, GP_COST_##P##_accumulate}
      PRECISION(fp64), PRECISION(fp32), PRECISION(fp16), PRECISION(bf16)
#undef PRECISION
  };
  for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++) {
    const uint64_t sums = totals->amount[precisions[i].add] + totals->amount[precisions[i].accumulate],
                   products = totals->amount[precisions[i].mul], pairs = products < sums ? products : sums;
    to->accumulates += sums - pairs;
    to->multiply_accumulates += pairs + totals->amount[precisions[i].fma];
  }
}

static void derive(struct gp_derived_synapses *to, const struct gp_totals *totals) {
  derive_core(to, totals);
  to->multiply_accumulates += gp_totals_group_flops(totals, "tensor") / 2;
}

struct gp_derived_synapses *gp_synapses_derive(const struct gp_sheet_kernel *kernel, size_t *count) {
  const struct gp_sheet_term **terms = malloc((kernel->term_count + 1) * sizeof *terms);
  struct gp_derived_synapses *all = calloc(kernel->term_count + 1, sizeof *all);
  *count = 0;
  if (!terms || !all) {
    free(terms);
    free(all);
    return NULL;
  }
  for (size_t i = 0; i < kernel->term_count; i++)
    terms[i] = &kernel->terms[i];
  if (kernel->term_count)
    qsort(terms, kernel->term_count, sizeof *terms, by_group_and_region);
  for (size_t i = 0, next; i < kernel->term_count; i = next) {
    struct gp_totals totals = {0};
    for (next = i; next < kernel->term_count && !by_group_and_region(&terms[i], &terms[next]); next++)
      totals.amount[terms[next]->cost] += terms[next]->amount;
    all[*count] = (struct gp_derived_synapses){.group = terms[i]->group, .region = terms[i]->region};
    derive(&all[(*count)++], &totals);
  }
  free(terms);
  return all;
}

void gp_synapses_add_derived(struct gp_synapses *to, const struct gp_derived_synapses *derived,
                             uint64_t executions) {
  to->accumulates += derived->accumulates * executions;
  to->multiply_accumulates += derived->multiply_accumulates * executions;
  to->known = to->open = 1;
}

/* ---- Writing ---- */

static uint64_t operations(const struct gp_synapses *s) { return s->accumulates + s->multiply_accumulates; }

static int is_bounded(const struct gp_synapses *s) { return s->known && !s->open; }

/* Without those of inner rows, which have remarks of their own. */
static uint64_t own_negative(const struct gp_row *row) {
  uint64_t inner = 0;
  for (const struct gp_row *child = row->children; child; child = child->next)
    inner += child->values.synapses.negative;
  return row->values.synapses.negative > inner ? row->values.synapses.negative - inner : 0;
}

void gp_synapses_remark(const struct gp_row *row) {
  const struct gp_synapses *s = &row->values.synapses;
  const uint64_t negative = own_negative(row);
  if (row->mangled) /* a kernel's directives stand in its regions */
    return;
  if (negative)
    gp_remark(row->path,
              "%llu times '#pragma gpuprof synapse' was given a negative number, and counted nothing: give it "
              "the number of events, 0 or more",
              (unsigned long long)negative);
  if (is_bounded(s) && operations(s) > s->possible)
    gp_remark(row->path,
              "more synaptic operations were done than inputs(n) of '#pragma gpuprof synapse' makes possible, "
              "so that none are skipped: give inputs the number of all that could have fired");
}

/* In the order of their values. */
static const char *const keys[] = {
    "synaptic_ops",      "synaptic_accumulates", "synaptic_multiply_accumulates",
    "synaptic_possible", "synaptic_skipped",     "synaptic_density"};
#define KEYS (sizeof keys / sizeof *keys)

static void count_or_null(struct gp_json *json, const char *key, uint64_t count, int known) {
  if (known)
    gp_json_unsigned(json, key, count);
  else
    gp_json_null(json, key);
}

/* `names`: of the members, or nulls for items. */
static void write_values(struct gp_json *json, const char *const *names, const struct gp_synapses *s) {
  const uint64_t all = operations(s);
  const int known = s->known, bounded = is_bounded(s);
  count_or_null(json, names[0], all, known);
  count_or_null(json, names[1], s->accumulates, known);
  count_or_null(json, names[2], s->multiply_accumulates, known);
  count_or_null(json, names[3], s->possible, bounded);
  count_or_null(json, names[4], s->possible - all, bounded && s->possible >= all);
  if (bounded && s->possible)
    gp_json_real(json, names[5], (double)all / (double)s->possible);
  else
    gp_json_null(json, names[5]);
}

void gp_report_synapse_members(struct gp_json *json, const struct gp_synapses *synapses) {
  write_values(json, keys, synapses);
}

void gp_report_synapse_items(struct gp_json *json, const struct gp_synapses *synapses) {
  static const char *const none[KEYS];
  write_values(json, none, synapses);
}

void gp_report_synapse_columns(struct gp_json *json) {
  for (size_t i = 0; i < KEYS; i++)
    gp_json_text(json, NULL, keys[i]);
}

void gp_report_no_synapses(struct gp_json *json) {
  for (size_t i = 0; i < KEYS; i++)
    gp_json_null(json, NULL);
}
