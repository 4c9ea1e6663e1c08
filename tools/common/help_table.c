// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/help_table.h"

#include "common/write.h"

#include <ctype.h>
#include <string.h>

#define MARGIN 2      /* before an entry of a list */
#define MEANING 34     /* the first column of meanings, unless a table has its own */
#define PAGE_WIDTH 110 /* of the manual's lines */

bool is_list(const char *string) { return strstr(string, "\n  ") != NULL; }

static bool is_empty(const char *string) { return !string || !*string; }

static void add_word(struct text *out, const struct help_row *row) {
  text_format(out, "%s%s%s", row->name, is_empty(row->values) ? "" : "=", is_empty(row->values) ? "" : row->values);
}

/* ---- Text ---- */

static void text_title(struct text *out, const struct style *style, const char *title) {
  if (out->length)
    text_add(out, "\n");
  write_painted(out, style, WRITE_BOLD, title);
  text_add(out, "\n");
}

/* Options with and without a letter stand below one another. */
static bool has_letters(const struct help_table *table) {
  for (size_t i = 0; i < table->count; ++i)
    if (table->rows[i].letter)
      return true;
  return false;
}

static void text_word(struct text *out, const struct help_row *row, bool letters) {
  if (row->letter)
    text_format(out, "-%c, ", row->letter);
  else if (letters)
    text_add(out, "    ");
  add_word(out, row);
}

static void text_row(struct text *out, const struct style *style, const struct help_table *table, const struct help_row *row) {
  const size_t column = table->meaning ? table->meaning : MEANING;
  struct text word = {0}, meaning = {0};
  text_word(&word, row, has_letters(table));
  text_add(&meaning, row->help);
  if (!is_empty(row->standard))
    text_format(&meaning, " (default %s)", row->standard);
  text_repeat(out, " ", MARGIN);
  if (MARGIN + text_width(text_get(&word)) < column) {
    write_padded(out, style, WRITE_PLAIN, text_get(&word), column - MARGIN, false);
  } else {
    text_format(out, "%s\n", text_get(&word));
    text_repeat(out, " ", column);
  }
  write_wrapped(out, style, text_get(&meaning), column);
  text_free(&word);
  text_free(&meaning);
}

void help_table_text(struct text *out, const struct style *style, const struct help_table *table) {
  for (size_t i = 0; i < table->count; ++i)
    if (table->rows[i].title)
      text_title(out, style, table->rows[i].title);
    else
      text_row(out, style, table, &table->rows[i]);
}

/* ---- Markdown: an entry of a list each, since meanings are longer than the cell of a table ---- */

/* The length of the quoted text at `at`, or 0. An apostrophe within a word quotes nothing. */
static size_t quoted_length(const char *start, const char *at) {
  const char *end = *at == '\'' && (at == start || !isalnum((unsigned char)at[-1])) ? strchr(at + 1, '\'') : NULL;
  return end ? (size_t)(end - at - 1) : 0;
}

void help_markdown(struct text *out, const char *string) {
  for (const char *at = string; *at;) {
    const size_t length = quoted_length(string, at);
    if (length)
      text_format(out, "`%.*s`", (int)length, at + 1);
    else if (strchr("<*[", *at))
      text_format(out, "\\%c", *at);
    else
      text_bytes(out, at, 1);
    at += length ? length + 2 : 1;
  }
}

void help_markdown_wrapped(struct text *out, const char *string, size_t indent) {
  const struct style page = {.utf8 = true, .width = PAGE_WIDTH};
  struct text marked = {0};
  help_markdown(&marked, string);
  write_wrapped(out, &page, text_get(&marked), indent);
  text_free(&marked);
}

static void markdown_row(struct text *out, const struct help_row *row) {
  struct text entry = {0};
  text_add(&entry, "'");
  text_word(&entry, row, false);
  text_add(&entry, "'");
  if (!is_empty(row->standard))
    text_format(&entry, " (default '%s')", row->standard);
  text_format(&entry, ": %s", row->help);
  text_add(out, "- ");
  help_markdown_wrapped(out, text_get(&entry), MARGIN);
  text_free(&entry);
}

static void markdown_title(struct text *out, const char *title) {
  text_format(out, "%s### %c%s\n", out->length ? "\n" : "", toupper((unsigned char)title[0]), title + 1);
}

void help_table_markdown(struct text *out, const struct help_table *table) {
  for (size_t i = 0; i < table->count; ++i)
    if (table->rows[i].title)
      markdown_title(out, table->rows[i].title);
    else
      markdown_row(out, &table->rows[i]);
}
