// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"
#define RAW_DELIMITER_MOST 16

/* Room for one more item. */
#define GROW(items, count, capacity)                                                                         \
  do {                                                                                                       \
    if ((count) == (capacity)) {                                                                             \
      (capacity) = (capacity) ? 2 * (capacity) : 64;                                                         \
      (items) = reallocate((items), (capacity) * sizeof *(items));                                           \
    }                                                                                                        \
  } while (0)

struct reader {
  struct source *source;
  const char *text, *at, *end;
  bool line_begins; /* only white space and comments stand before `at` on its line */
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

static bool looking_at(const struct reader *reader, const char *string) {
  size_t length = strlen(string);
  return (size_t)(reader->end - reader->at) >= length && !memcmp(reader->at, string, length);
}

/* Bytes of a backslash and the line end behind it, or 0. */
static size_t splice_at(const char *at, const char *end) {
  if (at >= end || *at != '\\')
    return 0;
  if (end - at > 1 && at[1] == '\n')
    return 2;
  return end - at > 2 && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

static void add_span(struct reader *reader, const char *from) {
  struct source *source = reader->source;
  if (!memchr(from, '\n', (size_t)(reader->at - from)))
    return;
  GROW(source->spans, source->span_count, source->span_capacity);
  source->spans[source->span_count++] =
      (struct source_span){(uint32_t)(from - reader->text), (uint32_t)(reader->at - reader->text)};
}

static void add_token(struct reader *reader, const char *from) {
  struct source *source = reader->source;
  GROW(source->tokens, source->token_count, source->token_capacity);
  source->tokens[source->token_count++] =
      (struct source_token){(uint32_t)(from - reader->text), (uint32_t)(reader->at - from)};
  reader->line_begins = false;
}

/* ---- Comments and literals ---- */
static void skip_block_comment(struct reader *reader) {
  const char *from = reader->at;
  const char *close = memmem(from + 2, (size_t)(reader->end - from) - 2, "*/", 2);
  reader->at = close ? close + 2 : reader->end;
  add_span(reader, from);
}

/* Up to the line's end; a backslash there goes on with the next line. */
static void skip_line_comment(struct reader *reader) {
  const char *from = reader->at;
  while (reader->at < reader->end && *reader->at != '\n') {
    size_t splice = splice_at(reader->at, reader->end);
    reader->at += splice ? splice : 1;
  }
  add_span(reader, from);
}

static bool skip_comment(struct reader *reader) {
  if (looking_at(reader, "/*"))
    skip_block_comment(reader);
  else if (looking_at(reader, "//"))
    skip_line_comment(reader);
  else
    return false;
  return true;
}

static void skip_quoted(struct reader *reader, char quote) {
  for (++reader->at; reader->at < reader->end && *reader->at != quote && *reader->at != '\n'; ++reader->at)
    if (*reader->at == '\\') {
      size_t splice = splice_at(reader->at, reader->end);
      reader->at += splice ? splice - 1 : reader->end - reader->at > 1;
    }
  if (reader->at < reader->end && *reader->at == quote)
    ++reader->at;
}

/* R"delimiter( … )delimiter" */
static void skip_raw_string(struct reader *reader) {
  char close[RAW_DELIMITER_MOST + 3] = ")";
  const char *open = ++reader->at;
  while (reader->at < reader->end && *reader->at != '(' && reader->at - open < RAW_DELIMITER_MOST)
    ++reader->at;
  size_t length = (size_t)(reader->at - open);
  memcpy(close + 1, open, length);
  strcpy(close + 1 + length, "\"");
  const char *found = memmem(reader->at, (size_t)(reader->end - reader->at), close, length + 2);
  reader->at = found ? found + length + 2 : reader->end;
}

/* A word that is a literal's prefix reaches to the literal's end. */
static void skip_word(struct reader *reader) {
  const char *from = reader->at;
  bool number = isdigit((unsigned char)*from);
  while (reader->at < reader->end &&
         (is_word(*reader->at) || (number && *reader->at == '\'' && reader->end - reader->at > 1 && is_word(reader->at[1]))))
    ++reader->at;
  if (number || reader->at == reader->end || reader->at - from > 3)
    return;
  if (*reader->at == '"' && reader->at[-1] == 'R')
    skip_raw_string(reader);
  else if ((*reader->at == '"' || *reader->at == '\'') && strchr("LuU8", reader->at[-1]))
    skip_quoted(reader, *reader->at);
}

/* ---- Pragmas ---- */
/* A copy of the string literal at `at`, without its quotes and backslashes. */
static char *unquoted(const char *at, const char *end) {
  struct text text = {0};
  for (++at; at < end && *at != '"'; ++at) {
    at += *at == '\\' && end - at > 1;
    text_bytes(&text, at, 1);
  }
  char *copy = copy_string(text_get(&text));
  text_free(&text);
  return copy;
}

static const char *skip_blanks(const char *at) { return at + strspn(at, " \t\r\n\f\v\\"); }

/* The word at *at, behind blanks: past it and true. */
static bool take_word(const char **at, const char *word) {
  const char *begin = skip_blanks(*at);
  size_t length = strlen(word);
  if (strncmp(begin, word, length) || is_word(begin[length]))
    return false;
  *at = begin + length;
  return true;
}

/* phase(WORD) of the clauses, or null. */
static char *phase_of(const char *clauses) {
  for (const char *at = strstr(clauses, "phase"); at; at = strstr(at + 1, "phase")) {
    const char *open = skip_blanks(at + strlen("phase"));
    if (*open != '(' || (at > clauses && is_word(at[-1])))
      continue;
    const char *word = skip_blanks(open + 1), *end = word;
    while (is_word(*end))
      ++end;
    return format_string("%.*s", (int)(end - word), word);
  }
  return NULL;
}

/* `words` is the text behind "pragma"; adds the pragma if it is one of gpuprof's regions. */
static void take_pragma(struct reader *reader, const char *words, const char *where, size_t next) {
  struct source *source = reader->source;
  const char *at = words;
  if (!take_word(&at, "gpuprof"))
    return;
  struct source_pragma pragma = {.at = (uint32_t)(where - reader->text), .next = next};
  pragma.ignore = take_word(&at, "ignore");
  if (!pragma.ignore && !take_word(&at, "region"))
    return;
  const char *open = skip_blanks(at), *quote = *open == '(' ? skip_blanks(open + 1) : open;
  if (!pragma.ignore && *open == '(' && *quote == '"')
    pragma.name = unquoted(quote, quote + strlen(quote));
  if (!pragma.ignore)
    pragma.phase = phase_of(at);
  GROW(source->pragmas, source->pragma_count, source->pragma_capacity);
  source->pragmas[source->pragma_count++] = pragma;
}

/* `text` is that of a #define behind the word. */
static void take_define(struct reader *reader, const char *text) {
  struct source *source = reader->source;
  const char *name = skip_blanks(text), *end = name;
  while (is_word(*end))
    ++end;
  const char *pragma = strstr(end, "_Pragma");
  if (!pragma || !strstr(pragma, "gpuprof region"))
    return;
  GROW(source->macros, source->macro_count, source->macro_capacity);
  source->macros[source->macro_count++] = format_string("%.*s", (int)(end - name), name);
}

/* A directive is a line with those that it goes on with, by a backslash or a comment. */
static void read_directive(struct reader *reader) {
  const char *from = reader->at++;
  struct text text = {0};
  while (reader->at < reader->end && *reader->at != '\n') {
    size_t splice = splice_at(reader->at, reader->end);
    const char *part = reader->at;
    if (splice)
      reader->at += splice;
    else if (skip_comment(reader))
      part = NULL;
    else if (*reader->at == '"')
      skip_quoted(reader, '"');
    else
      ++reader->at;
    text_bytes(&text, part && !splice ? part : " ", part && !splice ? (size_t)(reader->at - part) : 1);
  }
  const char *at = text_get(&text);
  if (take_word(&at, "pragma"))
    take_pragma(reader, at, from, reader->source->token_count);
  else if (take_word(&at, "define"))
    take_define(reader, at);
  text_free(&text);
}

bool source_is_region_macro(const struct source *source, const char *word, size_t length) {
  for (size_t i = 0; i < source->macro_count; ++i)
    if (strlen(source->macros[i]) == length && !memcmp(source->macros[i], word, length))
      return true;
  return false;
}

/* The token behind the brackets that open at `first`; `first` itself where none do. */
static size_t behind_brackets(const struct source *source, size_t first, char open, char close) {
  size_t depth = 0;
  for (size_t i = first; i < source->token_count; ++i) {
    char c = source->text.data[source->tokens[i].at];
    depth += c == open;
    if (depth && c == close && !--depth)
      return i + 1;
    if (!depth)
      return first;
  }
  return first;
}

static void take_string_pragma(struct reader *reader, size_t index, size_t string, size_t next) {
  const struct source_token *tokens = reader->source->tokens;
  char *words = unquoted(reader->text + tokens[string].at, reader->end);
  take_pragma(reader, words, reader->text + tokens[index].at, next);
  free(words);
}

/* REGION("name") of a macro with a region's _Pragma. */
static void take_macro_pragma(struct reader *reader, size_t index) {
  struct source *source = reader->source;
  const struct source_token *tokens = source->tokens;
  struct source_pragma pragma = {.at = tokens[index].at, .next = behind_brackets(source, index + 1, '(', ')')};
  for (size_t i = index + 1; !pragma.name && i < pragma.next; ++i)
    if (reader->text[tokens[i].at] == '"')
      pragma.name = unquoted(reader->text + tokens[i].at, reader->end);
  GROW(source->pragmas, source->pragma_count, source->pragma_capacity);
  source->pragmas[source->pragma_count++] = pragma;
}

/* Pragmas in the text of the code, once all tokens are there. */
static void take_operators(struct reader *reader) {
  const struct source *source = reader->source;
  for (size_t i = 0; i < source->token_count; ++i) {
    const struct source_token *token = &source->tokens[i];
    if (source_token_is(source, i, "_Pragma") && i + 3 < source->token_count &&
        reader->text[source->tokens[i + 2].at] == '"')
      take_string_pragma(reader, i, i + 2, i + 4);
    else if (source_is_region_macro(source, reader->text + token->at, token->length))
      take_macro_pragma(reader, i);
  }
}

/* ---- Reading ---- */
static void read_token(struct reader *reader) {
  const char *from = reader->at;
  if (is_word(*from))
    skip_word(reader);
  else if (*from == '"' || *from == '\'')
    skip_quoted(reader, *from);
  else
    ++reader->at;
  add_span(reader, from);
  add_token(reader, from);
}

void source_read(struct source *source) {
  const char *text = text_get(&source->text);
  struct reader reader = {source, text, text, text + source->text.length, true};
  if (looking_at(&reader, BYTE_ORDER_MARK))
    reader.at += strlen(BYTE_ORDER_MARK);
  while (reader.at < reader.end) {
    size_t splice = splice_at(reader.at, reader.end);
    if (*reader.at == '\n')
      reader.line_begins = true;
    if (splice)
      reader.at += splice;
    else if (isspace((unsigned char)*reader.at))
      ++reader.at;
    else if (*reader.at == '#' && reader.line_begins)
      read_directive(&reader);
    else if (!skip_comment(&reader))
      read_token(&reader);
  }
  take_operators(&reader);
}

void source_free(struct source *source) {
  for (size_t i = 0; i < source->pragma_count; ++i) {
    free(source->pragmas[i].name);
    free(source->pragmas[i].phase);
  }
  for (size_t i = 0; i < source->macro_count; ++i)
    free(source->macros[i]);
  free(source->macros);
  free(source->pragmas);
  free(source->tokens);
  free(source->spans);
  text_free(&source->text);
  *source = (struct source){0};
}

/* ---- Looking at tokens ---- */
size_t source_token_at(const struct source *source, uint32_t at) {
  size_t low = 0, high = source->token_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (source->tokens[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < source->token_count && source->tokens[low].at == at ? low : source->token_count;
}

bool source_token_is(const struct source *source, size_t index, const char *word) {
  return index < source->token_count && source->tokens[index].length == strlen(word) &&
         !memcmp(source->text.data + source->tokens[index].at, word, strlen(word));
}

/* Index of the bracket that the one at `close` closes; `close` where there is none. */
static size_t opening(const struct source *source, size_t close, const char *open_word, const char *close_word) {
  size_t depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    depth += source_token_is(source, i, close_word);
    if (source_token_is(source, i, open_word) && !--depth)
      return i;
  }
  return close;
}

/* The first token of the attribute, or of `extern "C"`, that ends before token `index`; `index` where there is none. */
static size_t before_specifier(const struct source *source, size_t index) {
  if (!index)
    return index;
  size_t last = index - 1;
  if (last && source_token_is(source, last, "]") && source_token_is(source, last - 1, "]")) {
    size_t open = opening(source, last, "[", "]");
    return open < last && source_token_is(source, open + 1, "[") ? open : index;
  }
  if (source_token_is(source, last, ")")) {
    size_t open = opening(source, last, "(", ")");
    bool attribute = open && open < last &&
                     (source_token_is(source, open - 1, "__attribute__") || source_token_is(source, open - 1, "alignas"));
    return attribute ? open - 1 : index;
  }
  if (last && (source_token_is(source, last, "\"C\"") || source_token_is(source, last, "\"C++\"")) &&
      source_token_is(source, last - 1, "extern"))
    return last - 1;
  return index;
}

uint32_t source_declaration_start(const struct source *source, uint32_t at) {
  size_t index = source_token_at(source, at);
  if (index == source->token_count)
    return at;
  for (size_t before; (before = before_specifier(source, index)) != index;)
    index = before;
  return source->tokens[index].at;
}

bool source_begins_declaration(const struct source *source, uint32_t at) {
  size_t index = source_token_at(source, at);
  return index < source->token_count &&
         (!index || strchr(";{}:", source->text.data[source->tokens[index - 1].at]));
}

const struct source_pragma *source_pragma_of(const struct source *source, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < source->pragma_count; ++i) {
    const struct source_pragma *pragma = &source->pragmas[i];
    if (pragma->next >= source->token_count)
      continue;
    uint32_t next = source->tokens[pragma->next].at;
    if (next >= from && next <= to)
      return pragma;
  }
  return NULL;
}

/* The first token of the statement behind a pragma: behind the attributes. */
static size_t behind_attributes(const struct source *source, size_t index) {
  for (;;) {
    size_t next = index;
    if (source_token_is(source, index, "__attribute__"))
      next = behind_brackets(source, index + 1, '(', ')');
    else if (source_token_is(source, index, "[") && source_token_is(source, index + 1, "["))
      next = behind_brackets(source, index, '[', ']');
    if (next == index || next == index + 1)
      return index;
    index = next;
  }
}

const struct source_pragma *source_pragma_before(const struct source *source, uint32_t at) {
  size_t index = source_token_at(source, at);
  if (index == source->token_count)
    return NULL;
  for (size_t i = 0; i < source->pragma_count; ++i) {
    size_t next = source->pragmas[i].next;
    if (next == index || behind_attributes(source, next) == index)
      return &source->pragmas[i];
  }
  return NULL;
}

/* ---- Places ---- */
unsigned source_line_of(const struct source *source, uint32_t at) {
  const char *text = text_get(&source->text);
  unsigned line = 1;
  for (const char *end = text; (end = memchr(end, '\n', (size_t)(text + at - end))); ++end)
    ++line;
  return line;
}

static uint32_t line_start(const char *text, uint32_t at) {
  while (at && text[at - 1] != '\n')
    --at;
  return at ? at : !strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) ? (uint32_t)strlen(BYTE_ORDER_MARK) : 0;
}

/* How the line around `at` ends; the last line of a file without an end as the one before it. */
static const char *line_end_at(const char *text, uint32_t at) {
  const char *end = strchr(text + at, '\n');
  if (!end) {
    uint32_t start = line_start(text, at);
    end = start && text[start - 1] == '\n' ? text + start - 1 : NULL;
  }
  return end && end > text && end[-1] == '\r' ? "\r\n" : "\n";
}

/* A line cannot begin inside a comment or a literal, or behind a backslash. */
static const char *why_no_line(const struct source *source, uint32_t start, uint32_t at) {
  const char *text = text_get(&source->text);
  for (size_t i = 0; i < source->span_count; ++i)
    if (source->spans[i].from < start && start < source->spans[i].to)
      return "its line begins inside a comment or a string";
  for (uint32_t length = 2; length <= 3; ++length)
    if (start >= length && splice_at(text + start - length, text + start) == length)
      return "the line before it ends with a backslash";
  size_t index = source_token_at(source, at);
  if (index == source->token_count)
    return "it does not begin with a word of the file";
  return index && source->tokens[index - 1].at >= start ? "other code stands before it on its line" : NULL;
}

struct source_place source_place_above(const struct source *source, uint32_t at) {
  const char *text = text_get(&source->text);
  struct source_place place = {.at = line_start(text, at)};
  place.indent = (uint32_t)strspn(text + place.at, " \t");
  place.line_end = line_end_at(text, at);
  place.why_not = why_no_line(source, place.at, at);
  return place;
}
