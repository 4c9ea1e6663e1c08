/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Growing strings and the two ways text leaves this program: plain (terminals, files) and XML. */
#ifndef GP_TOOL_TEXT_H
#define GP_TOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes a long text in parts, and needs no room for them any more. */
struct text_sink {
  void (*take)(struct text_sink *sink, const char *bytes, size_t count);
};

/* A zero-initialised text is empty and ready to use. */
struct text {
  char *data;
  size_t length, capacity;
  struct text_sink *sink; /* null: the text is kept whole */
};

void text_bytes(struct text *text, const char *bytes, size_t count);
/* Room for `more` bytes and a zero behind the text; the caller fills it and adds to the length. */
char *text_reserve(struct text *text, size_t more);
void text_add(struct text *text, const char *string);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_unsigned(struct text *text, uint64_t number);
void text_repeat(struct text *text, const char *string, size_t times);
/* Names come from other people's files. Characters obeyed or hidden by a terminal,
 * an editor or a browser are replaced by U+FFFD: control characters, line ends,
 * changes of the direction of writing, characters without width, and broken UTF-8. */
void text_plain(struct text *text, const char *string);
/* The same, with & < > " ' escaped: safe in XML and HTML, in text and in attributes. */
void text_xml(struct text *text, const char *string);
/* The characters, or "" for an empty text. Owned by the text. */
const char *text_get(const struct text *text);
void text_free(struct text *text);
/* Between finished parts: hands the text to the sink, if there is one and the text is long enough. */
void text_pass_on(struct text *text);

/* Columns a string takes in a terminal: one a code point. */
size_t text_width(const char *string);
/* Shortens to `width` columns by leaving out the middle; `ellipsis` stands there. */
void text_elide(struct text *text, const char *string, size_t width, const char *ellipsis);
/* The same for a kernel's name: its scopes go first,
 * then the middle of its template arguments. */
void text_elide_kernel(struct text *text, const char *name, size_t width, const char *ellipsis);
/* A kernel's name without the scopes before it. */
const char *text_behind_scopes(const char *name);
/* The bytes of the UTF-8 sequence at `string` (1 to 4), or 0 where it is broken. */
size_t utf8_length(const char *string);
/* Whether the `count` bytes at `string` are the beginning of a longer sequence. */
bool utf8_is_cut(const char *string, size_t count);

/* Allocation ending this program with a sentence when memory runs out. */
void *allocate(size_t bytes);
/* Tells the operating system about a large piece of memory to be filled: page faults would take as long as reading a document. */
void advise_large_pages(void *memory, size_t bytes);
void *reallocate(void *old, size_t bytes);
char *copy_string(const char *string);
char *format_string(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
