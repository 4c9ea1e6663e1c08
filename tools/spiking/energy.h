/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cost of synaptic operations on published hardware: an estimate, never a measurement. */
#ifndef GP_TOOL_ENERGY_H
#define GP_TOOL_ENERGY_H

#include "spiking/layers.h"

/* Picojoules of one operation. */
struct energy_operation {
  const char *precision;                  /* "" for a chip with one kind of operation */
  double accumulate, multiply_accumulate; /* the second is 0 where the chip has no such operation */
};

#define ENERGY_OPERATIONS_MOST 6

struct energy_table {
  const char *name, *shown; /* shown: process or chip, as a person writes it */
  struct energy_operation operations[ENERGY_OPERATIONS_MOST]; /* the first is the default */
  const char *method, *source;                                /* a sentence; a citation */
};
extern const struct energy_table energy_tables[];
extern const size_t energy_table_count;

/* A table and one of its operations. */
struct energy_choice {
  const struct energy_table *table;
  const struct energy_operation *operation;
};

#define ENERGY_CHOICES_MOST 16

struct energy_choices {
  struct energy_choice items[ENERGY_CHOICES_MOST];
  size_t count;
};

/* Reads "NAME[:PRECISION],…". Returns null, or the error: a sentence to be freed by the caller. */
char *energy_parse(struct energy_choices *choices, const char *names);
/* "45nm:fp32", "loihi" */
void energy_name(struct text *out, const struct energy_choice *choice);

/* "Energy, an estimate: 45 nm CMOS at 0.9 V, fp32" */
void energy_title(struct text *out, const struct energy_choice *choice);
/* Method and source, in sentences. */
void energy_method(struct text *out, const struct energy_choice *choice);
/* Joules. */
struct energy {
  struct number accumulates, multiplies, sum;
  struct number dense; /* every possible operation as a multiply-accumulate */
};
struct energy energy_of(const struct energy_choice *choice, const struct layer_counts *counts);
/* Of all layers of a total; unknown if a part of it is. */
struct energy energy_total(const struct energy_choice *choice, const struct layers *layers);
/* Items of all layers of a total, if they state the same. */
struct number energy_total_items(const struct layers *layers);
/* `part` of `whole`, where both are known and the second is not 0. */
struct number energy_ratio(struct number part, struct number whole);

#endif
