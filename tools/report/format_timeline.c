// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/format_timeline.h"

#include "common/grid.h"
#include "common/numbers.h"
#include "reader/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAPS_SHOWN 3 /* in a report; --timeline has all */

/* ---- Values ---- */

struct source {
  const struct document *document;
  const struct style *style;
  bool whole; /* every table and row */
};

static double number_at(const struct source *source, const struct json *object, const char *path) {
  const struct value value = value_of(json_find(&source->document->tree, object, path));
  return value_is_number(value) ? value.real : NAN;
}

static const char *string_at(const struct source *source, const struct json *object, const char *key) {
  const struct json *value = json_find(&source->document->tree, object, key);
  return value && value->kind == JSON_STRING ? value->string : "";
}

static void time_cell(struct grid *grid, double ns) {
  struct text cell = {0};
  if (!isnan(ns))
    number_time(&cell, ns);
  grid_cell(grid, &cell, ns);
}

static void count_cell(struct grid *grid, double count) {
  struct text cell = {0};
  if (!isnan(count))
    number_count(&cell, (uint64_t)count);
  grid_cell(grid, &cell, count);
}

static void si_cell(struct grid *grid, double value, const char *unit) {
  struct text cell = {0};
  if (!isnan(value))
    number_si(&cell, value, unit);
  grid_cell(grid, &cell, value);
}

static void percent_cell(struct grid *grid, double part, double whole) {
  struct text cell = {0};
  if (whole > 0 && !isnan(part))
    number_percent(&cell, 100 * part / whole);
  grid_cell(grid, &cell, whole > 0 ? part / whole : NAN);
}

static void word_cell(struct grid *grid, const char *word) {
  struct text cell = {0};
  text_plain(&cell, word);
  grid_cell(grid, &cell, NAN);
}

/* ---- Devices and streams ---- */

static const struct json *devices_of(const struct source *source) {
  return json_find(&source->document->tree, &source->document->tree.root, "timeline.devices");
}

static bool is_of_gpu(const struct source *source) {
  const struct json *timeline = json_find(&source->document->tree, &source->document->tree.root, "timeline");
  const char *kind = timeline ? string_at(source, timeline, "source") : "";
  return *kind && strcmp(kind, "cpu");
}

static const char *device_word(const struct source *source) { return is_of_gpu(source) ? "GPU" : "CPU device"; }

static void add_device(struct grid *grid, const struct source *source, const struct json *device) {
  const double span = number_at(source, device, "span_ns"), busy = number_at(source, device, "busy_ns");
  char *name = format_string("%s %.0f", device_word(source), number_at(source, device, "index"));
  grid_row(grid, name, 0, false);
  time_cell(grid, span);
  time_cell(grid, busy);
  percent_cell(grid, busy, span);
  time_cell(grid, number_at(source, device, "idle_ns"));
  count_cell(grid, number_at(source, device, "gaps.count"));
  time_cell(grid, number_at(source, device, "overlap_ns"));
  time_cell(grid, number_at(source, device, "launch_latency_ns.median"));
  time_cell(grid, number_at(source, device, "launch_latency_ns.p95"));
  free(name);
}

static void device_grid(struct grid *grid, const struct source *source) {
  static const struct grid_column columns[] = {
      {"span", "", "from the begin of the first work to the end of the last", 0, false, false, false},
      {"busy", "", "part of the span in which something ran", 0, false, false, false},
      {"busy", "of span", "", 0, false, false, false},
      {"idle", "", "part of the span in which nothing ran", 0, false, false, false},
      {"gaps", "", "times between two pieces of work", 1, false, false, false},
      {"streams", "overlap", "part of busy in which two or more streams ran", 2, false, false, true},
      {"latency", "median", "from the end of the launching call to the begin of the kernel", 3, false, true, false},
      {"latency", "p95", "", 4, false, true, false},
  };
  grid_begin(grid, "device", columns, sizeof columns / sizeof *columns);
  JSON_EACH(device, devices_of(source))
  add_device(grid, source, device);
}

static void add_streams(struct grid *grid, const struct source *source, const struct json *device) {
  JSON_EACH(stream, json_find(&source->document->tree, device, "streams")) {
    char *name = format_string("%s %.0f, stream %.0f", device_word(source), number_at(source, device, "index"),
                               number_at(source, stream, "stream"));
    grid_row(grid, name, 0, false);
    time_cell(grid, number_at(source, stream, "busy_ns"));
    count_cell(grid, number_at(source, stream, "kernels"));
    count_cell(grid, number_at(source, stream, "copies"));
    count_cell(grid, number_at(source, stream, "graphs"));
    count_cell(grid, number_at(source, stream, "gaps.count"));
    time_cell(grid, number_at(source, stream, "gaps.longest_ns"));
    free(name);
  }
}

static void stream_grid(struct grid *grid, const struct source *source) {
  static const struct grid_column columns[] = {
      {"busy", "", "", 0, false, false, false},   {"kernels", "", "", 0, false, false, false},
      {"copies", "", "", 0, false, false, false}, {"graphs", "", "CUDA graphs, from the first node to the last", 0, false, false, true},
      {"gaps", "", "", 1, false, false, false},
      {"gap", "longest", "", 1, false, false, false},
  };
  grid_begin(grid, "stream", columns, sizeof columns / sizeof *columns);
  JSON_EACH(device, devices_of(source))
  add_streams(grid, source, device);
}

/* ---- Gaps ---- */

static const char *host_word(const char *host) {
  static const struct {
    const char *host, *shown;
  } words[] = {{"copy", "in a copy"},
               {"synchronisation", "in a waiting call"},
               {"region", "in the region"},
               {"outside", "outside of regions"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (!strcmp(words[i].host, host))
      return words[i].shown;
  return host;
}

static void add_gap(struct grid *grid, const struct source *source, const struct json *device, const struct json *gap) {
  struct text name = {0};
  text_format(&name, "%s %.0f at ", device_word(source), number_at(source, device, "index"));
  number_time(&name, number_at(source, gap, "start_ns"));
  grid_row(grid, text_get(&name), 0, false);
  time_cell(grid, number_at(source, gap, "length_ns"));
  word_cell(grid, host_word(string_at(source, gap, "host")));
  word_cell(grid, string_at(source, gap, "region"));
  text_free(&name);
}

static void gap_grid(struct grid *grid, const struct source *source) {
  static const struct grid_column columns[] = {
      {"length", "", "", 0, false, false, false},
      {"the host was", "", "what the host did for at least half of the gap", 0, true, false, false},
      {"region", "", "the innermost region open for at least half of the gap", 0, true, true, false},
  };
  grid_begin(grid, "longest gaps", columns, sizeof columns / sizeof *columns);
  JSON_EACH(device, devices_of(source)) {
    size_t shown = 0;
    JSON_EACH(gap, json_find(&source->document->tree, device, "gaps.longest"))
    if (shown++ < GAPS_SHOWN || source->whole)
      add_gap(grid, source, device, gap);
  }
}

/* ---- Copies ---- */

/* "host_to_device" as words. */
static char *direction_words(const char *direction) {
  char *words = copy_string(direction);
  for (char *c = words; *c; ++c)
    *c = *c == '_' ? ' ' : *c;
  return words;
}

static void add_copies(struct grid *grid, const struct source *source, const struct json *copies, const char *region) {
  JSON_EACH_MEMBER(sum, copies) {
    char *direction = direction_words(json_name(&source->document->tree, sum));
    struct text name = {0};
    text_plain(&name, region);
    text_add(&name, *region ? ": " : "");
    text_plain(&name, direction);
    grid_row(grid, text_get(&name), 0, false);
    count_cell(grid, number_at(source, sum, "count"));
    si_cell(grid, number_at(source, sum, "bytes"), "B");
    time_cell(grid, number_at(source, sum, "time_ns"));
    si_cell(grid, number_at(source, sum, "bytes_per_second"), "B/s");
    si_cell(grid, number_at(source, sum, "pageable_bytes"), "B");
    text_free(&name);
    free(direction);
  }
}

static const struct grid_column copy_columns[] = {
    {"number", "", "", 0, false, false, false},
    {"bytes", "", "", 0, false, false, false},
    {"time", "", "of the copies whose time is known", 0, false, true, false},
    {"rate", "", "bytes of these copies in this time", 0, false, true, false},
    {"pageable", "", "bytes whose host side is pageable memory: page-locked memory is faster", 1, false, true, true},
};

static void copy_grid(struct grid *grid, const struct source *source) {
  grid_begin(grid, "copies", copy_columns, sizeof copy_columns / sizeof *copy_columns);
  add_copies(grid, source, json_find(&source->document->tree, &source->document->tree.root, "copies"), "");
}

static void region_copy_grid(struct grid *grid, const struct source *source) {
  grid_begin(grid, "copies within regions", copy_columns, sizeof copy_columns / sizeof *copy_columns);
  for (size_t i = 0; i < source->document->region_count; ++i) {
    const struct entry *region = &source->document->regions[i];
    if (region->json)
      add_copies(grid, source, json_find(&source->document->tree, region->json, "copies"), region->path);
  }
}

/* ---- Formats ---- */

typedef void (*grid_function)(struct text *out, const struct grid *grid, const struct style *style);

static void add_grid(struct text *out, const struct source *source, void (*fill)(struct grid *, const struct source *),
                     grid_function write) {
  struct grid grid;
  fill(&grid, source);
  grid.flat = true;
  if (grid.row_count) {
    text_add(out, write == grid_html ? "" : "\n");
    write(out, &grid, source->style);
  }
  grid_free(&grid);
}

static void add_grids(struct text *out, const struct source *source, grid_function write) {
  add_grid(out, source, device_grid, write);
  add_grid(out, source, gap_grid, write);
  if (source->whole)
    add_grid(out, source, stream_grid, write);
  add_grid(out, source, copy_grid, write);
  if (source->whole)
    add_grid(out, source, region_copy_grid, write);
}

static bool has_nothing(const struct source *source) {
  return !json_count(devices_of(source)) &&
         !json_count(json_find(&source->document->tree, &source->document->tree.root, "copies"));
}

static void add_text(struct text *out, const struct source *source) {
  text_add(out, "\n ");
  write_painted(out, source->style, WRITE_BOLD, "Time line");
  text_add(out, "\n");
  add_grids(out, source, grid_text);
}

void report_timeline_text(struct text *out, const struct document *document, const struct style *style) {
  const struct source source = {document, style, false};
  if (is_of_gpu(&source))
    add_text(out, &source);
}

static void add_markdown(struct text *out, const struct source *source) {
  text_add(out, "\n### Time line\n");
  add_grids(out, source, grid_markdown);
}

void report_timeline_markdown(struct text *out, const struct document *document, const struct style *style) {
  const struct source source = {document, style, false};
  if (is_of_gpu(&source))
    add_markdown(out, &source);
}

void report_timeline_html(struct text *out, const struct document *document, const struct style *style) {
  const struct source source = {document, style, true};
  if (!is_of_gpu(&source))
    return;
  text_add(out, "<section><h2>Time line</h2>");
  add_grids(out, &source, grid_html);
  text_add(out, "</section>\n");
}

static const char nothing[] = "The document has no time line: no device worked, or an older gpuprof wrote it.";

void report_whole_timeline_text(struct text *out, const struct document *document, const struct style *style) {
  const struct source source = {document, style, true};
  if (!has_nothing(&source)) {
    add_text(out, &source);
    return;
  }
  text_add(out, " ");
  write_wrapped(out, style, nothing, 1);
}

void report_whole_timeline_markdown(struct text *out, const struct document *document, const struct style *style) {
  const struct source source = {document, style, true};
  if (has_nothing(&source))
    text_format(out, "%s\n", nothing);
  else
    add_markdown(out, &source);
}
