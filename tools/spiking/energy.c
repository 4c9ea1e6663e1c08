// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spiking/energy.h"

#include "common/options.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

/* An addition, and with a multiplication before it. */
#define ADD_AND_MULTIPLY(precision, add, multiply)                                                           \
  { precision, add, (add) + (multiply) }
#define SYNAPTIC_OPERATION(picojoules)                                                                       \
  {                                                                                                          \
    { "", picojoules, 0 }                                                                                    \
  }

#define OF_A_PROCESS                                                                                         \
  "an accumulate is an addition, a multiply-accumulate a multiplication and an addition; memory, control "   \
  "and leakage are not in it"
#define OF_A_CHIP                                                                                            \
  "an accumulate is a synaptic operation of the chip, as its authors give it: with its memory, and on "      \
  "their networks; the chip's "                                                                              \
  "energy of a multiply-accumulate is not published, so that sums with one, and the dense network, are "     \
  "unknown"

const struct energy_table energy_tables[] = {
    {"45nm",
     "45 nm CMOS at 0.9 V",
     {ADD_AND_MULTIPLY("fp32", 0.9, 3.7), ADD_AND_MULTIPLY("fp16", 0.4, 1.1),
      ADD_AND_MULTIPLY("int32", 0.1, 3.1), ADD_AND_MULTIPLY("int8", 0.03, 0.2)},
     OF_A_PROCESS,
     "M. Horowitz, Computing's energy problem (and what we can do about it), ISSCC 2014"},
    {"7nm",
     "7 nm CMOS",
     {ADD_AND_MULTIPLY("fp32", 0.38, 1.31), ADD_AND_MULTIPLY("fp16", 0.16, 0.34),
      ADD_AND_MULTIPLY("bf16", 0.11, 0.21), ADD_AND_MULTIPLY("int32", 0.03, 1.48),
      ADD_AND_MULTIPLY("int8", 0.007, 0.07)},
     OF_A_PROCESS,
     "N. P. Jouppi et al., Ten lessons from three generations shaped Google's TPUv4i, ISCA 2021, table 2"},
    {"truenorth", "IBM TrueNorth, 28 nm", SYNAPTIC_OPERATION(26), OF_A_CHIP,
     "P. A. Merolla et al., A million spiking-neuron integrated circuit with a scalable communication "
     "network and interface, Science "
     "345, 2014"},
    {"loihi", "Intel Loihi, 14 nm", SYNAPTIC_OPERATION(23.6), OF_A_CHIP,
     "M. Davies et al., Loihi: a neuromorphic manycore processor with on-chip learning, IEEE Micro 38(1), "
     "2018"},
    {"odin", "ODIN, 28 nm FDSOI at 0.55 V", SYNAPTIC_OPERATION(12.7), OF_A_CHIP,
     "C. Frenkel et al., A 0.086-mm2 12.7-pJ/SOP 64k-synapse 256-neuron online-learning digital spiking "
     "neuromorphic processor in 28-nm "
     "CMOS, IEEE TBioCAS 13(1), 2019"},
    {"reckon", "ReckOn, 28 nm FDSOI", SYNAPTIC_OPERATION(5.3), OF_A_CHIP,
     "C. Frenkel and G. Indiveri, ReckOn: a 28nm sub-mm2 task-agnostic spiking recurrent neural network "
     "processor enabling on-chip "
     "learning over second-long timescales, ISSCC 2022"},
    {"seneca", "SENECA, 22 nm FDX", SYNAPTIC_OPERATION(2.8), OF_A_CHIP,
     "G. Tang et al., SENECA: building a fully digital neuromorphic processor, design trade-offs and "
     "challenges, Frontiers in "
     "Neuroscience 17, 2023"},
};
const size_t energy_table_count = sizeof energy_tables / sizeof *energy_tables;

/* ---- Names ---- */

static const struct energy_table *find_table(const char *name, size_t length) {
  for (size_t i = 0; i < energy_table_count; ++i)
    if (strlen(energy_tables[i].name) == length && !strncmp(energy_tables[i].name, name, length))
      return &energy_tables[i];
  return NULL;
}

static const struct energy_operation *find_operation(const struct energy_table *table, const char *precision,
                                                     size_t length) {
  for (size_t i = 0; i < ENERGY_OPERATIONS_MOST && table->operations[i].precision; ++i)
    if (strlen(table->operations[i].precision) == length &&
        !strncmp(table->operations[i].precision, precision, length))
      return &table->operations[i];
  return NULL;
}

static char *no_table(const char *name, size_t length) {
  const char *names[sizeof energy_tables / sizeof *energy_tables];
  char *own = format_string("%.*s", (int)length, name);
  for (size_t i = 0; i < energy_table_count; ++i)
    names[i] = energy_tables[i].name;
  const char *near = nearest_name(own, names, energy_table_count);
  char *why =
      near
          ? format_string(
                "there is no energy table '%s'; did you mean '%s'? 'gpuprof report --energy list' shows all.",
                own, near)
          : format_string("there is no energy table '%s'; 'gpuprof report --energy list' shows all.", own);
  free(own);
  return why;
}

static char *no_precision(const struct energy_table *table, const char *precision, size_t length) {
  struct text list = {0};
  for (size_t i = 0; i < ENERGY_OPERATIONS_MOST && table->operations[i].precision; ++i)
    text_format(&list, "%s%s", i ? ", " : "", table->operations[i].precision);
  char *why = *text_get(&list)
                  ? format_string("energy table '%s' has no '%.*s'; it has %s.", table->name, (int)length,
                                  precision, text_get(&list))
                  : format_string("energy table '%s' is of a chip and has no precisions; write '%s' alone.",
                                  table->name, table->name);
  text_free(&list);
  return why;
}

char *energy_parse(struct energy_choices *choices, const char *names) {
  *choices = (struct energy_choices){.count = 0};
  for (const char *at = names;; ++at) {
    const size_t length = strcspn(at, ","), name = strcspn(at, ":,");
    const struct energy_table *table = find_table(at, name);
    if (!table)
      return no_table(at, name);
    const struct energy_operation *operation =
        name < length ? find_operation(table, at + name + 1, length - name - 1) : table->operations;
    if (!operation)
      return no_precision(table, at + name + 1, length - name - 1);
    if (choices->count == ENERGY_CHOICES_MOST)
      return format_string("--energy takes %d names at most.", ENERGY_CHOICES_MOST);
    choices->items[choices->count++] = (struct energy_choice){table, operation};
    at += length;
    if (!*at)
      return NULL;
  }
}

void energy_name(struct text *out, const struct energy_choice *choice) {
  text_add(out, choice->table->name);
  text_format(out, "%s%s", *choice->operation->precision ? ":" : "", choice->operation->precision);
}

void energy_title(struct text *out, const struct energy_choice *choice) {
  text_format(out, "Energy, an estimate: %s", choice->table->shown);
  text_format(out, "%s%s", *choice->operation->precision ? ", " : "", choice->operation->precision);
}

void energy_method(struct text *out, const struct energy_choice *choice) {
  const struct energy_operation *operation = choice->operation;
  text_format(out, "An estimate, not a measurement: operations times %.4g pJ an accumulate",
              operation->accumulate);
  if (operation->multiply_accumulate > 0)
    text_format(out, " and %.4g pJ a multiply-accumulate", operation->multiply_accumulate);
  text_format(out, "; %s. dense: every possible operation as a multiply-accumulate. Source: %s.",
              choice->table->method, choice->table->source);
}

/* ---- Joules ---- */

static struct number cost(struct count operations, double picojoules) {
  if (!operations.known || (operations.value && picojoules <= 0))
    return (struct number){0};
  return (struct number){true, (double)operations.value * picojoules * 1e-12};
}

static struct number sum_of(struct number a, struct number b) {
  return (struct number){a.known && b.known, a.known && b.known ? a.value + b.value : 0};
}

struct energy energy_of(const struct energy_choice *choice, const struct layer_counts *counts) {
  struct energy energy = {.accumulates = cost(counts->accumulates, choice->operation->accumulate),
                          .multiplies = cost(counts->multiplies, choice->operation->multiply_accumulate),
                          .dense = cost(counts->possible, choice->operation->multiply_accumulate)};
  energy.sum = sum_of(energy.accumulates, energy.multiplies);
  return energy;
}

struct energy energy_total(const struct energy_choice *choice, const struct layers *layers) {
  struct energy total = {.sum = {0}};
  bool first = true;
  for (size_t i = 0; i < layers->count; ++i) {
    if (!layers->items[i].counts.operations.known || !layer_is_in_total(layers, i))
      continue;
    const struct energy own = energy_of(choice, &layers->items[i].counts);
    total.accumulates = first ? own.accumulates : sum_of(total.accumulates, own.accumulates);
    total.multiplies = first ? own.multiplies : sum_of(total.multiplies, own.multiplies);
    total.sum = first ? own.sum : sum_of(total.sum, own.sum);
    total.dense = first ? own.dense : sum_of(total.dense, own.dense);
    first = false;
  }
  return total;
}

struct number energy_total_items(const struct layers *layers) {
  struct number items = {0};
  bool first = true;
  for (size_t i = 0; i < layers->count; ++i) {
    if (!layers->items[i].counts.operations.known || !layer_is_in_total(layers, i))
      continue;
    const struct number own = layer_items(layers, i);
    if (!own.known || (!first && own.value != items.value))
      return (struct number){0};
    items = own;
    first = false;
  }
  return items;
}

struct number energy_ratio(struct number part, struct number whole) {
  const bool known = part.known && whole.known && whole.value > 0;
  return (struct number){known, known ? part.value / whole.value : 0};
}
