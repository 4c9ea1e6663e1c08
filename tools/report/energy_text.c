// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/energy_text.h"

#include "common/numbers.h"

static struct number of_run(const struct document *document, const char *path) {
  return number_of(json_find(&document->tree, &document->tree.root, path));
}

static void add_power(struct text *out, double joules, double seconds) {
  number_joules(out, joules);
  text_add(out, " in ");
  number_time(out, 1e9 * seconds);
  text_add(out, ", ");
  number_si(out, joules / seconds, "W");
}

void energy_of_run(struct text *out, const struct document *document, const char *separator) {
  const struct number joules = of_run(document, "energy.joules"), seconds = of_run(document, "energy.seconds"),
                      idle = of_run(document, "energy.idle_watts");
  if (!joules.known || !(seconds.value > 0))
    return;
  add_power(out, joules.value, seconds.value);
  if (!idle.known)
    return;
  text_format(out, "%sidle ", separator);
  number_si(out, idle.value, "W");
}

static void add_each(struct text *out, double joules, struct count operations, const char *name) {
  if (!operations.known || !operations.value)
    return;
  text_add(out, " ");
  number_joules(out, joules / (double)operations.value);
  text_format(out, " a %s.", name);
}

void energy_explain(struct text *out, const struct entry *entry) {
  const struct number joules = entry_number(entry, NUMBER_JOULES), seconds = entry_number(entry, NUMBER_ENERGY_SECONDS);
  const struct count flops = entry_count(entry, COUNT_FLOPS);
  if (!joules.known || !(joules.value > 0) || !(seconds.value > 0))
    return;
  text_add(out, "Measured: ");
  add_power(out, joules.value, seconds.value);
  text_add(out, " of the whole board.");
  add_each(out, joules.value, flops, "FLOP");
  if (flops.value) {
    text_add(out, " ");
    number_si(out, (double)flops.value / joules.value, "FLOP/s");
    text_add(out, " a watt.");
  }
  add_each(out, joules.value, entry_count(entry, COUNT_SYNAPTIC_OPS), "synaptic operation");
}
