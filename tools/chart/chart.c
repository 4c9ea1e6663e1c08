// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chart/chart.h"

#include "common/numbers.h"
#include "common/short_names.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS 38
#define MOST_POINTS 400 /* more are not told apart, and names among them not placed in a second */
/* No chip and no program is beyond these; a document may be, and axes would have no end. */
#define LEAST_DRAWN 1e-15
#define MOST_DRAWN 1e25
#define SAME_PLACE 3.0 /* pixels: markers this near are one */

double chart_x(const struct chart *chart, double intensity) {
  double share = (log10(intensity) - chart->x_low) / (chart->x_high - chart->x_low);
  return CHART_LEFT + share * (CHART_RIGHT - CHART_LEFT);
}

double chart_y(const struct chart *chart, double rate) {
  double share = (log10(rate) - chart->y_low) / (chart->y_high - chart->y_low);
  return CHART_BOTTOM - share * (CHART_BOTTOM - CHART_TOP);
}

static enum ink phase_ink(const char *phase) {
  static const struct {
    const char *phase;
    enum ink ink;
  } phases[] = {{"", INK_UNNAMED},
                {"forward", INK_FORWARD},
                {"backward", INK_BACKWARD},
                {"optimizer", INK_OPTIMIZER},
                {"communication", INK_COMMUNICATION},
                {"warmup", INK_UNNAMED}};
  for (size_t i = 0; i < sizeof phases / sizeof *phases; ++i)
    if (!strcmp(phase, phases[i].phase))
      return phases[i].ink;
  return INK_OTHER;
}

/* ---- Points ---- */
/* Where the bound is not known, because DRAM bytes are not, the true percentage may be higher. */
static const char *at_least(const struct entry *entry) { return *entry_string(entry, STRING_BOUND) ? "" : "≥"; }

static char *tool_tip(const struct entry *entry, const struct chart_point *point) {
  struct text text = {0};
  text_plain(&text, entry->path);
  text_add(&text, "\n");
  number_si(&text, point->rate, "FLOP/s");
  text_add(&text, point->hollow ? " attainable (no GPU time)" : " measured");
  const struct number percent = entry_number(entry, NUMBER_PERCENT), dram = entry_number(entry, NUMBER_INTENSITY_DRAM),
                      requested = entry_number(entry, NUMBER_INTENSITY_REQUESTED);
  if (percent.known) {
    text_add(&text, ", ");
    text_add(&text, at_least(entry));
    text_format(&text, percent.value < 1e6 ? "%.1f %%" : "%.1e %%", percent.value);
    text_add(&text, " of the roof");
  }
  if (*entry_string(entry, STRING_BOUND)) {
    text_add(&text, "\nbound by ");
    text_plain(&text, entry_string(entry, STRING_BOUND));
  }
  if (dram.known) {
    text_add(&text, "\n");
    number_plain(&text, dram.value);
    text_add(&text, " FLOP per DRAM byte");
  }
  for (size_t i = 0; i < point->level_count; ++i) {
    text_add(&text, "\n");
    number_plain(&text, point->levels[i].intensity);
    text_format(&text, " FLOP per %s byte", point->levels[i].name);
  }
  if (requested.known) {
    text_add(&text, "\n");
    number_plain(&text, requested.value);
    text_add(&text, " FLOP per requested byte");
  }
  return text.data;
}

static char *clean_title(const struct entry *entry) {
  struct text clean = {0};
  char *name = entry_title(entry);
  text_plain(&clean, name);
  free(name);
  name = copy_string(text_get(&clean));
  text_free(&clean);
  return name;
}

/* `name`: of a kernel, shortened beside others; null for a region. */
static char *label_line(const struct entry *entry, const char *name, size_t document, size_t documents) {
  struct text line = {0};
  char *title = name ? NULL : clean_title(entry);
  if (name)
    text_add(&line, name);
  else
    text_elide(&line, title, NAME_COLUMNS, "…");
  if (documents > 1)
    text_format(&line, " [%zu]", document + 1);
  free(title);
  return line.data;
}

static void add_percent(struct chart_point *point) {
  const struct entry *entry = point->entry;
  const struct number percent = entry_number(entry, NUMBER_PERCENT);
  if (!point->above_roof && !percent.known)
    return;
  char *line = point->above_roof
                   ? format_string("%s, above the roof!", point->lines[0])
                   : format_string(percent.value < 1e6 ? "%s, %s%.0f %%" : "%s, %s%.1e %%", point->lines[0],
                                   at_least(entry), percent.value);
  free(point->lines[0]);
  point->lines[0] = line;
}

static bool can_be_drawn(struct number number) {
  return number.known && number.value >= LEAST_DRAWN && number.value <= MOST_DRAWN;
}

/* Levels below DRAM, where their bytes are known. */
static void add_levels(struct chart_point *point) {
  static const struct {
    const char *name;
    enum entry_number intensity;
  } levels[CHART_LEVELS] = {{"L1", NUMBER_INTENSITY_L1}, {"L2", NUMBER_INTENSITY_L2}};
  for (size_t i = 0; i < CHART_LEVELS; ++i) {
    const struct number intensity = entry_number(point->entry, levels[i].intensity);
    if (can_be_drawn(intensity) && fabs(log10(intensity.value / point->intensity)) > 0.02)
      point->levels[point->level_count++] = (struct level_mark){.name = levels[i].name, .intensity = intensity.value};
  }
}

static void add_point(struct chart *chart, const struct entry *entry, size_t index, size_t document) {
  const struct number requested = entry_number(entry, NUMBER_INTENSITY_REQUESTED),
                      dram = entry_number(entry, NUMBER_INTENSITY_DRAM), attained = entry_number(entry, NUMBER_ATTAINED);
  const bool measured = attained.known && attained.value > 0;
  const struct number intensity = dram.known ? dram : requested,
                      rate = measured ? attained : entry_number(entry, NUMBER_ATTAINABLE);
  if (!entry_count(entry, COUNT_FLOPS).value || !can_be_drawn(intensity) || !can_be_drawn(rate)) {
    ++chart->not_drawn;
    return;
  }
  struct chart_point *point = &chart->points[chart->point_count++];
  *point = (struct chart_point){
      .entry = entry,
      .order = chart->point_count,
      .names = 1,
      .line_count = 1,
      .ink = phase_ink(entry_string(entry, STRING_PHASE)),
      .shape = entry->is_kernel ? SHAPE_SQUARE : SHAPE_CIRCLE,
      .hollow = !measured,
      .by_requested = !dram.known,
      .above_roof = !strcmp(entry_string(entry, STRING_STATUS), "above_roof"),
      .has_requested = can_be_drawn(requested) && fabs(log10(requested.value / intensity.value)) > 0.02,
      .intensity = intensity.value,
      .requested = requested.value,
      .rate = rate.value,
  };
  point->document = document;
  point->index = index;
  add_levels(point);
  chart->dram_is_unique |= !strcmp(entry_string(entry, STRING_DRAM_SOURCE), "unique");
}

static int by_work(const void *first, const void *second) {
  const struct chart_point *a = first, *b = second;
  uint64_t work_a = entry_count(a->entry, COUNT_FLOPS).value, work_b = entry_count(b->entry, COUNT_FLOPS).value;
  if (work_a != work_b)
    return work_a > work_b ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

static int by_order(const void *first, const void *second) {
  const struct chart_point *a = first, *b = second;
  return (a->order > b->order) - (a->order < b->order);
}

/* Of very many points, those with the most work are drawn. */
static void keep_largest(struct chart *chart) {
  if (chart->point_count <= MOST_POINTS)
    return;
  qsort(chart->points, chart->point_count, sizeof *chart->points, by_work);
  chart->too_many = chart->point_count - MOST_POINTS;
  chart->point_count = MOST_POINTS;
  qsort(chart->points, chart->point_count, sizeof *chart->points, by_order);
}

static void name_points(struct chart *chart, size_t documents) {
  char **names = allocate(chart->point_count * sizeof *names);
  for (size_t i = 0; i < chart->point_count; ++i)
    names[i] = chart->points[i].entry->is_kernel ? clean_title(chart->points[i].entry) : NULL;
  shorten_names(names, chart->point_count, NAME_COLUMNS, "…");
  for (size_t i = 0; i < chart->point_count; ++i) {
    struct chart_point *point = &chart->points[i];
    point->lines[0] = label_line(point->entry, names[i], point->document, documents);
    free(names[i]);
    point->title = tool_tip(point->entry, point);
    point->rows = format_string("%c%zu", point->entry->is_kernel ? 'k' : 'r', point->index);
  }
  free(names);
}

static void add_points(struct chart *chart, const struct document *documents, size_t count,
                       const struct selection *selection) {
  size_t total = 0;
  for (size_t d = 0; d < count; ++d)
    total += documents[d].region_count + documents[d].kernel_count;
  chart->points = allocate(total * sizeof *chart->points);
  for (size_t d = 0; d < count; ++d) {
    for (size_t i = 0; selection->regions && i < documents[d].region_count; ++i)
      add_point(chart, &documents[d].regions[i], i, d);
    for (size_t i = 0; selection->kernels && i < documents[d].kernel_count; ++i)
      add_point(chart, &documents[d].kernels[i], i, d);
  }
  keep_largest(chart);
  name_points(chart, count);
}

static void free_point(struct chart_point *point) {
  for (size_t i = 0; i < sizeof point->lines / sizeof *point->lines; ++i)
    free(point->lines[i]);
  free(point->title);
  free(point->rows);
}

/* "stbif.forward" and "stbif_forward" are one name to the reader: a region and the kernel it is named after.
 */
static bool same_name(const char *a, const char *b) {
  for (; *a && *b; ++a, ++b)
    if (*a != *b && (isalnum((unsigned char)*a) || isalnum((unsigned char)*b)))
      return false;
  return *a == *b;
}

/* Adds the name of `other` to the label of `point`: a region and the one kernel in it fall on the same place.
 */
static void join(struct chart_point *point, struct chart_point *other) {
  const size_t room = sizeof point->lines / sizeof *point->lines;
  bool repeated = false;
  for (size_t i = 0; i < point->line_count; ++i)
    repeated |= same_name(point->lines[i] + (i ? strlen("= ") : 0), other->lines[0]);
  char *title = format_string("%s\n\n%s", point->title, other->title);
  free(point->title);
  point->title = title;
  char *rows = format_string("%s %s", point->rows, other->rows);
  free(point->rows);
  point->rows = rows;
  if (point->ink == INK_UNNAMED)
    point->ink = other->ink;
  if (repeated)
    return;
  ++point->names;
  if (point->line_count < room) {
    point->lines[point->line_count++] = format_string("= %s", other->lines[0]);
    return;
  }
  free(point->lines[room - 1]);
  point->lines[room - 1] = format_string("= %zu more", point->names - (room - 1));
}

static void join_points(struct chart *chart) {
  size_t kept = 0;
  for (size_t i = 0; i < chart->point_count; ++i) {
    struct chart_point *point = &chart->points[i];
    size_t same = 0;
    for (; same < kept; ++same) {
      const struct chart_point *other = &chart->points[same];
      if (fabs(other->x - point->x) < SAME_PLACE && fabs(other->y - point->y) < SAME_PLACE &&
          other->hollow == point->hollow && other->by_requested == point->by_requested)
        break;
    }
    if (same < kept) {
      join(&chart->points[same], point);
      free_point(point);
    } else {
      chart->points[kept++] = *point;
    }
  }
  chart->point_count = kept;
}

/* ---- Roofs ---- */
static const struct ceiling *drawn(const struct ceiling *ceiling) {
  return ceiling && ceiling->per_second >= 1 && ceiling->per_second <= MOST_DRAWN ? ceiling : NULL;
}

static const struct ceiling *flop_ceiling(const struct document *document, enum flop_kind kind) {
  return drawn(document_flop_ceiling(document, kind));
}

static const struct ceiling *byte_ceiling(const struct document *document, const char *level) {
  return drawn(document_byte_ceiling(document, level));
}

static bool applies(const struct chart *chart, enum flop_kind kind) {
  for (size_t i = 0; i < chart->point_count; ++i)
    if (entry_flops(chart->points[i].entry, kind).value)
      return true;
  return false;
}

static bool applies_by_mma_sync(const struct chart *chart, enum flop_kind kind) {
  for (size_t i = 0; i < chart->point_count; ++i)
    if (entry_mma_sync_flops(chart->points[i].entry, kind).value)
      return true;
  return false;
}

static void add_ceiling(struct chart *chart, const struct ceiling *ceiling, enum flop_kind kind, const char *name) {
  struct text label = {0};
  text_format(&label, "%s  ", name);
  number_si(&label, ceiling->per_second, flop_kinds[kind].in_total ? "FLOP/s" : "op/s");
  chart->ceilings[chart->ceiling_count++] =
      (struct chart_line){.label = label.data, .name = flop_kinds[kind].shown, .value = ceiling->per_second};
}

/* Where points use mma.sync, and it is slower than another instruction, it has a line beside that. */
static void add_ceilings(struct chart *chart, const struct document *document) {
  bool any = false;
  for (size_t i = 0; i < FLOP_KIND_COUNT; ++i)
    any |= applies(chart, (enum flop_kind)i) && flop_ceiling(document, (enum flop_kind)i);
  chart->ceilings = allocate(2 * FLOP_KIND_COUNT * sizeof *chart->ceilings);
  for (enum flop_kind kind = 0; kind < FLOP_KIND_COUNT; ++kind) {
    const struct ceiling *ceiling = flop_ceiling(document, kind), *mma_sync = drawn(document_mma_sync_ceiling(document, kind));
    bool wanted = any ? applies(chart, kind) : kind == FLOP_FP32;
    if (!ceiling || !wanted)
      continue;
    add_ceiling(chart, ceiling, kind, flop_kinds[kind].shown);
    if (!mma_sync || mma_sync == ceiling || !applies_by_mma_sync(chart, kind))
      continue;
    char *name = format_string("%s by mma.sync", flop_kinds[kind].shown);
    add_ceiling(chart, mma_sync, kind, name);
    free(name);
  }
}

static void add_roofs(struct chart *chart, const struct document *document) {
  static const struct {
    const char *level, *shown;
  } levels[] = {{"dram", "DRAM"}, {"l2", "L2"}, {"l1", "L1"}, {"shared", "shared memory"}};
  chart->roofs = allocate(sizeof levels / sizeof *levels * sizeof *chart->roofs);
  for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i) {
    const struct ceiling *ceiling = byte_ceiling(document, levels[i].level);
    if (!ceiling)
      continue;
    bool same = false; /* L1 and shared memory are one unit on most chips: one line, both names */
    for (size_t r = 1; r < chart->roof_count && !same; ++r) {
      same = fabs(log10(chart->roofs[r].value / ceiling->per_second)) < 0.02;
      if (same) {
        char *label = format_string("%s, %s", levels[i].shown, chart->roofs[r].label);
        free(chart->roofs[r].label);
        chart->roofs[r].label = label;
      }
    }
    if (same)
      continue;
    struct text label = {0};
    text_format(&label, "%s  ", levels[i].shown);
    number_si(&label, ceiling->per_second, "B/s");
    chart->roofs[chart->roof_count++] = (struct chart_line){
        .label = label.data, .name = levels[i].level, .value = ceiling->per_second, .main = i == 0};
  }
}

static double highest_ceiling(const struct chart *chart) {
  double highest = 0;
  for (size_t i = 0; i < chart->ceiling_count; ++i)
    highest = fmax(highest, chart->ceilings[i].value);
  return highest;
}

/* Axes for every point and every ridge, rounded to half decades. */
static void choose_axes(struct chart *chart) {
  double top = highest_ceiling(chart), ridge = top / chart->roofs[0].value;
  double x_low = ridge / 30, x_high = ridge * 8, y_low = top / 300, y_high = top * 2;
  for (size_t i = 0; i < chart->point_count; ++i) {
    const struct chart_point *point = &chart->points[i];
    double requested = point->has_requested ? point->requested : point->intensity;
    x_low = fmin(x_low, fmin(point->intensity, requested) / 2.5);
    x_high = fmax(x_high, fmax(point->intensity, requested) * 4);
    for (size_t k = 0; k < point->level_count; ++k) {
      x_low = fmin(x_low, point->levels[k].intensity / 2.5);
      x_high = fmax(x_high, point->levels[k].intensity * 4);
    }
    y_low = fmin(y_low, point->rate / 3);
    y_high = fmax(y_high, point->rate * 2);
  }
  chart->x_low = floor(log10(x_low) * 2) / 2;
  chart->x_high = ceil(log10(x_high) * 2) / 2;
  chart->y_low = floor(log10(y_low) * 2) / 2;
  chart->y_high = ceil(log10(y_high) * 2) / 2;
}

/* True where the name of a roof, written along it, would lie on a marker. */
static bool roof_label_is_covered(const struct chart *chart, const struct chart_line *roof, double cosine,
                                  double sine, double width) {
  for (size_t i = 0; i < chart->point_count; ++i) {
    const struct chart_point *point = &chart->points[i];
    const double xs[] = {point->x, point->requested_x};
    for (size_t k = 0; k < sizeof xs / sizeof *xs; ++k) {
      double x = xs[k] - roof->label_x, y = point->y - roof->label_y;
      double along = x * cosine + y * sine, across = y * cosine - x * sine;
      if (fabs(along) < width / 2 + 10 && across > -20 && across < 12)
        return true;
    }
  }
  return false;
}

/* Along the roof, just above it, at the first place from the usual one on that covers no marker. */
static void place_roof_label(const struct chart *chart, struct chart_line *roof, double cosine, double sine,
                             double length) {
  static const double places[] = {0.2, 0.3, 0.1, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.2};
  const double shift = 7, width = lettering_width(roof->label, LABEL_SIZE, roof->main);
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    double at = fmin(fmax(width / 2 + 12, length * places[i]), fmax(length - width / 2, width / 2));
    roof->label_x = roof->line.x1 + cosine * at + sine * shift;
    roof->label_y = roof->line.y1 + sine * at - cosine * shift;
    if (!roof_label_is_covered(chart, roof, cosine, sine, width))
      return;
  }
}

static void lay_roofs(struct chart *chart) {
  double top = highest_ceiling(chart), left = pow(10, chart->x_low), bottom = pow(10, chart->y_low);
  for (size_t i = 0; i < chart->roof_count; ++i) {
    struct chart_line *roof = &chart->roofs[i];
    double begin = fmax(left, bottom / roof->value), end = top / roof->value;
    roof->line = (struct segment){chart_x(chart, begin), chart_y(chart, begin * roof->value),
                                  chart_x(chart, end), chart_y(chart, top)};
    double dx = roof->line.x2 - roof->line.x1, dy = roof->line.y2 - roof->line.y1, length = hypot(dx, dy);
    roof->hidden = begin >= end; /* left of the picture */
    roof->angle = atan2(dy, dx) * 180 / acos(-1);
    if (!roof->hidden)
      place_roof_label(chart, roof, dx / length, dy / length, length);
  }
  for (size_t i = 0; i < chart->ceiling_count; ++i) {
    struct chart_line *ceiling = &chart->ceilings[i];
    double ridge = fmax(left, ceiling->value / chart->roofs[0].value), y = chart_y(chart, ceiling->value);
    ceiling->main = ceiling->value >= top;
    ceiling->line = (struct segment){chart_x(chart, ridge), y, CHART_RIGHT, y};
    ceiling->label_x = CHART_RIGHT - 8;
    ceiling->label_y = y - 7;
  }
  /* Two ceilings of nearly the same height: the lower one's name goes below its line, or close to it. */
  for (size_t i = 0; i < chart->ceiling_count; ++i)
    for (size_t j = 0; j < chart->ceiling_count; ++j) {
      double gap = chart->ceilings[j].line.y1 - chart->ceilings[i].line.y1;
      bool is_lower = i != j && (gap > 0 || (gap == 0 && j > i));
      if (is_lower && gap < 24)
        chart->ceilings[j].label_y = chart->ceilings[j].line.y1 + (gap < 19 ? 16 : -4);
    }
}

/* ---- Labels ---- */
/* Boxes along a slanted text, and one for each straight label. */
static size_t fixed_boxes(const struct chart *chart, struct box *boxes) {
  const size_t pieces = 12;
  size_t count = 0;
  for (size_t i = 0; i < chart->roof_count; ++i) {
    const struct chart_line *roof = &chart->roofs[i];
    double width = lettering_width(roof->label, LABEL_SIZE, roof->main), turn = roof->angle * acos(-1) / 180;
    for (size_t p = 0; p < pieces; ++p) {
      double along = width * ((double)p / (double)(pieces - 1) - 0.5);
      boxes[count++] =
          (struct box){roof->label_x + cos(turn) * along - 8, roof->label_y + sin(turn) * along - 13, 16, 16};
    }
  }
  for (size_t i = 0; i < chart->ceiling_count; ++i) {
    const struct chart_line *ceiling = &chart->ceilings[i];
    double width = lettering_width(ceiling->label, LABEL_SIZE, ceiling->main);
    boxes[count++] = (struct box){ceiling->label_x - width, ceiling->label_y - 12, width, 16};
    boxes[count++] = (struct box){ceiling->line.x1 - 22, CHART_BOTTOM - 20, 44, 18}; /* the ridge's number */
  }
  return count;
}

static void place_labels(struct chart *chart) {
  struct box *boxes = allocate((chart->roof_count * 12 + chart->ceiling_count * 2) * sizeof *boxes);
  struct segment *lines =
      allocate((chart->roof_count + 2 * chart->ceiling_count + chart->point_count) * sizeof *lines);
  size_t box_count = fixed_boxes(chart, boxes), line_count = 0;
  for (size_t i = 0; i < chart->roof_count; ++i)
    lines[line_count++] = chart->roofs[i].line;
  for (size_t i = 0; i < chart->ceiling_count; ++i) {
    struct segment line = chart->ceilings[i].line;
    lines[line_count++] = line;
    lines[line_count++] = (struct segment){line.x1, line.y1, line.x1, CHART_BOTTOM};
  }
  for (size_t i = 0; i < chart->point_count; ++i) {
    const struct chart_point *point = &chart->points[i];
    if (point->has_requested)
      lines[line_count++] = (struct segment){point->requested_x, point->y, point->x, point->y};
  }
  labels_place(chart->points, chart->point_count, boxes, box_count, lines, line_count);
  free(boxes);
  free(lines);
}

/* ---- The whole ---- */
/* Why there is no picture of the documents, or null. The caller frees it. */
static char *cannot_draw(const struct document *documents, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(documents[i].chip, documents[0].chip))
      return format_string(
          "'%s' is for the chip '%s' and '%s' for '%s': their roofs differ; plot them one by one.",
          documents[0].file, documents[0].chip, documents[i].file, documents[i].chip);
    if (!byte_ceiling(&documents[i], "dram") || !documents[i].flop_ceiling_count)
      return format_string("'%s' holds no ceilings, so there is no roof to draw: run the program with GPUPROF_CHIP "
                           "set to a chip that gpuprof knows, for example GPUPROF_CHIP=h200.",
                           documents[i].file);
  }
  return NULL;
}

/* The end of @p path behind its slash number @p folders + 1 from the end; all of it with fewer slashes. */
static const char *path_tail(const char *path, size_t folders) {
  const char *tail = path + strlen(path);
  while (tail > path && (tail[-1] != '/' || folders--))
    --tail;
  return tail;
}

static bool tails_differ(const struct document *documents, size_t count, size_t folders) {
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < i; ++j)
      if (!strcmp(path_tail(documents[i].file, folders), path_tail(documents[j].file, folders)) &&
          strcmp(documents[i].file, documents[j].file))
        return false;
  return true;
}

/* Names the documents by as many folders as tell them apart: long paths would leave no room for the others.
 */
static void add_document_names(struct text *line, const struct document *documents, size_t count) {
  size_t folders = 0;
  while (!tails_differ(documents, count, folders))
    ++folders;
  for (size_t i = 0; i < count; ++i) {
    text_format(line, " · [%zu] ", i + 1);
    text_plain(line, path_tail(documents[i].file, folders));
  }
}

static void add_titles(struct chart *chart, const struct document *documents, size_t count,
                       const char *title) {
  struct text headline = {0}, line = {0};
  text_add(&headline, title ? "" : "Roofline · ");
  text_plain(&headline, title ? title : document_title(documents));
  chart->title = headline.data;
  text_plain(&line, *documents->chip ? chip_title(documents->chip) : documents->device_name);
  if (*document_ceiling_source(documents))
    text_format(&line, " · %s ceilings", document_ceiling_source(documents));
  if (document_is_cpu(documents))
    text_format(&line, " · %s counts from the CPU device, no GPU time", documents->sample.known ? "sampled" : "exact");
  if (count > 1)
    add_document_names(&line, documents, count);
  chart->subtitle = line.data ? line.data : copy_string("");
}

static void add_footnote(struct chart *chart) {
  struct text line = {0};
  size_t unnamed = 0, by_requested = 0;
  for (size_t i = 0; i < chart->point_count; ++i) {
    unnamed += !chart->points[i].labelled;
    by_requested += chart->points[i].by_requested;
  }
  if (by_requested)
    text_add(&line, "Light marks without a partner: DRAM bytes unknown, placed by requested bytes. ");
  if (chart->not_drawn)
    text_format(&line, "Not drawn: %zu without FLOPs or without bytes, so without an intensity. ",
                chart->not_drawn);
  if (chart->too_many)
    text_format(&line, "Not drawn: %zu with less work than the %d that are. ", chart->too_many, MOST_POINTS);
  if (unnamed)
    text_format(&line, "%zu without room for a name: hover over the marker.", unnamed);
  chart->footnote = line.data ? line.data : copy_string("");
}

char *chart_build(struct chart *chart, const struct document *documents, size_t count,
                  const struct selection *selection, const char *title) {
  memset(chart, 0, sizeof *chart);
  char *why = cannot_draw(documents, count);
  if (why)
    return why;
  add_points(chart, documents, count, selection);
  add_roofs(chart, documents);
  add_ceilings(chart, documents);
  if (!chart->ceiling_count) {
    chart_free(chart);
    return format_string("'%s' has no ceiling for the precision its points use; run the program with GPUPROF_CHIP set "
                         "to a chip that gpuprof knows.",
                         documents->file);
  }
  choose_axes(chart);
  for (size_t i = 0; i < chart->point_count; ++i) {
    struct chart_point *point = &chart->points[i];
    point->x = chart_x(chart, point->intensity);
    point->y = chart_y(chart, point->rate);
    point->requested_x = point->has_requested ? chart_x(chart, point->requested) : point->x;
    for (size_t k = 0; k < point->level_count; ++k)
      point->levels[k].x = chart_x(chart, point->levels[k].intensity);
  }
  join_points(chart);
  for (size_t i = 0; i < chart->point_count; ++i)
    add_percent(&chart->points[i]);
  lay_roofs(chart);
  place_labels(chart);
  add_titles(chart, documents, count, title);
  add_footnote(chart);
  return NULL;
}

void chart_free(struct chart *chart) {
  for (size_t i = 0; i < chart->point_count; ++i)
    free_point(&chart->points[i]);
  for (size_t i = 0; i < chart->roof_count; ++i)
    free(chart->roofs[i].label);
  for (size_t i = 0; i < chart->ceiling_count; ++i)
    free(chart->ceilings[i].label);
  free(chart->points);
  free(chart->roofs);
  free(chart->ceilings);
  free(chart->title);
  free(chart->subtitle);
  free(chart->footnote);
  memset(chart, 0, sizeof *chart);
}
