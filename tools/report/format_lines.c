// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The source of the kernels with what each line did: FLOPs, bytes, executions and shares of the whole. */
#include "common/file.h"
#include "common/numbers.h"
#include "report/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Lines that did nothing are shown this far around those that did something. */
#define AROUND 2
#define TAB 8
/* Lines of sources that no one wrote by hand are not shown to their end. */
#define SOURCE_COLUMNS 400

static const struct amount {
  const char *head;
  bool share; /* its share of the whole is shown, too */
  size_t offset;
} amounts[] = {{"FLOPs", true, offsetof(struct source_line, flops)},
               {"bytes", true, offsetof(struct source_line, bytes)},
               {"shared bytes", false, offsetof(struct source_line, shared_bytes)},
               {"executions", false, offsetof(struct source_line, executions)}};
#define AMOUNTS (sizeof amounts / sizeof *amounts)
enum { AMOUNT_FLOPS, AMOUNT_BYTES, AMOUNT_SHARED, AMOUNT_EXECUTIONS };

struct listing {
  const struct style *style;
  struct source_line *lines; /* by file and line, one a place */
  size_t count;
  struct source_line total; /* of all kernels, also what has no line */
};

static struct count *amount_of(struct source_line *line, size_t amount) {
  return (struct count *)((char *)line + amounts[amount].offset);
}

static struct count amount_in(const struct source_line *line, size_t amount) {
  return *(const struct count *)((const char *)line + amounts[amount].offset);
}

/* ---- What there is ---- */
static void add(struct source_line *to, const struct source_line *from) {
  for (size_t i = 0; i < AMOUNTS; ++i) {
    struct count more = amount_in(from, i), *sum = amount_of(to, i);
    *sum = count_sum(*sum, more);
  }
}

static int by_place(const void *a, const void *b) {
  const struct source_line *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* What several kernels did in one line stands together. */
static void collect(struct listing *listing, const struct document *document) {
  listing->lines = allocate(document->line_count * sizeof *listing->lines);
  if (document->line_count)
    memcpy(listing->lines, document->lines, document->line_count * sizeof *listing->lines);
  qsort(listing->lines, document->line_count, sizeof *listing->lines, by_place);
  for (size_t i = 0; i < document->line_count; ++i) {
    struct source_line *last = listing->count ? &listing->lines[listing->count - 1] : NULL;
    if (last && !by_place(last, &listing->lines[i]))
      add(last, &listing->lines[i]);
    else
      listing->lines[listing->count++] = listing->lines[i];
  }
  for (size_t i = 0; i < document->kernel_count; ++i) {
    const struct entry *kernel = &document->kernels[i];
    struct source_line whole = {.flops = entry_count(kernel, COUNT_FLOPS), .bytes = entry_requested_bytes(kernel)};
    for (int s = COUNT_SHARED_LOAD; s <= COUNT_SHARED_ATOMIC; ++s)
      whole.shared_bytes = count_sum(whole.shared_bytes, entry_count(kernel, (enum entry_count)s));
    add(&listing->total, &whole);
  }
}

/* ---- A row ---- */
static void add_right(struct text *out, const char *string, size_t width) {
  size_t taken = text_width(string);
  text_repeat(out, " ", taken < width ? width - taken : 0);
  text_add(out, string);
}

/* "0.2 %", "12 %"; a dash for nothing. */
static void add_share(struct text *out, const struct listing *listing, struct count part,
                      struct count whole) {
  struct text shown = {0};
  if (part.value && whole.value) {
    double percent = 100.0 * (double)part.value / (double)whole.value;
    text_format(&shown, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
  } else {
    text_add(&shown, style_dash(listing->style));
  }
  add_right(out, text_get(&shown), 8);
  text_free(&shown);
}

static bool has_amount(const struct listing *listing, size_t amount) {
  return amount != AMOUNT_SHARED || listing->total.shared_bytes.value;
}

/* The numbers of a line; null: of one that did nothing. */
static void add_amounts(struct text *out, const struct listing *listing, const struct source_line *line) {
  for (size_t i = 0; i < AMOUNTS; ++i) {
    struct text shown = {0};
    struct count count = line ? amount_in(line, i) : (struct count){false, 0};
    if (!has_amount(listing, i))
      continue;
    if (line && (count.value || (count.known && i == AMOUNT_EXECUTIONS)))
      number_count(&shown, count.value);
    else if (line)
      text_add(&shown, style_dash(listing->style));
    add_right(out, text_get(&shown), i == AMOUNT_SHARED ? 14 : i == AMOUNT_EXECUTIONS ? 12 : 9);
    if (amounts[i].share && line)
      add_share(out, listing, count, amount_in(&listing->total, i));
    else if (amounts[i].share)
      text_repeat(out, " ", 8);
    text_free(&shown);
  }
}

static void add_head(struct text *out, const struct listing *listing) {
  add_right(out, "line", 6);
  for (size_t i = 0; i < AMOUNTS; ++i) {
    if (!has_amount(listing, i))
      continue;
    add_right(out, amounts[i].head, i == AMOUNT_SHARED ? 14 : i == AMOUNT_EXECUTIONS ? 12 : 9);
    if (amounts[i].share)
      add_right(out, "share", 8);
  }
  text_add(out, "  source\n");
}

static void add_source(struct text *out, const char *source) {
  struct text spread = {0};
  size_t column = 0;
  for (const char *at = source; *at && *at != '\n' && *at != '\r' && column < SOURCE_COLUMNS; ++at) {
    size_t blanks = *at == '\t' ? TAB - column % TAB : 0;
    text_repeat(&spread, " ", blanks);
    if (!blanks)
      text_bytes(&spread, at, 1);
    column += blanks ? blanks : 1;
  }
  if (spread.length) {
    text_add(out, "  ");
    text_plain(out, text_get(&spread));
  }
  text_free(&spread);
}

static void add_row(struct text *out, const struct listing *listing, uint64_t number,
                    const struct source_line *line, const char *source) {
  char shown[24];
  snprintf(shown, sizeof shown, "%" PRIu64, number);
  add_right(out, number ? shown : "?", 6);
  if (line || (source && *source != '\n'))
    add_amounts(out, listing, line);
  add_source(out, source ? source : "");
  text_add(out, "\n");
}

/* ---- A file ---- */

/* A document may name any file, and what is shown of it may be published: only what is named as sources are is read. */
static bool is_source_name(const char *name) {
  static const char *const endings[] = {"cu", "cuh", "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx",
                                        "h++", "inl", "inc", "ipp", "tpp", "tcc", "ixx", "cppm", "def", "ptx"};
  const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; ++i)
    if (!strcasecmp(dot + 1, endings[i]))
      return true;
  return false;
}

/* Walks the lines of the source, past what is too far from lines that did something, and shows what is near. */
static void add_source_lines(struct text *out, const struct listing *listing, const struct text *source,
                             const struct source_line *lines, size_t count) {
  const char *at = text_get(source), *end = at + source->length;
  size_t next = 0;
  uint64_t last_shown = 0;
  for (; next < count && !lines[next].line; ++next)
    add_row(out, listing, 0, &lines[next], NULL);
  for (uint64_t number = 1; at < end; ++number) {
    if (next == count && (!next || number - lines[next - 1].line > AROUND))
      break;
    bool did = next < count && lines[next].line == number;
    bool before = next < count && lines[next].line - number <= AROUND;
    bool after = next && number - lines[next - 1].line <= AROUND && lines[next - 1].line;
    if (did || before || after) {
      if (last_shown && last_shown + 1 != number)
        text_add(out, "   ...\n");
      add_row(out, listing, number, did ? &lines[next] : NULL, at);
      last_shown = number;
    }
    next += did;
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    at = line_end ? line_end + 1 : end;
  }
  for (; next < count; ++next) /* the file has become shorter */
    add_row(out, listing, lines[next].line, &lines[next], NULL);
}

static void add_file(struct text *out, const struct listing *listing, const struct source_line *lines,
                     size_t count) {
  const char *name = lines->file;
  struct text source = {0};
  const char *why = is_source_name(name) ? file_read_source(name, &source) : "its name does not end as one of a source does";
  text_add(out, "\n");
  text_plain(out, name);
  if (why)
    text_format(out, " (%s: lines without text)", why);
  text_add(out, "\n");
  add_head(out, listing);
  if (!why)
    add_source_lines(out, listing, &source, lines, count);
  for (size_t i = 0; why && i < count; ++i)
    add_row(out, listing, lines[i].line, &lines[i], NULL);
  text_free(&source);
}

/* ---- What has no line ---- */
/* Lines that have more than their kernels, as no document of a program says, leave nothing. */
static void take(struct count *from, uint64_t amount) { from->value -= amount < from->value ? amount : from->value; }

static void add_rest(struct text *out, const struct listing *listing) {
  struct source_line rest = listing->total;
  for (size_t i = 0; i < listing->count; ++i)
    for (size_t amount = 0; amount < AMOUNTS; ++amount)
      take(amount_of(&rest, amount), amount_in(&listing->lines[i], amount).value);
  rest.executions = (struct count){false, 0};
  text_add(out, listing->count
                    ? "\nnot attributed to a line (moved or merged by the compiler, or compiled without "
                      "-gline-tables-only)\n"
                    : "\nno source line is known: compile with -gline-tables-only; the CPU device knows "
                      "them without\n");
  text_repeat(out, " ", 6);
  add_amounts(out, listing, &rest);
  text_add(out, "\n");
}

void report_lines(struct text *out, const struct document *document, const struct style *style) {
  struct listing listing = {.style = style};
  collect(&listing, document);
  text_plain(out, document_title(document));
  text_add(
      out,
      ": source lines of all kernels; bytes are those asked of global memory, executions are by threads\n");
  for (size_t i = 0, end; i < listing.count; i = end) {
    for (end = i + 1; end < listing.count && !strcmp(listing.lines[end].file, listing.lines[i].file);)
      ++end;
    add_file(out, &listing, &listing.lines[i], end - i);
  }
  add_rest(out, &listing);
  free(listing.lines);
}
