// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/write.h"

#include <stdlib.h>
#include <string.h>

void write_painted(struct text *out, const struct style *style, enum write_paint paint, const char *string) {
  static const char *const codes[] = {"", "1", "2", "31", "32", "33"};
  if (style->color && paint != WRITE_PLAIN)
    text_format(out, "\033[%sm%s\033[0m", codes[paint], string);
  else
    text_add(out, string);
}

void write_padded(struct text *out, const struct style *style, enum write_paint paint, const char *string,
                  size_t width, bool right) {
  size_t length = text_width(string), pad = width > length ? width - length : 0;
  text_repeat(out, " ", right ? pad : 0);
  write_painted(out, style, paint, string);
  text_repeat(out, " ", right ? 0 : pad);
}

void write_wrapped(struct text *out, const struct style *style, const char *string, size_t indent) {
  size_t column = indent;
  while (*string) {
    size_t length = strcspn(string, " \n");
    char *word = format_string("%.*s", (int)length, string);
    size_t width = text_width(word);
    if (column > indent && column + 1 + width > style->width) {
      text_add(out, "\n");
      text_repeat(out, " ", indent);
      column = indent;
    }
    if (column > indent)
      text_add(out, " ");
    text_add(out, word);
    column += width + (column > indent);
    free(word);
    string += length + strspn(string + length, " \n");
  }
  text_add(out, "\n");
}

void write_json(struct text *out, const char *string) {
  struct text clean = {0};
  text_plain(&clean, string);
  text_add(out, "\"");
  for (const char *at = text_get(&clean); *at; ++at) {
    if (*at == '"' || *at == '\\')
      text_add(out, "\\");
    text_bytes(out, at, 1);
  }
  text_add(out, "\"");
  text_free(&clean);
}

/* Table cells: a pipe ends one, < and & begin HTML, ! and [ a picture or a link, the others change the type.
 */
void write_markdown(struct text *out, const char *string) {
  struct text clean = {0};
  text_plain(&clean, string);
  for (const char *at = text_get(&clean); *at; ++at) {
    if (strchr("|<>&`*_\\[]!~$", *at))
      text_add(out, "\\");
    text_bytes(out, at, 1);
  }
  text_free(&clean);
}
