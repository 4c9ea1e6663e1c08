/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text of a source file as `scan` needs it: its tokens, its gpuprof pragmas, and where a line may be inserted.
 * Every branch of #if is read, also those that the compiler's flags leave out. */
#ifndef GP_TOOL_SCAN_SOURCE_H
#define GP_TOOL_SCAN_SOURCE_H

#include "common/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_token {
  uint32_t at, length;
};

/* `#pragma gpuprof region` or `ignore`, also by _Pragma. */
struct source_pragma {
  bool ignore;
  uint32_t at;
  size_t next; /* index of the token behind it; the number of tokens where none follows */
  char *name, *phase; /* or null */
};

/* From the first byte to the one behind the last. */
struct source_span {
  uint32_t from, to;
};

struct source {
  struct text text;
  struct source_token *tokens;
  size_t token_count, token_capacity;
  struct source_pragma *pragmas;
  size_t pragma_count, pragma_capacity;
  struct source_span *spans; /* comments and strings of several lines */
  size_t span_count, span_capacity;
  char **macros; /* names of those whose text has a region's _Pragma */
  size_t macro_count, macro_capacity;
};

/* Reads the tokens of `source->text`, which is set already. */
void source_read(struct source *source);
void source_free(struct source *source);

/* Index of the token that begins at `at`; the number of tokens where none does. */
size_t source_token_at(const struct source *source, uint32_t at);
bool source_token_is(const struct source *source, size_t index, const char *word);
/* The macro at `at` has a region's _Pragma in its text. */
bool source_is_region_macro(const struct source *source, const char *word, size_t length);

/* The number of the line that holds the byte at `at`, from 1. */
unsigned source_line_of(const struct source *source, uint32_t at);
/* Where the declaration whose specifiers begin at `at` begins: before its attributes and `extern "C"`. */
uint32_t source_declaration_start(const struct source *source, uint32_t at);
/* A declaration begins at `at` whatever the compiler made of it: another one, or a block, ends or begins before it. */
bool source_begins_declaration(const struct source *source, uint32_t at);
/* The pragma that belongs to the declaration from `from` to its name at `to`; null: there is none. */
const struct source_pragma *source_pragma_of(const struct source *source, uint32_t from, uint32_t to);
/* The pragma before the statement that begins at `at`; null: there is none. */
const struct source_pragma *source_pragma_before(const struct source *source, uint32_t at);

/* Where a line can be inserted above the token at `at`, or why not. */
struct source_place {
  uint32_t at;
  uint32_t indent; /* bytes of white space behind it, which the line begins with too */
  const char *line_end;
  const char *why_not; /* null: there is a place */
};
struct source_place source_place_above(const struct source *source, uint32_t at);

#endif
