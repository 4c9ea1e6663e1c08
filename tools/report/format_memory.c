// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/format_memory.h"

#include "common/numbers.h"
#include "reader/value.h"
#include "report/stack_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct printer {
  const struct document *document;
  const struct json *memory;
  const struct stack_names *names;
  struct text *out;
  section_function section;
  const struct style *style;
};

/* ---- Values ---- */

static const struct json *part(const struct document *document, const struct json *object, const char *path) {
  return object ? json_find(&document->tree, object, path) : NULL;
}

static const struct json *memory_of(const struct document *document) { return part(document, &document->tree.root, "memory"); }

static struct count count_at(const struct document *document, const struct json *object, const char *path) {
  return count_of(part(document, object, path));
}

static const char *string_at(const struct document *document, const struct json *object, const char *path) {
  const struct json *value = part(document, object, path);
  return value && value->kind == JSON_STRING ? value->string : "";
}

static void add_bytes(struct text *out, uint64_t bytes) { number_si(out, (double)bytes, "B"); }

static void bytes_cell(struct grid *grid, struct count bytes) {
  struct text cell = {0};
  if (bytes.known)
    add_bytes(&cell, bytes.value);
  grid_cell(grid, &cell, bytes.known ? (double)bytes.value : NAN);
}

static void count_cell(struct grid *grid, struct count count) {
  struct text cell = {0};
  if (count.known)
    number_count(&cell, count.value);
  grid_cell(grid, &cell, count.known ? (double)count.value : NAN);
}

static void time_cell(struct grid *grid, struct count ns) {
  struct text cell = {0};
  if (ns.known)
    number_time(&cell, (double)ns.value);
  grid_cell(grid, &cell, ns.known ? (double)ns.value : NAN);
}

static void text_cell(struct grid *grid, const char *text) {
  struct text cell = {0};
  text_plain(&cell, text);
  grid_cell(grid, &cell, NAN);
}

/* ---- The line ---- */

void report_memory_line(struct text *out, const struct document *document) {
  const struct json *memory = memory_of(document);
  const struct count peak = count_at(document, memory, "peak_bytes"), end = count_at(document, memory, "end_bytes"),
                     leaks = count_at(document, memory, "leaked_allocations"), exhausted = count_at(document, memory, "exhausted.allocations");
  if (!json_count(part(document, memory, "places")) && !exhausted.value)
    return;
  text_add(out, "peak ");
  add_bytes(out, peak.value);
  text_add(out, ", at the end ");
  add_bytes(out, end.value);
  if (leaks.value) {
    text_format(out, "; %llu allocation%s not released: ", (unsigned long long)leaks.value, leaks.value == 1 ? "" : "s");
    add_bytes(out, count_at(document, memory, "leaked_bytes").value);
  }
  if (exhausted.value)
    text_format(out, "; memory ran out %llu time%s", (unsigned long long)exhausted.value, exhausted.value == 1 ? "" : "s");
}

/* ---- Places and kinds ---- */

static void level_cells(struct grid *grid, const struct document *document, const struct json *level) {
  bytes_cell(grid, count_at(document, level, "peak_bytes"));
  time_cell(grid, count_at(document, level, "peak_time_ns"));
  bytes_cell(grid, count_at(document, level, "average_bytes"));
  bytes_cell(grid, count_at(document, level, "end_bytes"));
  bytes_cell(grid, count_at(document, level, "allocated_bytes"));
  count_cell(grid, count_at(document, level, "allocations"));
  count_cell(grid, count_at(document, level, "releases"));
}

static void add_place_name(struct text *out, const struct document *document, const struct json *item) {
  const struct count device = count_at(document, item, "device");
  if (device.known)
    text_format(out, "device %llu", (unsigned long long)device.value);
  else
    text_add(out, "host");
}

static void place_rows(struct grid *grid, const struct document *document, const struct json *place, bool last) {
  const struct json *kinds = part(document, place, "kinds");
  struct text name = {0};
  size_t left = json_count(kinds);
  add_place_name(&name, document, place);
  grid_row(grid, text_get(&name), 0, last);
  level_cells(grid, document, place);
  text_free(&name);
  JSON_EACH(kind, kinds) {
    grid_row(grid, json_name(&document->tree, kind), 1, --left == 0);
    level_cells(grid, document, kind);
  }
}

static void add_physical(struct text *below, const struct document *document, const struct json *place) {
  const struct count used = count_at(document, place, "used_bytes"), reserved = count_at(document, place, "default_pool.reserved_peak_bytes"),
                     pool = count_at(document, place, "default_pool.used_peak_bytes");
  if (!used.known)
    return;
  text_add(below, below->length ? " " : "");
  text_format(below, "Device %llu says that ", (unsigned long long)count_at(document, place, "device").value);
  add_bytes(below, used.value);
  text_add(below, " of it were in use at the end, by anyone");
  if (reserved.known) {
    text_add(below, ", and that its default pool took up to ");
    add_bytes(below, reserved.value);
    text_add(below, " for ");
    add_bytes(below, pool.value);
  }
  text_add(below, ".");
}

static void print_places(const struct printer *p) {
  const struct grid_column columns[] = {
      {"peak", "", "most memory held at once", 0, false, false, false},
      {"peak", "after", "time of the peak since the start of the process", 4, false, false, false},
      {"average", "", "over the time of the process", 1, false, false, false},
      {"at the", "end", "what was not released", 0, false, false, false},
      {"alloc-", "ated", "sum of all allocations", 2, false, false, false},
      {"allo-", "cations", "number of allocations", 1, false, false, false},
      {"re-", "leases", "number of releases", 3, false, false, false},
  };
  const struct json *places = part(p->document, p->memory, "places");
  struct grid grid;
  struct text below = {0};
  size_t left = json_count(places);
  grid_begin(&grid, "memory", columns, sizeof columns / sizeof *columns);
  JSON_EACH(place, places) {
    place_rows(&grid, p->document, place, --left == 0);
    add_physical(&below, p->document, place);
  }
  p->section(p->out, "Memory", &grid, text_get(&below), p->style);
  grid_free(&grid);
  text_free(&below);
}

/* ---- Regions ---- */

static bool used_memory(const struct document *document, const struct entry *entry) {
  return count_at(document, entry->json, "memory.allocations").value || count_at(document, entry->json, "memory.releases").value;
}

static void net_cell(struct grid *grid, struct value net) {
  struct text cell = {0};
  if (value_is_number(net)) {
    text_add(&cell, net.real < 0 ? "-" : "");
    number_si(&cell, fabs(net.real), "B");
  }
  grid_cell(grid, &cell, value_is_number(net) ? net.real : NAN);
}

static void region_row(struct grid *grid, const struct document *document, const struct entry *entry) {
  const struct json *memory = part(document, entry->json, "memory");
  char *title = entry_title(entry);
  grid_row(grid, title, entry->depth, entry->last);
  free(title);
  bytes_cell(grid, count_at(document, memory, "allocated_bytes"));
  bytes_cell(grid, count_at(document, memory, "released_bytes"));
  net_cell(grid, value_of(part(document, memory, "net_bytes")));
  bytes_cell(grid, count_at(document, memory, "peak_bytes"));
  count_cell(grid, count_at(document, memory, "allocations"));
}

static void print_regions(const struct printer *p) {
  const struct grid_column columns[] = {
      {"alloc-", "ated", "bytes of device memory allocated in the region", 0, false, false, false},
      {"re-", "leased", "bytes released in it", 2, false, false, false},
      {"net", "", "allocated less released", 0, false, false, false},
      {"peak", "", "most memory of the program around the region's allocations and releases", 1, false, false, false},
      {"allo-", "cations", "number of allocations", 3, false, false, false},
  };
  struct grid grid;
  grid_begin(&grid, "region", columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < report_shown(p->document->region_count); ++i)
    if (used_memory(p->document, &p->document->regions[i]))
      region_row(&grid, p->document, &p->document->regions[i]);
  if (grid.row_count)
    p->section(p->out, "Memory of regions", &grid, "", p->style);
  grid_free(&grid);
}

/* ---- Lists with stacks ---- */

#define SHOWN 10u

/* As many callers as have room beside the other columns, the innermost first. */
static void callers_cell(struct grid *grid, char *callers, const struct style *style) {
  const size_t others = 44, least = 32, room = style->width > others + least ? style->width - others : least;
  struct text cell = {0};
  for (char *comma; text_width(callers) > room && (comma = strrchr(callers, ',')) && comma != callers;)
    *comma = 0;
  text_elide(&cell, callers, room, style->utf8 ? "…" : "..");
  grid_cell(grid, &cell, NAN);
}

static void site_row(const struct printer *p, struct grid *grid, const struct json *item, bool has_time) {
  struct text name = {0}, where = {0};
  const char *region = string_at(p->document, item, "region");
  stack_names_add(&where, p->names, part(p->document, item, "stack"));
  add_bytes(&name, count_at(p->document, item, "bytes").value);
  grid_row(grid, text_get(&name), 0, true);
  if (has_time)
    time_cell(grid, count_at(p->document, item, "time_ns"));
  else
    count_cell(grid, count_at(p->document, item, "allocations"));
  text_cell(grid, string_at(p->document, item, "kind"));
  text_cell(grid, region);
  callers_cell(grid, where.data ? where.data : (char[]){""}, p->style);
  text_free(&name);
  text_free(&where);
}

static void print_list(const struct printer *p, const char *title, const struct json *items, bool has_time, const char *below) {
  const struct grid_column columns[] = {
      {has_time ? "after" : "allo-", has_time ? "" : "cations", has_time ? "time since the start of the process" : "number of allocations", 1,
       false, false, false},
      {"kind", "", "of the memory", 2, true, false, false},
      {"region", "", "that was open", 3, true, true, false},
      {"called by", "", "the innermost callers", 0, true, true, false},
  };
  struct grid grid;
  struct text rest = {0};
  size_t shown = 0;
  if (!json_count(items))
    return;
  grid_begin(&grid, "bytes", columns, sizeof columns / sizeof *columns);
  grid.flat = true;
  JSON_EACH(item, items)
    if (shown++ < SHOWN)
      site_row(p, &grid, item, has_time);
  text_add(&rest, below);
  if (shown > SHOWN)
    text_format(&rest, "%s%zu more are in the JSON.", rest.length ? " " : "", shown - SHOWN);
  p->section(p->out, title, &grid, text_get(&rest), p->style);
  grid_free(&grid);
  text_free(&rest);
}

static void print_peaks(const struct printer *p) {
  JSON_EACH(place, part(p->document, p->memory, "places")) {
    struct text title = {0};
    text_add(&title, "At the peak of ");
    add_place_name(&title, p->document, place);
    print_list(p, text_get(&title), part(p->document, place, "at_peak"), false, "");
    text_free(&title);
  }
}

/* "Memory ran out in attention/scores: cudaMalloc of 4.29 GB failed; the program held 76 GB of device 0, most of it:" */
static void print_failure(const struct printer *p, const struct json *failure) {
  struct text title = {0};
  const char *region = string_at(p->document, failure, "region");
  const struct count used = count_at(p->document, failure, "used_bytes");
  text_add(&title, "Memory ran out");
  if (*region) {
    text_add(&title, " in ");
    text_plain(&title, region);
  }
  text_add(&title, ": ");
  text_plain(&title, string_at(p->document, failure, "function"));
  text_add(&title, " of ");
  add_bytes(&title, count_at(p->document, failure, "bytes").value);
  text_add(&title, " failed while the program held ");
  add_bytes(&title, count_at(p->document, failure, "held_bytes").value);
  text_add(&title, " of ");
  add_place_name(&title, p->document, failure);
  if (used.known) {
    text_add(&title, " and ");
    add_bytes(&title, used.value);
    text_add(&title, " were in use");
  }
  struct text caller = {0};
  stack_names_add(&caller, p->names, part(p->document, failure, "stack"));
  if (caller.length)
    text_format(&title, "; called by %s", text_get(&caller));
  if (json_count(part(p->document, failure, "held")))
    print_list(p, text_get(&title), part(p->document, failure, "held"), false, "The largest that it held then.");
  else
    p->section(p->out, text_get(&title), NULL, "It held nothing then.", p->style);
  text_free(&caller);
  text_free(&title);
}

static void print_lists(const struct printer *p) {
  JSON_EACH(failure, part(p->document, p->memory, "exhausted.first"))
    print_failure(p, failure);
  print_peaks(p);
  print_list(p, "Not released at the end", part(p->document, p->memory, "leaks"), false, "");
  print_list(p, "Largest allocations", part(p->document, p->memory, "largest"), true, "");
}

void report_memory(struct text *out, const struct document *document, const struct selection *selection, section_function section,
                   const struct style *style) {
  const struct json *memory = memory_of(document);
  if (!selection->memory)
    return;
  if (!json_count(part(document, memory, "places")) && !count_at(document, memory, "exhausted.allocations").value) {
    section(out, "Memory", NULL, count_at(document, memory, "peak_bytes").known ? "The program allocated no CUDA memory." :
            "CUDA memory was not recorded: see the notes, or profile the program again with this version.", style);
    return;
  }
  struct stack_names *names = stack_names_of(document);
  const struct printer p = {document, memory, names, out, section, style};
  print_places(&p);
  print_regions(&p);
  print_lists(&p);
  stack_names_free(names);
}
