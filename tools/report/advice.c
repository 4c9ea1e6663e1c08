// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/advice.h"

#include "common/numbers.h"
#include "common/text.h"
#include "report/row_advice.h"
#include "spiking/layers.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rules of layers ---- */

#define FEW_SPIKES 0.3 /* below this density skipping pays */
#define MANY_SPIKES 0.5
#define DENSE_WORK 0.5 /* executed FLOPs over those of the dense layer */

typedef bool (*layer_rule)(struct text *why, const struct layer *layer);

static bool is_silent(struct text *why, const struct layer *layer) {
  const struct layer_counts *counts = &layer->counts;
  if (!layer_spikes(counts).known || layer_spikes(counts).value || !counts->silent.value)
    return false;
  text_add(why, "never fires: lower its threshold or scale its input, or leave it out.");
  return true;
}

static bool has_silent_steps(struct text *why, const struct layer *layer) {
  size_t first = 0;
  while (first < layer->step_count && layer_spikes(&layer->steps[first].counts).known &&
         !layer_spikes(&layer->steps[first].counts).value)
    ++first;
  if (!first || first == layer->step_count)
    return false;
  text_format(
      why, "is silent in its first %zu of %zu steps: start its membrane above 0, or leave those steps out.",
      first, layer->step_count);
  return true;
}

/* A density below, and the FLOPs of a dense layer. */
static bool ignores_silence(struct text *why, const struct layer *layer) {
  const struct layer_counts *counts = &layer->counts;
  if (!counts->density.known || counts->density.value >= FEW_SPIKES || !counts->flops.known ||
      !counts->possible.value ||
      (double)counts->flops.value < 2 * DENSE_WORK * (double)counts->possible.value)
    return false;
  text_add(why, "needs ");
  number_percent(why, 100 * counts->density.value);
  text_add(why, " of the operations of its dense layer and executes about all of them: an event-driven "
                "kernel skips the rest.");
  return true;
}

static bool fires_often(struct text *why, const struct layer *layer) {
  const struct number density =
      layer->counts.density.known ? layer->counts.density : layer->counts.firing_rate;
  if (!density.known || density.value < MANY_SPIKES)
    return false;
  text_add(why, layer->counts.density.known ? "does " : "fires with ");
  number_percent(why, 100 * density.value);
  text_add(why, layer->counts.density.known
                    ? " of the operations of its dense layer: a dense kernel is as good here."
                    : " of its values: an event-driven kernel after it has little to skip.");
  return true;
}

static bool multiplies(struct text *why, const struct layer *layer) {
  const struct layer_counts *counts = &layer->counts;
  if (!counts->multiplies.value || !counts->operations.value ||
      counts->multiplies.value < counts->operations.value / 2)
    return false;
  number_percent(why, 100 * (double)counts->multiplies.value / (double)counts->operations.value);
  text_add(why, " of its synaptic operations multiply: its input is no spike train, so encode it if energy "
                "is to be that of accumulates.");
  return true;
}

/* ---- Each rule once ---- */

static uint64_t weight_of(const struct entry *entry) {
  const struct count time = entry_count(entry, COUNT_TIME), flops = entry_count(entry, COUNT_FLOPS);
  return time.known && time.value ? time.value : flops.value;
}

static void add_for_row(struct text *out, const struct document *document, row_rule rule, advice_function add) {
  const bool kernels = document->kernel_count > 0;
  const struct entry *entries = kernels ? document->kernels : document->regions;
  const size_t count = kernels ? document->kernel_count : document->region_count;
  const struct entry *heaviest = NULL;
  size_t others = 0;
  for (size_t i = 0; i < count; ++i) {
    struct text why = {0};
    const bool holds = rule(&why, document, &entries[i]);
    text_free(&why);
    if (!holds)
      continue;
    others += heaviest != NULL;
    if (!heaviest || weight_of(&entries[i]) > weight_of(heaviest))
      heaviest = &entries[i];
  }
  if (!heaviest)
    return;
  struct text sentence = {0};
  char *title = entry_title(heaviest);
  text_plain(&sentence, title);
  if (others)
    text_format(&sentence, " (and %zu more)", others);
  text_add(&sentence, " ");
  rule(&sentence, document, heaviest);
  add(out, text_get(&sentence));
  free(title);
  text_free(&sentence);
}

/* Only of layers that hold no other: a sum of layers is none. */
static bool is_innermost(const struct layers *layers, size_t layer) {
  return layer + 1 == layers->count || layers->items[layer + 1].parent != layer;
}

static void add_for_layer(struct text *out, const struct layers *layers, layer_rule rule,
                          advice_function add) {
  struct text sentence = {0};
  size_t others = 0;
  for (size_t i = 0; i < layers->count; ++i) {
    struct text why = {0};
    if (is_innermost(layers, i) && rule(&why, &layers->items[i])) {
      if (sentence.length)
        ++others;
      else
        text_format(&sentence, "%s: %s", layers->items[i].path, text_get(&why));
    }
    text_free(&why);
  }
  if (others)
    text_format(&sentence, " The same of %zu more.", others);
  if (sentence.length)
    add(out, text_get(&sentence));
  text_free(&sentence);
}

void report_advice(struct text *out, const struct document *document, const struct selection *selection,
                   advice_function add) {
  static const layer_rule layer_rules[] = {is_silent, has_silent_steps, ignores_silence, fires_often,
                                           multiplies};
  for (const row_rule *rule = row_rules; *rule; ++rule)
    add_for_row(out, document, *rule, add);
  struct layers layers = layers_of(document, false, LAYERS_SPIKING);
  if (!layers.count && selection->kernels) {
    layers_free(&layers);
    layers = layers_of(document, true, LAYERS_SPIKING);
  }
  for (size_t i = 0; i < sizeof layer_rules / sizeof *layer_rules; ++i)
    add_for_layer(out, &layers, layer_rules[i], add);
  layers_free(&layers);
  if (document_is_cpu(document) && document->kernel_count)
    add(out, "No GPU ran, so that no time is known: run the same program on a GPU for times and percentages "
             "of the roof.");
}
