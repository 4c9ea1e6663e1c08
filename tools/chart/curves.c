// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chart/curves.h"

#include "common/text.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 92.0
#define PANEL_ROW 282.0
#define LEGEND_ROW 22.0
#define LABEL_COLUMNS 60
#define LOG_FROM 12.0 /* axes of values further apart than this are logarithmic */

/* What a curve is of: a row, at the points with these values of the other parameters. */
struct subject {
  const struct sweep_row *row; /* at some point */
  size_t point;                /* the first one with the combination */
  double weight;               /* time, or work where no time is known */
};

/* ---- The parameter ---- */

static const struct parameter *find_parameter(const struct sweep *sweep, const char *name) {
  for (size_t i = 0; i < sweep->parameters.count; ++i)
    if (!strcmp(sweep->parameters.items[i].name, name))
      return &sweep->parameters.items[i];
  return NULL;
}

static bool read_numbers(const struct parameter *parameter, double *numbers) {
  for (size_t i = 0; i < parameter->count; ++i) {
    char *end = NULL;
    numbers[i] = strtod(parameter->values[i], &end);
    if (end == parameter->values[i] || *end || !isfinite(numbers[i]))
      return false;
  }
  return true;
}

/* Numbers stand at their place, by their logarithm where they are far apart; words stand evenly. */
static void place_values(struct curves *curves) {
  const size_t count = curves->over->count;
  double low = INFINITY, high = -INFINITY;
  double *at = curves->places = allocate(count * sizeof *at);
  const bool are_numbers = read_numbers(curves->over, at);
  for (size_t i = 0; i < count; ++i) {
    at[i] = are_numbers ? at[i] : (double)i;
    low = fmin(low, at[i]);
    high = fmax(high, at[i]);
  }
  const bool is_log = are_numbers && low > 0 && high / low >= 8;
  for (size_t i = 0; i < count; ++i) {
    const double span = is_log ? log(high / low) : high - low;
    at[i] = span > 0 ? (is_log ? log(at[i] / low) : at[i] - low) / span : 0.5;
  }
}

/* ---- Subjects ---- */

/* The number of the value that the parameter has at a point. */
static size_t value_at(const struct sweep *sweep, size_t point, const struct parameter *parameter) {
  const size_t index = (size_t)(parameter - sweep->parameters.items);
  for (size_t i = sweep->parameters.count - 1; i > index; --i)
    point /= sweep->parameters.items[i].count;
  return point % parameter->count;
}

/* Whether all parameters but one are equal at two points. */
static bool is_same_combination(const struct sweep *sweep, const struct parameter *over, size_t a, size_t b) {
  for (size_t i = 0; i < sweep->parameters.count; ++i) {
    const struct parameter *parameter = &sweep->parameters.items[i];
    if (parameter != over && value_at(sweep, a, parameter) != value_at(sweep, b, parameter))
      return false;
  }
  return true;
}

static size_t combination_of(const struct sweep *sweep, const struct parameter *over, size_t point) {
  size_t first = 0;
  while (!is_same_combination(sweep, over, first, point))
    ++first;
  return first;
}

static double weight_of(const struct sweep_row *row, size_t runs) {
  const struct estimate time = row_measure(row, runs, MEASURE_TIME), work = row_measure(row, runs, MEASURE_FLOPS);
  if (row_is_timed_on_gpu(row) && time.known)
    return time.mean;
  return work.known ? work.mean : 0;
}

static void add_subject(struct subject *subjects, size_t *count, const struct sweep_row *row, size_t point, double weight) {
  for (size_t i = 0; i < *count; ++i)
    if (subjects[i].point == point && subjects[i].row->is_kernel == row->is_kernel &&
        !strcmp(subjects[i].row->strings[SWEEP_PATH], row->strings[SWEEP_PATH])) {
      subjects[i].weight += weight;
      return;
    }
  subjects[(*count)++] = (struct subject){row, point, weight};
}

static bool is_chosen(const struct sweep_row *row, const struct curve_choice *choice, const regex_t *rows) {
  return (row->is_kernel ? choice->kernels : choice->regions) && (!rows || !regexec(rows, row->strings[SWEEP_PATH], 0, NULL, 0));
}

/* A region of a kernel says what the kernel's row says: both are drawn only where they are asked for. */
static bool has_regions(const struct sweep *sweep) {
  for (size_t p = 0; p < sweep->point_count; ++p)
    for (size_t r = 0; r < sweep->points[p].row_count; ++r)
      if (!sweep->points[p].rows[r].is_kernel)
        return true;
  return false;
}

static size_t count_rows(const struct sweep *sweep) {
  size_t rows = 0;
  for (size_t p = 0; p < sweep->point_count; ++p)
    rows += sweep->points[p].row_count;
  return rows;
}

static struct subject *find_subjects(const struct sweep *sweep, const struct parameter *over, const struct curve_choice *choice,
                                     const regex_t *rows, size_t *count) {
  struct subject *subjects = allocate((count_rows(sweep) + 1) * sizeof *subjects);
  *count = 0;
  for (size_t p = 0; p < sweep->point_count; ++p) {
    const struct sweep_point *point = &sweep->points[p];
    for (size_t r = 0; r < point->row_count; ++r)
      if (is_chosen(&point->rows[r], choice, rows))
        add_subject(subjects, count, &point->rows[r], combination_of(sweep, over, p), weight_of(&point->rows[r], point->run_count));
  }
  return subjects;
}

/* The heaviest first; of equal ones the order of the program stays. */
static void keep_heaviest(struct subject *subjects, size_t count, size_t kept) {
  for (size_t k = 0; k < kept; ++k)
    for (size_t i = count - 1; i > k; --i)
      if (subjects[i].weight > subjects[i - 1].weight) {
        const struct subject lighter = subjects[i - 1];
        subjects[i - 1] = subjects[i];
        subjects[i] = lighter;
      }
}

/* ---- Curves ---- */

static char *label_of(const struct sweep *sweep, const struct parameter *over, const struct subject *subject) {
  struct text text = {0}, plain = {0};
  text_plain(&plain, subject->row->strings[SWEEP_PATH]);
  (subject->row->is_kernel ? text_elide_kernel : text_elide)(&text, text_get(&plain), LABEL_COLUMNS, "…");
  for (size_t i = 0; i < sweep->parameters.count; ++i)
    if (&sweep->parameters.items[i] != over) {
      text_add(&text, ", ");
      text_plain(&text, sweep->parameters.items[i].name);
      text_add(&text, " ");
      text_plain(&text, parameters_value(&sweep->parameters, subject->point, i));
    }
  text_free(&plain);
  return text.data;
}

static void add_curve(struct curves *curves, const struct sweep *sweep, const struct subject *subject) {
  struct curve *curve = &curves->curves[curves->curve_count++];
  curve->label = label_of(sweep, curves->over, subject);
  for (size_t m = 0; m < MEASURE_COUNT; ++m) {
    curve->values[m] = allocate(curves->over->count * sizeof *curve->values[m]);
    memset(curve->values[m], 0, curves->over->count * sizeof *curve->values[m]);
  }
  for (size_t p = 0; p < sweep->point_count; ++p) {
    const struct sweep_row *row =
        is_same_combination(sweep, curves->over, p, subject->point)
            ? sweep_row_at(sweep, p, subject->row->is_kernel, subject->row->strings[SWEEP_PATH])
            : NULL;
    for (size_t m = 0; row && m < MEASURE_COUNT; ++m) {
      curve->values[m][value_at(sweep, p, curves->over)] = row_measure(row, sweep->points[p].run_count, m);
      curves->has_repeats |= curve->values[m][value_at(sweep, p, curves->over)].runs > 1;
    }
  }
}

/* ---- Panels ---- */

static double scale_of(enum measure measure) { return measure == MEASURE_TIME ? 1e-9 : 1; }

/* False where no curve has a value. */
static bool find_span(const struct curves *curves, enum measure measure, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t c = 0; c < curves->curve_count; ++c)
    for (size_t v = 0; v < curves->over->count; ++v) {
      const struct estimate value = curves->curves[c].values[measure][v];
      if (!value.known)
        continue;
      *low = fmin(*low, value.mean * scale_of(measure));
      *high = fmax(*high, (value.mean + value.half) * scale_of(measure));
    }
  return *high > 0 && isfinite(*high);
}

static void add_panel(struct curves *curves, enum measure measure) {
  double low, high;
  if (!find_span(curves, measure, &low, &high))
    return;
  struct panel *panel = &curves->panels[curves->panel_count++];
  *panel = (struct panel){.measure = measure, .log = low > 0 && high / low >= LOG_FROM};
  panel->low = panel->log ? floor(log10(low) * 3) / 3 : 0;
  panel->high = panel->log ? ceil(log10(high) * 3) / 3 : high * 1.06;
  if (panel->log && panel->high - panel->low < 1)
    panel->high = panel->low + 1;
}

/* Rates of a roof stand where nothing was measured; a bandwidth beside a rate where FLOPs are few says more, so
 * it is drawn only with bytes of DRAM. */
static void choose_panels(struct curves *curves) {
  double low, high;
  const bool is_measured = find_span(curves, MEASURE_RATE, &low, &high);
  for (size_t m = 0; m < MEASURE_COUNT; ++m)
    if (!is_measured || m != MEASURE_ATTAINABLE)
      add_panel(curves, m);
}

/* ---- Building ---- */

static char *titled(const char *title, const struct sweep *sweep, const char *over) {
  struct text text = {0};
  if (title)
    text_plain(&text, title);
  else {
    text_plain(&text, sweep->command);
    text_add(&text, " over ");
    text_plain(&text, over);
  }
  return text.data ? text.data : copy_string("");
}

static char *subtitled(const struct curves *curves, const struct sweep *sweep) {
  struct text text = {0};
  text_plain(&text, sweep->device_name);
  text_add(&text, " · a region's execution or a kernel's launch");
  if (curves->has_repeats)
    text_format(&text, " · mean of %zu runs, bars: 95 %% confidence", sweep->repeat);
  if (curves->left_out)
    text_format(&text, " · %zu not drawn: choose with --rows", curves->left_out);
  return text.data;
}

static char *build(struct curves *curves, const struct sweep *sweep, const struct curve_choice *choice, const regex_t *rows) {
  size_t count;
  struct subject *subjects = find_subjects(sweep, curves->over, choice, rows, &count);
  const size_t kept = count < CURVES_MOST ? count : CURVES_MOST;
  keep_heaviest(subjects, count, kept);
  for (size_t i = 0; i < kept; ++i)
    add_curve(curves, sweep, &subjects[i]);
  curves->left_out = count - kept;
  free(subjects);
  choose_panels(curves);
  if (!count)
    return copy_string(rows ? "no row of the sweep matches --rows; 'gpuprof report' lists them."
                            : "no run of the sweep has rows; see 'gpuprof report' for runs that failed.");
  return curves->panel_count ? NULL : copy_string("no row has a time, FLOPs or bytes; see 'gpuprof report'.");
}

char *curves_build(struct curves *curves, const struct sweep *sweep, const struct curve_choice *choice, const char *title) {
  regex_t rows;
  struct curve_choice drawn = *choice;
  *curves = (struct curves){.over = find_parameter(sweep, choice->over), .on_cpu = !strcmp(sweep->device_kind, "cpu")};
  if (drawn.regions && drawn.kernels)
    drawn.kernels = !has_regions(sweep);
  if (!curves->over)
    return format_string("the sweep has no parameter '%s'; %s%s.", choice->over,
                         sweep->parameters.count ? "its first one is " : "it repeats one command",
                         sweep->parameters.count ? sweep->parameters.items[0].name : "");
  if (choice->rows && regcomp(&rows, choice->rows, REG_EXTENDED | REG_NOSUB))
    return format_string("--rows is no regular expression: '%s'.", choice->rows);
  place_values(curves);
  char *why = build(curves, sweep, &drawn, choice->rows ? &rows : NULL);
  if (choice->rows)
    regfree(&rows);
  curves->title = titled(title, sweep, choice->over);
  curves->subtitle = subtitled(curves, sweep);
  curves->height = HEAD + ((double)((curves->panel_count + 1) / 2)) * PANEL_ROW +
                   (double)((curves->curve_count + 1) / 2) * LEGEND_ROW + 24;
  return why;
}

void curves_free(struct curves *curves) {
  for (size_t c = 0; c < curves->curve_count; ++c) {
    free(curves->curves[c].label);
    for (size_t m = 0; m < MEASURE_COUNT; ++m)
      free(curves->curves[c].values[m]);
  }
  free(curves->places);
  free(curves->title);
  free(curves->subtitle);
  *curves = (struct curves){.over = NULL};
}
