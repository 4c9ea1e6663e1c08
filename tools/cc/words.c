// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/words.h"

#include "common/text.h"

#include <string.h>

bool ends_with(const char *string, const char *ending) {
  size_t length = strlen(string), tail = strlen(ending);
  return length > tail && !strcmp(string + length - tail, ending);
}

bool begins_with(const char *string, const char *beginning) {
  return !strncmp(string, beginning, strlen(beginning));
}

bool is_one_of(const char *string, const char *const *list) {
  for (; *list; ++list)
    if (!strcmp(string, *list))
      return true;
  return false;
}

static bool is_separator(char c, const char *separators) {
  return strchr(" \t\r\n", c) || strchr(separators, c);
}

/* Copies one word; returns its end. */
static const char *take_word(struct text *word, const char *at, const char *separators) {
  char quote = 0;
  for (; *at && (quote || !is_separator(*at, separators)); ++at) {
    if (*at == quote) {
      quote = 0;
    } else if (!quote && (*at == '"' || *at == '\'')) {
      quote = *at;
    } else {
      at += *at == '\\' && quote != '\'' && at[1];
      text_bytes(word, at, 1);
    }
  }
  return at;
}

void words_split(struct line *line, const char *text, const char *separators) {
  for (const char *at = text; *at;) {
    if (is_separator(*at, separators)) {
      ++at;
      continue;
    }
    struct text word = {0};
    at = take_word(&word, at, separators);
    line_add(line, text_get(&word));
    text_free(&word);
  }
}
