// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The differences, as a table for people. */
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_WIDTH 110
#define CHANGE_WIDTH 9
#define COUNT_WIDTH 28

/* How far apart two values are, from 0 to 1. */
static double relative_change(const struct difference *difference) {
  double a = difference->before.real, b = difference->after.real;
  if (!value_is_number(difference->before) || !value_is_number(difference->after))
    return 1;
  return fabs(value_gap(difference->before, difference->after)) / fmax(fabs(a), fabs(b));
}

static int by_importance(const void *first, const void *second) {
  const struct difference *a = first, *b = second;
  double change_a = relative_change(a), change_b = relative_change(b);
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
  if (change_a != change_b)
    return change_a > change_b ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

void comparison_sort(struct comparison *comparison) {
  if (comparison->count > 1)
    qsort(comparison->items, comparison->count, sizeof *comparison->items, by_importance);
}

static void show_change(struct text *out, const struct difference *difference) {
  double a = difference->before.real, b = difference->after.real;
  if (!value_is_number(difference->before) || !value_is_number(difference->after))
    return;
  if (a == 0)
    text_add(out, "new");
  else if (b / a >= 10)
    text_format(out, "x %.3g", b / a);
  else
    text_format(out, "%+.3g %%", 100 * value_gap(difference->before, difference->after) / fabs(a));
}

/* ---- Columns, as wide as their content ---- */

struct widths {
  int row, count, before, after;
  int alone; /* names present in one document only: they need no columns for values */
};

/* " only in the first file", behind its subject. */
static void show_only(struct text *out, const struct difference *difference) {
  size_t start = out->length;
  difference_name(out, difference);
  text_format(out, "%sonly in the %s file", out->length > start ? " " : "", difference->gone ? "first" : "second");
}

static bool is_alone(const struct difference *difference) { return difference->gone || difference->added; }

static int alone_width(const struct difference *difference) {
  struct text only = {0};
  show_only(&only, difference);
  int width = (int)text_width(difference->row), most = TABLE_WIDTH - 2 - (int)text_width(text_get(&only));
  text_free(&only);
  return width < most ? width : most;
}

static int value_width(struct value value, int least) {
  struct text shown = {0};
  value_show(&shown, value);
  int width = (int)shown.length;
  text_free(&shown);
  return width > least ? width : least;
}

static struct widths measure(const struct comparison *comparison, size_t lines) {
  struct widths widths = {(int)sizeof "region or kernel" - 1, (int)sizeof "count" - 1,
                          (int)sizeof "before" - 1, (int)sizeof "after" - 1, 0};
  for (size_t i = 0; i < lines; ++i) {
    const struct difference *difference = &comparison->items[i];
    int alone = is_alone(difference) ? alone_width(difference) : 0;
    widths.alone = alone > widths.alone ? alone : widths.alone;
    if (is_alone(difference))
      continue;
    struct text name = {0};
    difference_name(&name, difference);
    int row = (int)text_width(difference->row), count = (int)text_width(text_get(&name));
    text_free(&name);
    widths.row = row > widths.row ? row : widths.row;
    widths.count = count > widths.count ? count : widths.count;
    widths.before = value_width(difference->before, widths.before);
    widths.after = value_width(difference->after, widths.after);
  }
  widths.count = widths.count > COUNT_WIDTH ? COUNT_WIDTH : widths.count;
  int left = TABLE_WIDTH - 5 - CHANGE_WIDTH - widths.count - widths.before - widths.after;
  widths.row = widths.row > left ? left : widths.row;
  return widths;
}

static void cell(struct text *out, const char *string, bool is_kernel, int width) {
  struct text shown = {0};
  (is_kernel ? text_elide_kernel : text_elide)(&shown, string, (size_t)width, "..");
  text_format(out, " %s", text_get(&shown));
  text_repeat(out, " ", (size_t)width - text_width(text_get(&shown)));
  text_free(&shown);
}

static void add_alone(struct text *out, const struct difference *difference, struct widths widths) {
  struct text only = {0};
  show_only(&only, difference);
  int most = TABLE_WIDTH - 2 - (int)text_width(text_get(&only));
  cell(out, difference->row, difference->is_kernel, widths.alone < most ? widths.alone : most);
  text_format(out, " %s\n", text_get(&only));
  text_free(&only);
}

static void add_change(struct text *out, const struct difference *difference, struct widths widths) {
  struct text name = {0}, before = {0}, after = {0}, change = {0};
  difference_name(&name, difference);
  value_show(&before, difference->before);
  value_show(&after, difference->after);
  show_change(&change, difference);
  cell(out, difference->row, difference->is_kernel, widths.row);
  cell(out, text_get(&name), false, widths.count);
  text_format(out, " %*s %*s", widths.before, text_get(&before), widths.after, text_get(&after));
  if (change.length)
    text_format(out, " %*s", CHANGE_WIDTH, text_get(&change));
  text_add(out, "\n");
  text_free(&name);
  text_free(&before);
  text_free(&after);
  text_free(&change);
}

static void add_heads(struct text *out, struct widths widths) {
  cell(out, "region or kernel", false, widths.row);
  cell(out, "count", false, widths.count);
  text_format(out, " %*s %*s %*s\n", widths.before, "before", widths.after, "after", CHANGE_WIDTH, "change");
}

void comparison_table(struct text *out, const struct comparison *comparison, size_t most) {
  size_t lines = comparison->count < most ? comparison->count : most;
  struct widths widths = measure(comparison, lines);
  bool heads = false;
  for (size_t i = 0; i < lines; ++i) {
    const struct difference *difference = &comparison->items[i];
    if (is_alone(difference)) {
      add_alone(out, difference, widths);
      continue;
    }
    if (!heads)
      add_heads(out, widths);
    heads = true;
    add_change(out, difference, widths);
  }
  if (lines < comparison->count)
    text_format(out, " and %zu more; --all shows them\n", comparison->count - lines);
}
