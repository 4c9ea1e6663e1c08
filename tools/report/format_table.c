// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The columns of the tables, and the lines above them: what the text, Markdown and HTML reports share. */
#include "report/formats.h"

#include "common/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BOUND_COLUMNS 12 /* as many as the longest name of a resource has, and some */

/* ---- Columns ---- */
static double order_of(struct count count) { return count.known ? (double)count.value : NAN; }

static double order_number(struct number number) { return number.known ? number.value : NAN; }

#define COUNT_COLUMN(function, id)                                                                           \
  static void show_##function(struct text *text, const struct entry *entry, const struct style *style) {     \
    (void)style;                                                                                             \
    const struct count count = entry_count(entry, id);                                                       \
    if (count.known)                                                                                         \
      number_count(text, count.value);                                                                       \
  }                                                                                                          \
  static double order_##function(const struct entry *entry) { return order_of(entry_count(entry, id)); }
COUNT_COLUMN(executions, COUNT_EXECUTIONS)
COUNT_COLUMN(launches, COUNT_LAUNCHES)
COUNT_COLUMN(left_out, COUNT_LEFT_OUT)
COUNT_COLUMN(counted, COUNT_COUNTED)

static void show_time(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  const struct count time = entry_count(entry, COUNT_TIME);
  if (time.known && *entry_string(entry, STRING_TIME_SOURCE))
    number_time(text, (double)time.value);
}
static double order_time(const struct entry *entry) { return order_of(entry_count(entry, COUNT_TIME)); }

/* Where the counts of some launches are missing, the true number is that or more. */
static void at_least(struct text *text, const struct entry *entry, const struct style *style) {
  if (entry_misses_launches(entry))
    text_add(text, style->utf8 ? "≥" : ">=");
}

static void show_flops(struct text *text, const struct entry *entry, const struct style *style) {
  const struct count flops = entry_count(entry, COUNT_FLOPS);
  if (!flops.known)
    return;
  at_least(text, entry, style);
  number_si(text, (double)flops.value, "");
}
static double order_flops(const struct entry *entry) { return order_of(entry_count(entry, COUNT_FLOPS)); }

static void show_accumulates(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  const struct count flops = entry_accumulate_flops(entry);
  if (flops.value)
    number_si(text, (double)flops.value, "");
}
static double order_accumulates(const struct entry *entry) { return order_of(entry_accumulate_flops(entry)); }

/* "fp32", "bf16 tensor", or "fp32+2" where two more kinds take part: the largest share first. */
static void show_kinds(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  size_t best = FLOP_KIND_COUNT, others = 0;
  const struct flop_counts flops = entry_all_flops(entry);
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i) {
    if (flops.kinds[i] && (best == FLOP_KIND_COUNT || flops.kinds[i] > flops.kinds[best]))
      best = i;
    others += flops.kinds[i] > 0;
  }
  if (best == FLOP_KIND_COUNT)
    return;
  text_add(text, flop_kinds[best].shown);
  if (others > 1)
    text_format(text, "+%zu", others - 1);
}

static void show_requested(struct text *text, const struct entry *entry, const struct style *style) {
  const struct count bytes = entry_requested_bytes(entry);
  if (!bytes.known)
    return;
  at_least(text, entry, style);
  number_si(text, (double)bytes.value, "B");
}
static double order_requested(const struct entry *entry) { return order_of(entry_requested_bytes(entry)); }

static void show_unique(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  const struct count bytes = entry_count(entry, COUNT_UNIQUE);
  if (bytes.known)
    number_si(text, (double)bytes.value, "B");
}
static double order_unique(const struct entry *entry) { return order_of(entry_count(entry, COUNT_UNIQUE)); }

static double sectors_per_request(const struct entry *entry) {
  struct count requests = entry_count(entry, COUNT_REQUESTS), sectors = entry_count(entry, COUNT_SECTORS);
  return requests.value && sectors.known ? (double)sectors.value / (double)requests.value : NAN;
}
static void show_sectors(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  if (!isnan(sectors_per_request(entry)))
    number_plain(text, sectors_per_request(entry));
}

#define NUMBER_COLUMN(function, id)                                                                          \
  static void show_##function(struct text *text, const struct entry *entry, const struct style *style) {     \
    (void)style;                                                                                             \
    const struct number number = entry_number(entry, id);                                                    \
    if (number.known)                                                                                        \
      number_plain(text, number.value);                                                                      \
  }                                                                                                          \
  static double order_##function(const struct entry *entry) { return order_number(entry_number(entry, id)); }
NUMBER_COLUMN(intensity_requested, NUMBER_INTENSITY_REQUESTED)
NUMBER_COLUMN(intensity_dram, NUMBER_INTENSITY_DRAM)
NUMBER_COLUMN(expected, NUMBER_EXECUTED_OVER_EXPECTED)
NUMBER_COLUMN(firing_rate, NUMBER_FIRING_RATE)

static void show_joules(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  const struct number joules = entry_number(entry, NUMBER_JOULES);
  if (joules.known)
    number_joules(text, joules.value);
}
static double order_joules(const struct entry *entry) { return order_number(entry_number(entry, NUMBER_JOULES)); }

/* Of kernels with a GPU's time: it explains times, and without one --why has it. */
static void show_occupancy(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  const struct number occupancy = entry_number(entry, NUMBER_OCCUPANCY);
  const char *source = entry_string(entry, STRING_TIME_SOURCE);
  if (occupancy.known && (!strcmp(source, "cupti") || !strcmp(source, "event")))
    number_percent(text, 100 * occupancy.value);
}
static double order_occupancy(const struct entry *entry) { return order_number(entry_number(entry, NUMBER_OCCUPANCY)); }

static void show_bound(struct text *text, const struct entry *entry, const struct style *style) {
  struct text plain = {0};
  text_plain(&plain, entry_string(entry, STRING_BOUND));
  text_elide(text, text_get(&plain), BOUND_COLUMNS, style->utf8 ? "…" : "..");
  text_free(&plain);
}

static void show_attainable(struct text *text, const struct entry *entry, const struct style *style) {
  (void)style;
  const struct number attainable = entry_number(entry, NUMBER_ATTAINABLE);
  if (attainable.known && entry_count(entry, COUNT_FLOPS).value)
    number_si(text, attainable.value, "");
}
static double order_attainable(const struct entry *entry) { return order_number(entry_number(entry, NUMBER_ATTAINABLE)); }

/* Where the bound is not known, because DRAM bytes are not, the true percentage may be higher. */
static void show_percent(struct text *text, const struct entry *entry, const struct style *style) {
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  if (!strcmp(entry_string(entry, STRING_STATUS), "above_roof")) {
    text_add(text, "above!");
  } else if (percent.known) {
    text_add(text, *entry_string(entry, STRING_BOUND) ? "" : style->utf8 ? "≥" : ">=");
    number_percent(text, percent.value);
  }
}
static double order_percent(const struct entry *entry) { return order_number(entry_number(entry, NUMBER_PERCENT)); }

const struct column report_columns[] = {
    {"runs", "", "how often the region was entered", true, false, 9, show_executions, order_executions},
    {"launches", "", "kernel launches inside it", false, false, 5, show_launches, order_launches},
    {"left", "out", "launches that GPUPROF_WARMUP left out of all other numbers", false, true, 10, show_left_out,
     order_left_out},
    {"counted", "launches", "launches whose counts stand for all, as an estimate (GPUPROF_SAMPLE)", false, true, 6, show_counted,
     order_counted},
    {"time", "", "total time of its kernels", false, false, 0, show_time, order_time},
    {"FLOP", "", "floating-point operations executed; an fma is 2", false, false, 0, show_flops, order_flops},
    {"FLOP by", "atomics", "floating-point additions by atomics, part of FLOP; no core's ceiling bounds them", false,
     true, 10, show_accumulates, order_accumulates},
    {"exec/", "nominal", "executed FLOPs over those that the program says it needs", false, true, 10,
     show_expected, order_expected},
    {"firing", "rate", "values that are spikes, +1 or -1, of all that '#pragma gpuprof spike' saw", false, true, 10,
     show_firing_rate, order_firing_rate},
    {"kind", "", "the kind of most of them; +n: n more kinds", false, false, 4, show_kinds, NULL},
    {"bytes", "asked", "global bytes that instructions asked for", false, false, 7, show_requested,
     order_requested},
    {"bytes", "unique", "unique bytes: 32-byte sectors touched at least once in a launch, a lower bound of DRAM traffic", false, false, 2, show_unique,
     order_unique},
    {"sectors", "/request", "32-byte sectors that a warp touches by one access of global memory", false, true, 10,
     show_sectors, sectors_per_request},
    {"measured", "energy", "joules of the whole board while the region was open", false, true, 10, show_joules, order_joules},
    {"occu-", "pancy", "theoretical occupancy: warps on a multiprocessor at once, over the most it holds", false, true, 10,
     show_occupancy, order_occupancy},
    {"FLOP/B", "asked", "FLOPs per byte asked for", false, false, 8, show_intensity_requested,
     order_intensity_requested},
    {"FLOP/B", "DRAM", "FLOPs per DRAM byte (where no hardware counter ran per unique byte: an upper bound)",
     false, false, 3, show_intensity_dram, order_intensity_dram},
    {"bound", "by", "the resource with the largest least time; unknown where DRAM bytes are, unless another fills the time",
     false, false, 1, show_bound, NULL},
    {"attain-", "able/s", "FLOP/s at the roof", false, false, 6, show_attainable, order_attainable},
    {"of", "roof", "least time over measured GPU time", false, false, 0, show_percent, order_percent},
};
const size_t report_column_count = sizeof report_columns / sizeof *report_columns;

_Static_assert(sizeof report_columns / sizeof *report_columns <= REPORT_COLUMNS_MOST, "a flag for each column");

static bool has_column(const struct column *column, const struct entry *entries, size_t count) {
  const struct style plain = {0};
  struct text text = {0};
  bool known = !column->only_if_known;
  for (size_t i = 0; !known && i < count; ++i) {
    column->show(&text, &entries[i], &plain);
    known = text.length > 0;
  }
  text_free(&text);
  return known && !(count && entries->is_kernel && column->regions_only);
}

struct column_set report_columns_of(const struct entry *entries, size_t count) {
  struct column_set set = {{false}};
  for (size_t c = 0; c < report_column_count; ++c)
    set.has[c] = has_column(&report_columns[c], entries, count);
  return set;
}

void report_left_out(struct text *text, const struct document *document, size_t rows) {
  if (rows == report_shown(rows))
    return;
  text_format(text, "%zu more rows are left out: 'gpuprof report ", rows - report_shown(rows));
  text_plain(text, document->file);
  text_add(text, " --format=csv' has all, and GPUPROF_FILTER chooses what a run reports.");
}

/* ---- The lines above the tables ---- */
void report_device(struct text *text, const struct document *document) {
  if (!*document->device_kind) {
    text_add(text, document->launches_running.value ? "not known: no launch had ended" : "none: no kernel was launched");
    return;
  }
  if (document_is_cpu(document)) {
    text_format(text, "CPU device (%s, no GPU time), under the roof of ", document->sample.known ? "sampled counts" : "exact counts");
    text_plain(text, *document->chip ? chip_title(document->chip) : "no known chip");
    return;
  }
  text_plain(text, *document->device_name ? document->device_name : "GPU without a name");
  if (*document->chip) {
    text_add(text, " (");
    text_plain(text, document->chip);
    text_add(text, ")");
  }
}

static void add_ceiling(struct text *text, const char *separator, const char *name, double value,
                        const char *unit) {
  text_add(text, text->length ? separator : "");
  text_add(text, name);
  text_add(text, " ");
  number_si(text, value, unit);
}

/* How a kind is done: by mma.sync alone, where that has a ceiling of its own, or also by the fastest instruction. */
enum { BY_FASTEST = 1, BY_MMA_SYNC = 2 };

/* Entries that share an object of FLOPs have the same. */
static void add_ways(unsigned *ways, const struct document *document, const struct entry *entries, size_t count) {
  const struct json *latest = NULL;
  for (size_t i = 0; i < count; ++i) {
    const struct json *flops = entry_part(&entries[i], PART_FLOPS);
    if (flops == latest)
      continue;
    latest = flops;
    for (enum flop_kind kind = 0; kind < FLOP_KIND_COUNT; ++kind) {
      const uint64_t all = entry_flops(&entries[i], kind).value, mma_sync = entry_mma_sync_flops(&entries[i], kind).value;
      const bool is_own = mma_sync && document_mma_sync_ceiling(document, kind) != document_flop_ceiling(document, kind);
      ways[kind] |= (is_own ? BY_MMA_SYNC : 0u) | (all > (is_own ? mma_sync : 0) ? BY_FASTEST : 0u);
    }
  }
}

void report_ceilings(struct text *text, const struct document *document, const char *separator) {
  static const struct { const char *level, *shown; } levels[] = {{"dram", "DRAM"}, {"l2", "L2"}};
  unsigned ways[FLOP_KIND_COUNT] = {[FLOP_FP32] = BY_FASTEST}; /* shown in any case */
  add_ways(ways, document, document->kernels, document->kernel_count);
  add_ways(ways, document, document->regions, document->region_count);
  for (enum flop_kind kind = 0; kind < FLOP_KIND_COUNT; ++kind) {
    const struct ceiling *ceiling = document_flop_ceiling(document, kind), *mma_sync = document_mma_sync_ceiling(document, kind);
    const char *unit = flop_kinds[kind].in_total ? "FLOP/s" : "op/s";
    if (ceiling && ways[kind] & BY_FASTEST)
      add_ceiling(text, separator, flop_kinds[kind].shown, ceiling->per_second, unit);
    if (mma_sync && ways[kind] & BY_MMA_SYNC) {
      char *name = format_string("%s mma.sync", flop_kinds[kind].key);
      add_ceiling(text, separator, name, mma_sync->per_second, unit);
      if (!strncmp(mma_sync->source, "measured on ", strlen("measured on ")))
        text_format(text, " (%s)", mma_sync->source);
      free(name);
    }
  }
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i) {
    const struct ceiling *ceiling = document_byte_ceiling(document, levels[i].level);
    if (ceiling)
      add_ceiling(text, separator, levels[i].shown, ceiling->per_second, "B/s");
  }
  if (!text->length)
    text_add(text, "none known; set GPUPROF_CHIP to a chip gpuprof knows");
}

void report_run(struct text *text, const struct document *document, const char *separator) {
  const char *strings[] = {document->start_time, document->host};
  for (size_t i = 0; i < sizeof strings / sizeof *strings; ++i)
    if (*strings[i]) {
      text_add(text, text->length ? separator : "");
      text_plain(text, strings[i]);
    }
  if (document->pid.known)
    text_format(text, "%spid %llu", text->length ? separator : "", (unsigned long long)document->pid.value);
  if (document->duration_ns.known && document->duration_ns.value) {
    text_add(text, text->length ? separator : "");
    number_time(text, (double)document->duration_ns.value);
  }
  if (*document->compiler) {
    text_add(text, text->length ? separator : "");
    text_plain(text, document->compiler);
  }
}

const char *report_empty(const struct document *document, const struct selection *selection) {
  if (!document->region_count && !document->kernel_count)
    return *document->compiler
               ? "Nothing was counted: no instrumented kernel was launched, though the program has some. It may have ended "
                 "before, or GPUPROF_FILTER leaves them out."
               : "Nothing was counted: no instrumented kernel was launched. Compile the .cu files with 'gpuprof cc' "
                 "and run the program again.";
  if (!selection->kernels && !document->region_count)
    return "No region was run. Put '#pragma gpuprof region(\"name\")' before a statement or a function, compile with "
           "'gpuprof cc' and run the program again; 'gpuprof report --kernels' shows the kernels.";
  if (!selection->regions && !document->kernel_count)
    return "No instrumented kernel was launched; 'gpuprof report --regions' shows the regions.";
  return NULL;
}
