// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "peaks/results.h"

#include "common/file.h"
#include "common/grid.h"
#include "common/numbers.h"
#include "common/say.h"
#include "common/write.h"
#include "report/chips.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* From Blackwell's data-centre chips on, mma.sync is not the fastest way to the tensor cores, so that its rate is no ceiling. */
#define FASTER_THAN_MMA 100
#define CONSUMER_BLACKWELL 120

void results_free(struct results *results) {
  for (size_t i = 0; i < results->count; ++i)
    text_free(&results->peaks[i].reason);
  results->count = 0;
}

size_t results_missing(const struct results *results) {
  size_t missing = 0;
  for (size_t i = 0; i < results->count; ++i)
    missing += !results->peaks[i].per_second;
  return missing;
}

/* ---- Datasheet ---- */

static double find(const char *const *names, const double *rates, int count, const char *name) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(names[i], name))
      return rates[i];
  return 0;
}

/* What the datasheet says; 0 where it says nothing. */
static double stated(const struct results *results, const struct benchmark *benchmark) {
  struct gp_ceilings c;
  if (!results->chip)
    return 0;
  gp_chip_ceilings(gp_chip_by_id(results->chip), &c);
  switch (benchmark->group) {
  case GROUP_CORE:
    return find(gp_core_names, c.core, GP_CORE_COUNT, benchmark->ceiling);
  case GROUP_TENSOR:
    return find(gp_tensor_names, c.tensor, GP_TENSOR_COUNT, benchmark->ceiling);
  case GROUP_INTEGER:
    return find(gp_integer_names, c.integer, GP_INTEGER_COUNT, benchmark->ceiling);
  case GROUP_SPECIAL:
    return c.special;
  case GROUP_DRAM:
  case GROUP_L2:
  case GROUP_L1:
  case GROUP_SHARED:
    break;
  }
  return find(gp_level_names, c.bytes, GP_LEVEL_COUNT, benchmark_group_names[benchmark->group]);
}

/* ---- Table ---- */

static const char *unit_of(const struct benchmark *benchmark) {
  if (benchmark_moves_bytes(benchmark))
    return "B/s";
  const bool is_integer = benchmark->group == GROUP_INTEGER || benchmark->group == GROUP_SPECIAL ||
                          !strcmp(benchmark->ceiling, "int8");
  return is_integer ? "op/s" : "FLOP/s";
}

enum { WHOLE_DIGITS, ONE_DIGIT, PERCENT };

/* An unknown value is an empty cell. */
static void add_cell(struct grid *grid, bool is_known, double value, int kind) {
  struct text text = {0};
  if (is_known)
    text_format(&text, "%.*f%s", kind == WHOLE_DIGITS || kind == PERCENT ? 0 : 1, value,
                kind == PERCENT ? " %" : "");
  grid_cell(grid, &text, is_known ? value : NAN);
}

static void add_row(struct grid *grid, const struct results *results, const struct peak *peak) {
  const struct benchmark *benchmark = peak->benchmark;
  const bool is_known = peak->per_second > 0;
  const double datasheet = stated(results, benchmark);
  struct text rate = {0};
  char *name = format_string("%s%s", benchmark->group == GROUP_TENSOR ? "tensor " : "", benchmark->title);
  grid_row(grid, name, 0, false);
  free(name);
  if (is_known)
    number_si(&rate, peak->per_second, unit_of(benchmark));
  grid_cell(grid, &rate, is_known ? peak->per_second : NAN);
  add_cell(grid, is_known && datasheet > 0, datasheet > 0 ? 100 * peak->per_second / datasheet : 0, PERCENT);
  add_cell(grid, is_known && peak->per_clock > 0, peak->per_clock, ONE_DIGIT);
  add_cell(grid, is_known, peak->spread_percent, ONE_DIGIT);
  add_cell(grid, is_known && peak->clock_hz > 0, peak->clock_hz / 1e6, WHOLE_DIGITS);
}

static const struct grid_column columns[] = {
    {.head = "rate", .subhead = ""},
    {.head = "of", .subhead = "datasheet", .if_known = true, .rank = 1},
    {.head = "a clock", .subhead = "and SM", .if_known = true, .rank = 2},
    {.head = "spread", .subhead = "%", .rank = 3},
    {.head = "clock", .subhead = "MHz", .if_known = true, .rank = 4},
};

static void write_head(struct text *out, const struct results *results) {
  const struct gpu *gpu = &results->gpu;
  text_format(out, "GPU %d: ", gpu->index);
  text_plain(out, gpu->name);
  text_format(out, " (%s), %u SMs, compute capability %u.%u, ",
              results->chip ? results->chip : "not in the list of chips", gpu->sm_count, gpu->capability / 10,
              gpu->capability % 10);
  if (*results->driver) {
    text_add(out, "driver ");
    text_plain(out, results->driver);
  } else {
    text_format(out, "CUDA %d.%d", gpu->driver_version / 1000, gpu->driver_version % 1000 / 10);
  }
  text_add(out, "\n");
}

void results_table(struct text *out, const struct results *results, const struct style *style) {
  struct grid grid;
  write_head(out, results);
  grid_begin(&grid, "ceiling", columns, sizeof columns / sizeof *columns);
  grid.flat = true;
  for (size_t i = 0; i < results->count; ++i)
    add_row(&grid, results, &results->peaks[i]);
  grid_text(out, &grid, style);
  grid_free(&grid);
  for (size_t i = 0; i < results->count; ++i)
    if (results->peaks[i].reason.length)
      text_format(out, "%s: %s.\n", results->peaks[i].benchmark->id, text_get(&results->peaks[i].reason));
}

/* ---- JSON ---- */

static void json_text(struct text *out, const char *key, const char *value) {
  text_format(out, "\"%s\": ", key);
  if (value && *value)
    write_json(out, value);
  else
    text_add(out, "null");
}

static void json_number(struct text *out, const char *key, double value) {
  text_format(out, "\"%s\": ", key);
  if (value > 0)
    text_format(out, "%.6g", value);
  else
    text_add(out, "null");
}

static bool is_ceiling(const struct results *results, const struct peak *peak) {
  const bool has_faster =
      results->gpu.capability >= FASTER_THAN_MMA && results->gpu.capability < CONSUMER_BLACKWELL;
  return peak->per_second > 0 && !(peak->benchmark->group == GROUP_TENSOR && has_faster);
}

/* Kinds of access to one level of memory have one ceiling: none of them is faster. */
static bool measure_the_same(const struct benchmark *a, const struct benchmark *b) {
  return a->group == b->group && (benchmark_moves_bytes(a) || !strcmp(a->ceiling, b->ceiling));
}

static bool measure_mma_sync(const struct benchmark *a, const struct benchmark *b) {
  return benchmark_is_mma_sync(a) && benchmark_is_mma_sync(b) && !strcmp(a->ceiling, b->ceiling);
}

/* No row of the same is better. */
static bool is_best(const struct results *results, size_t index,
                    bool (*are_same)(const struct benchmark *, const struct benchmark *)) {
  const struct peak *peak = &results->peaks[index];
  for (size_t i = 0; i < results->count; ++i) {
    const struct peak *other = &results->peaks[i];
    const bool is_better =
        other->per_second > peak->per_second || (other->per_second == peak->per_second && i < index);
    if (i != index && are_same(peak->benchmark, other->benchmark) && is_better)
      return false;
  }
  return peak->per_second > 0 && are_same(peak->benchmark, peak->benchmark);
}

static void write_ceiling(struct text *out, const struct peak *peak, const char *unit, const char **comma) {
  const struct benchmark *benchmark = peak->benchmark;
  text_format(out, "%s\n    {\"unit\": \"%s\", \"of\": \"%s\", ", *comma, unit,
              benchmark_moves_bytes(benchmark) ? "bytes" : benchmark->ceiling);
  json_number(out, "per_second", peak->per_second);
  text_format(out, ", \"by\": \"%s\", ", benchmark->id);
  json_number(out, "clock_hz", peak->clock_hz);
  text_add(out, "}");
  *comma = ",";
}

static void write_ceilings(struct text *out, const struct results *results) {
  const char *comma = "";
  text_add(out, "  \"ceilings\": [");
  for (size_t i = 0; i < results->count; ++i) {
    const struct peak *peak = &results->peaks[i];
    if (is_ceiling(results, peak) && is_best(results, i, measure_the_same))
      write_ceiling(out, peak, benchmark_group_names[peak->benchmark->group], &comma);
    if (is_best(results, i, measure_mma_sync))
      write_ceiling(out, peak, "mma_sync", &comma);
  }
  text_add(out, "\n  ],\n");
}

static void write_row(struct text *out, const struct peak *peak) {
  const struct benchmark *benchmark = peak->benchmark;
  text_add(out, "    {");
  json_text(out, "id", benchmark->id);
  text_add(out, ", ");
  json_text(out, "instruction", benchmark->instruction);
  text_add(out, ", ");
  json_number(out, "per_second", peak->per_second);
  text_format(out, ", \"unit\": \"%s\", \"runs\": %u, \"spread_percent\": %.2f, ", unit_of(benchmark),
              peak->runs, peak->spread_percent);
  json_number(out, "window_ns", round(1e6 * peak->window_ms));
  text_add(out, ", ");
  json_number(out, "per_clock_and_sm", peak->per_clock);
  text_add(out, ", ");
  json_number(out, "clock_hz", peak->clock_hz);
  text_add(out, ", ");
  json_number(out, "nvml_sm_hz", 1e6 * peak->clocks.sm_mhz);
  text_add(out, ", ");
  json_number(out, "nvml_memory_hz", 1e6 * peak->clocks.memory_mhz);
  text_add(out, ", ");
  json_text(out, "reason", text_get(&peak->reason));
  text_add(out, "}");
}

static void write_device(struct text *out, const struct results *results) {
  const struct gpu *gpu = &results->gpu;
  text_add(out, "  ");
  json_text(out, "name", gpu->name);
  text_add(out, ",\n  ");
  json_text(out, "chip", results->chip);
  text_add(out, ",\n  ");
  json_text(out, "uuid", gpu->uuid);
  text_add(out, ",\n  ");
  json_text(out, "driver", results->driver);
  text_format(
      out,
      ",\n  \"cuda\": %d,\n  \"index\": %d,\n  \"sm_count\": %u,\n  \"compute_capability\": \"%u.%u\",\n",
      gpu->driver_version, gpu->index, gpu->sm_count, gpu->capability / 10, gpu->capability % 10);
  text_format(out, "  \"clock_hz\": %llu,\n  \"memory_clock_hz\": %llu,\n", 1000ull * gpu->clock_khz,
              1000ull * gpu->memory_clock_khz);
}

void results_json(struct text *out, const struct results *results) {
  text_format(out,
              "{\n  \"schema\": \"gpuprof.peaks\",\n  \"version\": 1,\n  \"tool_version\": \"%s\",\n  "
              "\"date\": \"%s\",\n",
              GPUPROF_VERSION, results->date);
  write_device(out, results);
  write_ceilings(out, results);
  text_add(out, "  \"benchmarks\": [\n");
  for (size_t i = 0; i < results->count; ++i) {
    text_add(out, i ? ",\n" : "");
    write_row(out, &results->peaks[i]);
  }
  text_add(out, "\n  ]\n}\n");
}

/* ---- The file that the runtime reads ---- */

static bool make_folders(char *path) {
  for (char *slash = path + 1; (slash = strchr(slash, '/')); ++slash) {
    *slash = 0;
    const bool is_made = !mkdir(path, 0777) || errno == EEXIST;
    *slash = '/';
    if (!is_made)
      return false;
  }
  return true;
}

int results_keep(const struct results *results, char **path) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  const bool has_cache = cache && *cache == '/';
  if (!has_cache && (!home || !*home))
    return fail("neither XDG_CACHE_HOME nor HOME says where to keep the ceilings; set one, or use --json.");
  *path = has_cache ? format_string("%s/gpuprof/peaks-%s.json", cache, results->gpu.uuid)
                    : format_string("%s/.cache/gpuprof/peaks-%s.json", home, results->gpu.uuid);
  if (!make_folders(*path))
    return fail("cannot make the folder of '%s': %s; set XDG_CACHE_HOME to another.", *path, strerror(errno));
  struct text document = {0};
  results_json(&document, results);
  const int code = file_write(*path, text_get(&document), document.length);
  text_free(&document);
  return code;
}
