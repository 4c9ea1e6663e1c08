// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/model_times.h"

#include <stdlib.h>
#include <string.h>

#define WARP_LANES 32
#define SECTOR_BYTES 32

const struct model_resource_row model_resources[RESOURCE_COUNT] = {
#define GP_RESOURCE_ROW(id, key, name, memory) {key, name, memory},
    GP_MODEL_RESOURCES(GP_RESOURCE_ROW)
#undef GP_RESOURCE_ROW
};

/* ---- Amounts: as the runtime's roofline has them ---- */

static struct number known(double value) { return (struct number){true, value}; }

/* Lanes that ask for the same word are served together. */
static struct number moved(struct count asked, struct count uniform) {
  const double same = uniform.value <= asked.value ? (double)uniform.value : 0;
  return (struct number){asked.known, (double)asked.value - same + same / WARP_LANES};
}

static struct number shared_bytes(const struct entry *entry) {
  struct count sum = {false, 0};
  for (int i = COUNT_SHARED_LOAD; i <= COUNT_SHARED_ATOMIC; ++i)
    sum = count_sum(sum, entry_count(entry, (enum entry_count)i));
  return moved(sum, entry_count(entry, COUNT_SHARED_UNIFORM));
}

static struct number of_count(struct count count) {
  return (struct number){count.known, (double)count.value};
}

/* Memory executes accumulates, not the core. */
static double core_flops(const struct document *document, const struct entry *entry, enum flop_kind kind) {
  const struct count flops = entry_flops(entry, kind);
  char path[32] = "";
  strcat(strncat(path, flop_kinds[kind].group, sizeof path - sizeof ".accumulate"), ".accumulate");
  const struct json *part = entry_part(entry, PART_FLOPS);
  const struct count accumulates = count_of(part ? json_find(&document->tree, part, path) : NULL);
  return (double)flops.value - (accumulates.value <= flops.value ? (double)accumulates.value : 0);
}

/* ---- Uses ---- */

static struct number least_time(const struct document *document, const struct entry *entry,
                                enum model_resource resource) {
  const struct json *times = entry_part(entry, PART_MODEL_TIMES);
  return number_of(times ? json_find(&document->tree, times, model_resources[resource].key) : NULL);
}

static struct model_use *add(struct model_times *times, struct model_use use) {
  use.instruction = use.instruction ? use.instruction : "";
  if (times->time_ns.known && use.least_ns.known)
    use.percent = known(100 * use.least_ns.value / times->time_ns.value);
  times->uses[times->count] = use;
  return &times->uses[times->count++];
}

static void add_rate(struct model_use *use, const struct ceiling *ceiling) {
  use->source = ceiling ? ceiling->source : "";
  use->per_second = ceiling ? known(ceiling->per_second) : (struct number){0};
}

static void add_bytes(struct model_times *times, const struct document *document, const struct entry *entry,
                      enum model_resource resource, const char *what, struct number bytes) {
  struct model_use use = {
      .resource = resource, .what = what, .amount = bytes, .least_ns = least_time(document, entry, resource)};
  add_rate(&use, document_byte_ceiling(document, model_resources[resource].key));
  if (!bytes.known || bytes.value > 0)
    add(times, use);
}

/* As the runtime places it: measured bytes, else those of the sectors that warps touch, else those asked for. Documents of
 * older versions were placed by the latter. */
static void add_l1(struct model_times *times, const struct document *document, const struct entry *entry, struct number asked) {
  const struct count l1 = entry_count(entry, COUNT_L1), sectors = entry_count(entry, COUNT_SECTORS);
  const char *source = entry_string(entry, STRING_L1_SOURCE);
  if (l1.known)
    add_bytes(times, document, entry, RESOURCE_L1, "hardware", of_count(l1));
  else if (sectors.known && !strcmp(source, "sectors"))
    add_bytes(times, document, entry, RESOURCE_L1, "sectors", known(SECTOR_BYTES * (double)sectors.value));
  else
    add_bytes(times, document, entry, RESOURCE_L1, "asked", asked);
}

struct number model_asked_bytes(const struct entry *entry) {
  return moved(entry_requested_bytes(entry), entry_count(entry, COUNT_GLOBAL_UNIFORM));
}

static void add_memory(struct model_times *times, const struct document *document,
                       const struct entry *entry) {
  const struct count asked = entry_requested_bytes(entry), dram = entry_count(entry, COUNT_DRAM);
  const struct count unique = entry_count(entry, COUNT_UNIQUE);
  const bool idle = asked.known && !asked.value; /* asks for nothing, so that nothing is unknown */
  const struct number none = {idle, 0};
  add_bytes(times, document, entry, RESOURCE_DRAM,
            dram.known     ? "hardware"
            : unique.known ? "unique"
                           : "",
            dram.known     ? of_count(dram)
            : unique.known ? of_count(unique)
                           : none);
  add_bytes(times, document, entry, RESOURCE_L2, "hardware",
            idle ? none : of_count(entry_count(entry, COUNT_L2)));
  add_l1(times, document, entry, moved(asked, entry_count(entry, COUNT_GLOBAL_UNIFORM)));
  add_bytes(times, document, entry, RESOURCE_SHARED, "asked", shared_bytes(entry));
}

/* A precision's share of a unit's time; not known without a ceiling. */
static struct model_use part_of(const struct ceiling *ceiling, enum model_resource resource, enum flop_kind kind, double amount) {
  struct model_use part = {.resource = resource,
                           .what = *flop_kinds[kind].key ? flop_kinds[kind].key : flop_kinds[kind].group,
                           .instruction = ceiling ? ceiling->instruction : "",
                           .amount = known(amount),
                           .is_part = true};
  add_rate(&part, ceiling);
  if (part.per_second.known)
    part.least_ns = known(1e9 * amount / part.per_second.value);
  return part;
}

/* The whole of a unit, and behind it its parts where there are several. */
static void add_parts(struct model_times *times, const struct document *document, const struct entry *entry,
                      const struct model_use *parts, size_t count) {
  if (!count)
    return;
  struct model_use whole = count == 1 ? parts[0]
                                      : (struct model_use){.resource = parts[0].resource, .what = "", .instruction = "", .source = ""};
  whole.is_part = false;
  whole.least_ns = least_time(document, entry, whole.resource);
  add(times, whole);
  for (size_t i = 0; count > 1 && i < count; ++i)
    add(times, parts[i]);
}

static void add_core(struct model_times *times, const struct document *document, const struct entry *entry) {
  struct model_use parts[FLOP_KIND_COUNT];
  size_t count = 0;
  for (enum flop_kind kind = 0; kind < FLOP_KIND_COUNT; ++kind) {
    const double amount = strcmp(flop_kinds[kind].unit, "core") ? 0 : core_flops(document, entry, kind);
    if (amount > 0)
      parts[count++] = part_of(document_flop_ceiling(document, kind), RESOURCE_CORE, kind, amount);
  }
  add_parts(times, document, entry, parts, count);
}

/* Products of mma.sync have a ceiling of their own. */
static void add_tensor(struct model_times *times, const struct document *document, const struct entry *entry) {
  struct model_use parts[2 * FLOP_KIND_COUNT];
  size_t count = 0;
  for (enum flop_kind kind = 0; kind < FLOP_KIND_COUNT; ++kind) {
    const uint64_t all = strcmp(flop_kinds[kind].unit, "tensor") ? 0 : entry_flops(entry, kind).value;
    const uint64_t stated = entry_mma_sync_flops(entry, kind).value, mma_sync = stated < all ? stated : all;
    if (all > mma_sync)
      parts[count++] = part_of(document_flop_ceiling(document, kind), RESOURCE_TENSOR, kind, (double)(all - mma_sync));
    if (!mma_sync)
      continue;
    parts[count] = part_of(document_mma_sync_ceiling(document, kind), RESOURCE_TENSOR, kind, (double)mma_sync);
    parts[count++].instruction = "mma.sync";
  }
  add_parts(times, document, entry, parts, count);
}

static void add_special(struct model_times *times, const struct document *document,
                        const struct entry *entry) {
  const struct json_tree *tree = &document->tree;
  const struct number amount = of_count(entry_count(entry, COUNT_SPECIAL));
  struct model_use use = {
      .resource = RESOURCE_SPECIAL,
      .what = "",
      .amount = amount,
      .source = string_of(json_find(tree, &tree->root, "ceilings.special_functions.source")),
      .per_second = number_of(json_find(tree, &tree->root, "ceilings.special_functions.per_second")),
      .least_ns = least_time(document, entry, RESOURCE_SPECIAL)};
  if (amount.value > 0)
    add(times, use);
}

static struct count least_of(const struct document *document, const struct entry *entry, const char *path) {
  return count_of(entry->json ? json_find(&document->tree, entry->json, path) : NULL);
}

static const struct ceiling *integer_ceiling(const struct document *document, const char *operation) {
  for (size_t i = 0; i < document->integer_ceiling_count; ++i)
    if (!strcmp(document->integer_ceilings[i].name, operation))
      return &document->integer_ceilings[i];
  return NULL;
}

/* Of products, logic, all of them and sums, and population counts the one that takes longest. */
static void add_integers(struct model_times *times, const struct document *document, const struct entry *entry) {
  const struct ceiling *multiply = integer_ceiling(document, "multiply_add"), *logic = integer_ceiling(document, "logic"),
                       *popc = integer_ceiling(document, "popc");
  const double multiplies = (double)least_of(document, entry, "integer_least.multiply").value,
               logics = (double)least_of(document, entry, "integer_least.logic").value,
               adds = (double)least_of(document, entry, "integer_least.add").value,
               popcs = (double)least_of(document, entry, "integer_least.popc").value;
  const double multiply_rate = multiply ? multiply->per_second : 0, logic_rate = logic ? logic->per_second : 0;
  const struct {
    const char *what;
    const struct ceiling *ceiling;
    double amount, rate;
  } uses[] = {{"products", multiply, multiplies, multiply_rate},
              {"logic", logic, logics, logic_rate},
              {"operations", multiply && logic ? multiply : NULL, multiplies + logics + adds, multiply_rate + logic_rate},
              {"population counts", popc, popcs, popc ? popc->per_second : 0}};
  struct model_use longest = {.resource = RESOURCE_INTEGER, .what = "", .source = "",
                              .least_ns = least_time(document, entry, RESOURCE_INTEGER)};
  double ns = 0;
  for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i) {
    if (!uses[i].ceiling || 1e9 * uses[i].amount / uses[i].rate <= ns)
      continue;
    ns = 1e9 * uses[i].amount / uses[i].rate;
    longest.what = uses[i].what;
    longest.source = uses[i].ceiling->source;
    longest.amount = known(uses[i].amount);
    longest.per_second = known(uses[i].rate);
  }
  if (ns > 0 && longest.least_ns.known)
    add(times, longest);
}

/* ---- The longest first ---- */

/* Moves a use and its parts before those that are shorter. */
static void sort(struct model_times *times) {
  struct model_use sorted[MODEL_USES_MOST];
  bool taken[MODEL_USES_MOST] = {false};
  for (size_t count = 0; count < times->count;) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < times->count; ++i)
      if (!taken[i] && !times->uses[i].is_part &&
          (best == SIZE_MAX || (times->uses[i].least_ns.known &&
                                (!times->uses[best].least_ns.known ||
                                 times->uses[i].least_ns.value > times->uses[best].least_ns.value))))
        best = i;
    do {
      taken[best] = true;
      sorted[count++] = times->uses[best++];
    } while (best < times->count && times->uses[best].is_part);
  }
  memcpy(times->uses, sorted, times->count * sizeof *sorted);
}

static double longest(const struct model_times *times, bool memory) {
  double ns = 0;
  for (size_t i = 0; i < times->count; ++i) {
    const struct model_use *use = &times->uses[i];
    if (model_resources[use->resource].is_memory == memory && use->least_ns.known && use->least_ns.value > ns)
      ns = use->least_ns.value;
  }
  return ns;
}

static void add_balance(struct model_times *times, const struct document *document,
                        const struct entry *entry) {
  const struct ceiling *dram = document_byte_ceiling(document, "dram");
  const struct count flops = entry_count(entry, COUNT_FLOPS);
  const double computing_ns = longest(times, false);
  times->intensity = entry_number(entry, NUMBER_INTENSITY_DRAM);
  if (dram && flops.value && computing_ns > 0)
    times->balance = known(1e9 * (double)flops.value / computing_ns / dram->per_second);
}

struct model_times model_times_of(const struct document *document, const struct entry *entry) {
  struct model_times times = {.count = 0};
  const struct count time = entry_count(entry, COUNT_TIME);
  const char *source = entry_string(entry, STRING_TIME_SOURCE);
  if (time.value && (!strcmp(source, "cupti") || !strcmp(source, "event")))
    times.time_ns = of_count(time);
  add_memory(&times, document, entry);
  add_core(&times, document, entry);
  add_tensor(&times, document, entry);
  add_special(&times, document, entry);
  add_integers(&times, document, entry);
  sort(&times);
  if (times.count && times.uses[0].least_ns.known)
    times.largest_ns = times.uses[0].least_ns;
  add_balance(&times, document, entry);
  return times;
}
