// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/row_advice.h"

#include "common/numbers.h"
#include "common/text.h"
#include "report/model_times.h"
#include "report/occupancy_text.h"
#include "spiking/layers.h"

#include <string.h>

#define NEAR_ROOF 60 /* per cent of the roof */
#define FAR_FROM_ROOF 25
#define WASTED_BYTES 0.6     /* asked over moved */
#define SCATTERED 1.5        /* moved by L1, over asked for */
#define MUCH_MORE 1.1        /* executed over nominal */
#define IN_PLACE 0.1         /* of the bytes asked for, the part that may be updated in place */
#define READ_AGAIN 2.5       /* bytes asked for, each lane of a warp apart, over those touched */
#define BUSY 20              /* per cent of the time: a resource that takes part */
#define TAKE_TURNS 80        /* per cent of the time, of all resources that take part */
#define SHORT_LAUNCH_NS 5000 /* a kernel that does nothing takes about 2,000 */
#define LAUNCH_NS 1000       /* well below these */
#define FEW_THREADS 512      /* for each multiprocessor, which holds 1,024 to 2,048 */

/* What to do about a resource: where it is nearly full, where it is half empty, and where no time is known. The row mma.sync
 * is of tensor cores where another instruction is faster; its last sentence stands behind both ceilings. */
static const struct remedy {
  const char *bound, *full, *half, *untimed;
} remedies[] = {
    {"dram", "only less traffic makes it faster, by fusion, a smaller type or skipped work",
     "keep more loads in flight, by wider accesses (float4), several elements a thread or more blocks",
     "needs DRAM longest: fewer bytes make it faster, fewer FLOPs do not"},
    {"l2", "only less traffic makes it faster: keep what is used again in shared memory",
     "keep what is used again in shared memory, and more loads in flight",
     "needs L2 longest: fewer bytes make it faster, fewer FLOPs do not"},
    {"l1", "only less traffic makes it faster: keep what is used again in registers or shared memory",
     "keep what is used again in registers or shared memory, and read wider words",
     "needs L1 longest: keep what is used again in registers or shared memory"},
    {"shared", "only less traffic makes it faster: hold larger tiles in registers",
     "hold larger tiles in registers, read wider words, load the next tile early, and look for bank conflicts",
     "needs shared memory longest: hold larger tiles in registers"},
    {"core", "only less work makes it faster, by tensor cores where the precision allows, or skipped work",
     "give each thread more independent operations, or keep more warps resident",
     "needs the core longest: fewer FLOPs make it faster, fewer bytes do not"},
    {"tensor", "only less work makes it faster, by a smaller type or skipped tiles",
     "feed the tensor cores: larger tiles, and copies that run ahead of the products",
     "needs the tensor cores longest: a smaller type or skipped tiles make it faster, fewer bytes do not"},
    {"mma.sync", "only the faster instruction, a smaller type or skipped tiles make it faster",
     "feed the tensor cores: larger tiles, and copies that run ahead of the products",
     "the faster instruction, a smaller type or skipped tiles make it faster, fewer bytes do not"},
    {"integer", "only less work makes it faster: fewer products, shifts and population counts, or wider words",
     "give each thread more independent operations, or keep more warps resident",
     "needs integer instructions longest: fewer products, shifts and population counts make it faster"},
    {"special",
     "only less work makes it faster: fewer exp, sin, roots and divisions, or exp2 in place of exp",
     "use fewer exp, sin, roots and divisions, and give each thread more independent operations",
     "needs special functions longest: fewer exp, sin, roots and divisions make it faster"},
};

static const struct remedy *find_remedy(const char *bound) {
  for (size_t i = 0; i < sizeof remedies / sizeof *remedies; ++i)
    if (!strcmp(remedies[i].bound, bound))
      return &remedies[i];
  return NULL;
}

/* What the tensor cores do in a row, if it is one precision by one instruction that the document names. */
static bool tensor_use(const struct document *document, const struct entry *entry, struct model_use *use) {
  const struct model_times times = model_times_of(document, entry);
  for (size_t i = 0; i < times.count; ++i) {
    *use = times.uses[i];
    if (use->resource == RESOURCE_TENSOR && !use->is_part)
      return *use->instruction && use->per_second.known;
  }
  return false;
}

/* The ceiling of a faster instruction for the same precision, or null. */
static const struct ceiling *faster_than(const struct document *document, const struct model_use *use) {
  for (enum flop_kind kind = 0; kind < FLOP_KIND_COUNT; ++kind) {
    const struct ceiling *fastest =
        strcmp(flop_kinds[kind].unit, "tensor") || strcmp(flop_kinds[kind].key, use->what) ? NULL : document_flop_ceiling(document, kind);
    if (fastest && *fastest->instruction && strcmp(fastest->instruction, use->instruction))
      return fastest;
  }
  return NULL;
}

static const struct remedy *remedy_of(const struct document *document, const struct entry *entry) {
  const char *bound = entry_string(entry, STRING_BOUND);
  struct model_use use;
  if (!strcmp(bound, "tensor") && tensor_use(document, entry, &use) && faster_than(document, &use))
    return find_remedy("mma.sync");
  return find_remedy(bound);
}

static bool computes(const struct entry *entry) {
  const char *bound = entry_string(entry, STRING_BOUND);
  return !strcmp(bound, "core") || !strcmp(bound, "tensor") || !strcmp(bound, "special") ||
         !strcmp(bound, "integer");
}

/* ---- Rules ---- */

static bool is_above_roof(struct text *why, const struct document *document, const struct entry *entry) {
  (void)document;
  if (strcmp(entry_string(entry, STRING_STATUS), "above_roof"))
    return false;
  text_add(why,
           "is faster than its roof: a ceiling or a time is wrong; check the chip that the report names.");
  return true;
}

static bool misses_launches(struct text *why, const struct document *document, const struct entry *entry) {
  (void)document;
  const struct count missing = entry_count(entry, COUNT_UNCOUNTED);
  if (!missing.value)
    return false;
  text_format(why, "has %llu launches that are not counted: its numbers are lower bounds, see the notes.",
              (unsigned long long)missing.value);
  return true;
}

static bool does_too_much(struct text *why, const struct document *document, const struct entry *entry) {
  (void)document;
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

static bool wastes_bytes(struct text *why, const struct document *document, const struct entry *entry) {
  (void)document;
  const struct layer_counts counts = layer_counts_of(entry);
  const struct count moved = layer_moved_bytes(&counts);
  if (!counts.asked.known || !moved.value ||
      (double)counts.asked.value >= WASTED_BYTES * (double)moved.value ||
      (computes(entry) && entry_number(entry, NUMBER_PERCENT).value >= NEAR_ROOF))
    return false;
  text_add(why, "asks for ");
  number_percent(why, 100 * (double)counts.asked.value / (double)moved.value);
  text_add(why, " of the bytes that its requests move: let neighbouring lanes read neighbouring addresses.");
  return true;
}

/* "shared memory", "the tensor cores by mma.sync" */
static void add_needed(struct text *why, const struct model_use *use) {
  const bool has_article = use->resource == RESOURCE_CORE || use->resource == RESOURCE_TENSOR;
  text_format(why, "%s%s%s%s", has_article ? "the " : "", model_resources[use->resource].name, *use->instruction ? " by " : "",
              use->instruction);
}

static void add_rate(struct text *why, const struct model_use *use, double per_second) {
  number_si(why, per_second, strncmp(use->what, "int", strlen("int")) ? "FLOP/s" : "op/s");
}

/* "(dram)", "(tensor cores by mma.sync, 659 TFLOP/s; wgmma reaches 990 TFLOP/s)" */
static void add_bound(struct text *why, const struct document *document, const struct entry *entry) {
  const char *bound = entry_string(entry, STRING_BOUND);
  struct model_use use;
  if (strcmp(bound, "tensor") || !tensor_use(document, entry, &use)) {
    text_format(why, " (%s)", bound);
    return;
  }
  const struct ceiling *faster = faster_than(document, &use);
  text_format(why, " (tensor cores by %s, ", use.instruction);
  add_rate(why, &use, use.per_second.value);
  if (faster) {
    text_format(why, "; %s reaches ", faster->instruction);
    add_rate(why, &use, faster->per_second);
  }
  text_add(why, ")");
}

static void add_roof(struct text *why, const struct entry *entry) {
  text_add(why, "runs at ");
  number_percent(why, entry_number(entry, NUMBER_PERCENT).value);
  text_add(why, " of its roof");
}

/* L1 has most to do, and how scattered its accesses are is not known. */
static bool may_scatter(const struct document *document, const struct entry *entry) {
  const struct json *times = entry_part(entry, PART_MODEL_TIMES);
  const struct number l1 = number_of(times ? json_find(&document->tree, times, "l1") : NULL);
  const struct count measured = entry_count(entry, COUNT_L1);
  if (!l1.known || entry_count(entry, COUNT_REQUESTS).known ||
      (measured.known && (double)measured.value < SCATTERED * model_asked_bytes(entry).value))
    return false;
  JSON_EACH_MEMBER(time, times)
  if (number_of(time).known && number_of(time).value > l1.value)
    return false;
  return l1.value > 0;
}

/* Why no resource is busy: launches that are too short, too few threads, or threads that wait. */
static void add_idleness(struct text *why, const struct document *document, const struct entry *entry) {
  const struct count launches = entry_count(entry, COUNT_LAUNCHES),
                     threads = entry_count(entry, COUNT_THREADS);
  const double times = launches.value ? (double)launches.value : 1;
  const double launch_ns = (double)entry_count(entry, COUNT_TIME).value / times;
  const double running = (double)threads.value / times, units = (double)document->multiprocessors.value;
  if (launch_ns < SHORT_LAUNCH_NS) {
    text_add(why, ", in launches of ");
    number_time(why, launch_ns);
    text_add(why,
             ": give each more work (several time steps, a larger batch), or fuse it with its neighbours.");
  } else if (threads.known && running < FEW_THREADS * units) {
    text_format(
        why,
        ", with %.0f threads a launch, %.0f for each multiprocessor: split the work finer, or give it more.",
        running, running / units);
  } else if (may_scatter(document, entry)) {
    text_add(why, ", and L1 has most to do: its accesses may be scattered, so count sectors a request on the "
                  "CPU device "
                  "(-fplugin-arg-gpuprof-requests=on).");
  } else if (occupancy_advice(why, entry)) {
    return;
  } else
    text_add(why,
             ", so its threads wait: look for dependent loads, barriers, divergence and few resident warps.");
}

static bool is_far_from_roof(struct text *why, const struct document *document, const struct entry *entry) {
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  if (!percent.known || percent.value >= FAR_FROM_ROOF || !*entry_string(entry, STRING_BOUND))
    return false;
  add_roof(why, entry);
  text_add(why, ": no resource is busy");
  add_idleness(why, document, entry);
  return true;
}

static bool is_at_roof(struct text *why, const struct document *document, const struct entry *entry) {
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  const struct remedy *remedy = remedy_of(document, entry);
  if (!percent.known || percent.value < NEAR_ROOF || !remedy)
    return false;
  add_roof(why, entry);
  add_bound(why, document, entry);
  text_format(why, ": %s.", remedy->full);
  return true;
}

static bool is_below_roof(struct text *why, const struct document *document, const struct entry *entry) {
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  const struct remedy *remedy = remedy_of(document, entry);
  if (!percent.known || !remedy)
    return false;
  add_roof(why, entry);
  add_bound(why, document, entry);
  text_format(why, ": %s.", remedy->half);
  return true;
}

/* No resource matters to a launch whose work takes less time than launching it. */
static bool is_shorter_than_its_launch(const struct document *document, const struct entry *entry) {
  const struct count launches = entry_count(entry, COUNT_LAUNCHES);
  const struct number least = model_times_of(document, entry).largest_ns;
  return strcmp(entry_string(entry, STRING_KIND), "device") && launches.value && least.known &&
         least.value < LAUNCH_NS * (double)launches.value;
}

static bool has_no_time(struct text *why, const struct document *document, const struct entry *entry) {
  const struct remedy *remedy = remedy_of(document, entry);
  if (!remedy)
    return false;
  if (strcmp(remedy->bound, entry_string(entry, STRING_BOUND))) { /* mma.sync, where another instruction is faster */
    text_add(why, "needs its products longest");
    add_bound(why, document, entry);
    text_add(why, ": ");
  }
  text_format(why, "%s.", remedy->untimed);
  if (is_shorter_than_its_launch(document, entry))
    text_add(why, " At this size a launch itself takes longer, about 2 us.");
  return true;
}

/* What is known beside the traffic of DRAM. */
static void add_longest(struct text *why, const struct document *document, const struct entry *entry) {
  const struct model_times times = model_times_of(document, entry);
  const struct model_use *longest = &times.uses[0];
  if (!times.count || !times.largest_ns.value) {
    text_add(why, "has unknown DRAM traffic");
    return;
  }
  text_add(why, "needs ");
  add_needed(why, longest);
  if (longest->percent.known) {
    text_add(why, " for ");
    number_percent(why, longest->percent.value);
    text_add(why, " of its time, and DRAM for an unknown part");
  } else
    text_add(why, " longest, or DRAM, whose traffic is not known");
}

/* How the next run knows them, beside what this one tried. */
static const char *way_to_dram_bytes(const struct document *document) {
  const struct json_tree *tree = &document->tree;
  const char *options = string_of(json_find(tree, &tree->root, "context.plugin_options"));
  return document_is_cpu(document)         ? "compile with -fplugin-arg-gpuprof-unique=on."
         : strstr(options, "unique=on")    ? "set GPUPROF_HARDWARE=check."
         : strstr(options, "unique=auto")  ? "set GPUPROF_HARDWARE=check, or see the notes for why its addresses are not known."
                                           : "compile with -fplugin-arg-gpuprof-unique=auto, or set GPUPROF_HARDWARE=check.";
}

static bool has_no_bound(struct text *why, const struct document *document, const struct entry *entry) {
  if (!strcmp(entry_string(entry, STRING_KIND), "device") || !entry_requested_bytes(entry).value ||
      entry_count(entry, COUNT_UNIQUE).known || entry_count(entry, COUNT_DRAM).known)
    return false;
  add_longest(why, document, entry);
  text_add(why, ": ");
  text_add(why, way_to_dram_bytes(document));
  return true;
}

/* Unique bytes have a sector once that is read and written, though DRAM moves it twice. The percentage of the roof where all that was
 * asked for a second time is of this kind; unknown if it cannot be. */
static struct number percent_in_place(const struct entry *entry) {
  const struct count unique = entry_count(entry, COUNT_UNIQUE), stored = entry_count(entry, COUNT_GLOBAL_STORE),
                     loaded = entry_count(entry, COUNT_GLOBAL_LOAD);
  const double asked = model_asked_bytes(entry).value, twice = asked - (double)unique.value;
  const double percent = entry_number(entry, NUMBER_PERCENT).value * asked / (double)(unique.value ? unique.value : 1);
  const bool may_be = !strcmp(entry_string(entry, STRING_BOUND), "dram") && !entry_count(entry, COUNT_DRAM).known && unique.value &&
                      twice >= IN_PLACE * asked && twice <= (double)stored.value && twice <= (double)loaded.value && percent <= 100;
  return (struct number){may_be, percent};
}

/* DRAM is nearly full if memory is updated in place. What is read twice looks the same. */
static bool may_update_in_place(struct text *why, const struct document *document, const struct entry *entry) {
  const struct number percent = percent_in_place(entry);
  const struct remedy *remedy = remedy_of(document, entry);
  if (!percent.known || percent.value < NEAR_ROOF || entry_number(entry, NUMBER_PERCENT).value >= NEAR_ROOF)
    return false;
  add_roof(why, entry);
  text_add(why, " (dram), and at ");
  number_percent(why, percent.value);
  text_format(why, " if it updates memory in place: then %s; else %s.", remedy->full, remedy->half);
  return true;
}

/* DRAM is the bound, and less traffic would do: each byte is asked for several times. */
static bool reads_again(struct text *why, const struct document *document, const struct entry *entry) {
  const struct count unique = entry_count(entry, COUNT_UNIQUE);
  const struct number percent = entry_number(entry, NUMBER_PERCENT), asked = model_asked_bytes(entry);
  (void)document;
  if (strcmp(entry_string(entry, STRING_BOUND), "dram") || !percent.known || percent.value >= NEAR_ROOF || !unique.value ||
      asked.value < READ_AGAIN * (double)unique.value)
    return false;
  add_roof(why, entry);
  text_add(why, " (dram), and asks for ");
  number_plain(why, asked.value / (double)unique.value);
  text_add(why, " times the bytes that it touches: keep what is read again in registers or shared memory.");
  return true;
}

/* Shared memory and each kind of unit work side by side, if the program lets them. Levels of memory pass on the same bytes: the
 * slowest counts. */
static size_t busy_uses(const struct model_times *times, struct model_use *busy, double *sum) {
  size_t count = 0;
  bool has_level = false;
  *sum = 0;
  for (size_t i = 0; i < times->count; ++i) {
    const struct model_use *use = &times->uses[i];
    const bool is_level = use->resource == RESOURCE_DRAM || use->resource == RESOURCE_L2 || use->resource == RESOURCE_L1;
    if (use->is_part || !use->percent.known || use->percent.value < BUSY || (is_level && has_level))
      continue;
    has_level |= is_level;
    *sum += use->percent.value;
    busy[count++] = *use;
  }
  return count;
}

/* No resource is full, but together they fill the time: they wait for one another. */
static bool takes_turns(struct text *why, const struct document *document, const struct entry *entry) {
  const struct model_times times = model_times_of(document, entry);
  struct model_use busy[RESOURCE_COUNT];
  double sum;
  const size_t count = busy_uses(&times, busy, &sum);
  if (entry_number(entry, NUMBER_PERCENT).value >= NEAR_ROOF || !*entry_string(entry, STRING_BOUND) || count < 2 || sum < TAKE_TURNS)
    return false;
  add_roof(why, entry);
  add_bound(why, document, entry);
  for (size_t i = 1; i < count; ++i) {
    text_add(why, i == 1 ? ", and needs " : i + 1 < count ? ", " : " and ");
    add_needed(why, &busy[i]);
    text_add(why, " for ");
    number_percent(why, busy[i].percent.value);
  }
  text_add(why, " of the time: they take turns. Let them overlap, by more stages or more warps on a multiprocessor.");
  return true;
}

const row_rule row_rules[] = {is_above_roof, misses_launches,  does_too_much, wastes_bytes,
                              reads_again,   may_update_in_place, is_far_from_roof, is_at_roof, NULL};

bool row_advice(struct text *why, const struct document *document, const struct entry *entry) {
  static const row_rule others[] = {takes_turns, is_below_roof, has_no_time, has_no_bound, NULL};
  for (const row_rule *rule = row_rules; *rule; ++rule)
    if ((*rule)(why, document, entry))
      return true;
  for (const row_rule *rule = others; *rule; ++rule)
    if ((*rule)(why, document, entry))
      return true;
  return false;
}
