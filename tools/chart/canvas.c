// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chart/canvas.h"

#include <string.h>

const struct ink_row inks[INK_COUNT] = {
#define GP_INK_ROW(id, class, light, dark) {class, light, dark},
    GP_INKS(GP_INK_ROW)
#undef GP_INK_ROW
};

/* Advance widths in 1/100 of the size, of the widest common sans-serif font (DejaVu Sans). */
static int advance(char character) {
  static const struct {
    const char *characters;
    int width;
  } classes[] = {{"ijl.,:;'|!I", 34}, {"ft()[]/\\- \"r", 42}, {"mWM@%", 98},
                 {"wGOQCDNHUK&", 79}, {"ABEFPRSTVXYZL", 69},  {"_<>=+~^#$*0123456789", 68}};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (strchr(classes[i].characters, character))
      return classes[i].width;
  return 63;
}

double lettering_width(const char *string, double size, bool bold) {
  double sum = 0;
  for (const char *at = string; *at;) {
    size_t length = utf8_length(at);
    sum += length > 1 ? (length > 2 ? 100 : 70) : advance(*at);
    at += length ? length : 1;
  }
  return sum / 100 * size * (bold ? 1.1 : 1);
}
