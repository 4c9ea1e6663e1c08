// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/numbers.h"

#include <math.h>
#include <stdio.h>

/* From here on digits say less than an exponent. */
#define LONG 1e6

static int decimals(double value) {
  double size = fabs(value);
  return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

void number_si(struct text *text, double value, const char *unit) {
  static const struct {
    double scale;
    const char *prefix;
  } prefixes[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  double scale = 1;
  const char *prefix = "";
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (fabs(value) >= prefixes[i].scale * 0.9995) {
      scale = prefixes[i].scale;
      prefix = prefixes[i].prefix;
      break;
    }
  double shown = value / scale;
  bool whole = scale == 1 && shown == floor(shown);
  if (fabs(shown) < LONG)
    text_format(text, "%.*f", whole ? 0 : decimals(shown), shown);
  else
    text_format(text, "%.2e", shown);
  if (*prefix || *unit)
    text_format(text, " %s%s", prefix, unit);
}

void number_time(struct text *text, double nanoseconds) {
  static const struct {
    double scale;
    const char *unit;
  } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (nanoseconds >= units[i].scale * 0.9995) {
      double shown = nanoseconds / units[i].scale;
      text_format(text, "%.*f %s", decimals(shown), shown, units[i].unit);
      return;
    }
  text_format(text, "%.0f ns", nanoseconds);
}

void number_joules(struct text *text, double joules) {
  static const struct {
    double scale;
    const char *prefix;
  } small[] = {{1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {1e-12, "p"}};
  const size_t count = sizeof small / sizeof *small;
  if (joules == 0 || joules >= 0.9995) {
    number_si(text, joules, "J");
    return;
  }
  size_t i = 0;
  while (i + 1 < count && joules < small[i].scale * 0.9995)
    ++i;
  const double shown = joules / small[i].scale;
  text_format(text, shown < 0.00995 ? "%.1e %sJ" : shown < 0.9995 ? "%.3g %sJ" : shown < 9.995 ? "%.2f %sJ" : shown < 99.95 ? "%.1f %sJ" : "%.0f %sJ", shown, small[i].prefix);
}

void number_plain(struct text *text, double value) {
  if (value != 0 && fabs(value) < 0.0095)
    text_format(text, "%.2g", value);
  else if (fabs(value) < 0.9995)
    text_format(text, "%.3g", value);
  else if (fabs(value) < 1e5)
    text_format(text, "%.*f", decimals(value), value);
  else
    number_si(text, value, "");
}

void number_percent(struct text *text, double value) {
  text_format(text, value < 9.95 ? "%.1f %%" : value < LONG ? "%.0f %%" : "%.2e %%", value);
}

void number_count(struct text *text, uint64_t value) {
  if (value < 1000000)
    text_format(text, "%llu", (unsigned long long)value);
  else
    number_si(text, (double)value, "");
}
