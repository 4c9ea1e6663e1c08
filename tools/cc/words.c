// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cc/words.h"

#include "common/text.h"

#include <string.h>

#define BLANKS " \t\r\n"

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

/* Copies one word; returns its end. */
static const char *take_word(struct text *word, const char *at, const char *separators) {
  char quote = 0;
  for (; *at && (quote || !strchr(separators, *at)); ++at) {
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

static void split(struct line *line, const char *text, const char *separators) {
  for (const char *at = text; *at;) {
    if (strchr(separators, *at)) {
      ++at;
      continue;
    }
    struct text word = {0};
    at = take_word(&word, at, separators);
    line_add(line, text_get(&word));
    text_free(&word);
  }
}

void words_split(struct line *line, const char *text) { split(line, text, BLANKS); }

void words_and_values_split(struct line *line, const char *text) { split(line, text, BLANKS ","); }

void values_split(struct line *line, const char *text) { split(line, text, ","); }
