// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/advice.h"

#include "common/numbers.h"
#include "common/text.h"
#include "spiking/layers.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rules of kernels ---- */

#define NEAR_ROOF 60 /* per cent of the roof */
#define FAR_FROM_ROOF 25
#define WASTED_BYTES 0.6 /* asked over moved */
#define MUCH_MORE 1.1    /* executed over nominal */

/* Whether the rule holds for a row; its sentence, without the row's name. */
typedef bool (*row_rule)(struct text *why, const struct entry *entry);

static bool is_above_roof(struct text *why, const struct entry *entry) {
  if (strcmp(entry_string(entry, STRING_STATUS), "above_roof"))
    return false;
  text_add(why, "is faster than its roof: a ceiling or a time is wrong, measure the ceilings of this GPU.");
  return true;
}

static bool misses_launches(struct text *why, const struct entry *entry) {
  const struct count missing = entry_count(entry, COUNT_UNCOUNTED);
  if (!missing.value)
    return false;
  text_format(why, "has %llu launches that are not counted: its numbers are lower bounds, see the notes.",
              (unsigned long long)missing.value);
  return true;
}

static bool is_at_roof(struct text *why, const struct entry *entry) {
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  const char *bound = entry_string(entry, STRING_BOUND);
  if (!percent.known || percent.value < NEAR_ROOF || !*bound || !strcmp(bound, "latency"))
    return false;
  text_add(why, "runs at ");
  number_percent(why, percent.value);
  text_format(
      why, " of its roof (%s): only less %s makes it faster, by fusion, a smaller type or skipped work.",
      bound,
      !strcmp(bound, "dram") || !strcmp(bound, "l2") || !strcmp(bound, "l1") || !strcmp(bound, "shared")
          ? "traffic"
          : "work");
  return true;
}

static bool is_far_from_roof(struct text *why, const struct entry *entry) {
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  if (!percent.known || percent.value >= FAR_FROM_ROOF || !*entry_string(entry, STRING_BOUND))
    return false;
  text_add(why, "runs at ");
  number_percent(why, percent.value);
  text_add(why, " of its roof: no resource is busy, so give it more work a launch (several time steps, a "
                "larger batch) or more threads.");
  return true;
}

static bool wastes_bytes(struct text *why, const struct entry *entry) {
  const struct layer_counts counts = layer_counts_of(entry);
  const struct count moved = layer_moved_bytes(&counts);
  if (!counts.asked.known || !moved.value || (double)counts.asked.value >= WASTED_BYTES * (double)moved.value)
    return false;
  text_add(why, "asks for ");
  number_percent(why, 100 * (double)counts.asked.value / (double)moved.value);
  text_add(why, " of the bytes that its requests move: let neighbouring lanes read neighbouring addresses.");
  return true;
}

static bool does_too_much(struct text *why, const struct entry *entry) {
  const struct number ratio = entry_number(entry, NUMBER_EXECUTED_OVER_EXPECTED);
  if (!ratio.known || ratio.value < MUCH_MORE)
    return false;
  text_add(why, "executes ");
  number_plain(why, ratio.value);
  text_add(
      why,
      " times the FLOPs that the program says it needs: look for padding, masked tiles and recomputation.");
  return true;
}

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

static void add_for_row(struct text *out, const struct entry *entries, size_t count, row_rule rule,
                        advice_function add) {
  const struct entry *heaviest = NULL;
  size_t others = 0;
  for (size_t i = 0; i < count; ++i) {
    struct text why = {0};
    const bool holds = rule(&why, &entries[i]);
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
  rule(&sentence, heaviest);
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
  static const row_rule row_rules[] = {is_above_roof, misses_launches,  does_too_much,
                                       wastes_bytes,  is_far_from_roof, is_at_roof};
  static const layer_rule layer_rules[] = {is_silent, has_silent_steps, ignores_silence, fires_often,
                                           multiplies};
  const bool kernels = document->kernel_count > 0;
  for (size_t i = 0; i < sizeof row_rules / sizeof *row_rules; ++i)
    add_for_row(out, kernels ? document->kernels : document->regions,
                kernels ? document->kernel_count : document->region_count, row_rules[i], add);
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
