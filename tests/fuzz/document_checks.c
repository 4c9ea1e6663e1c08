// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "document_checks.h"

#include "chart/chart.h"
#include "chart/firing.h"
#include "common/say.h"
#include "compare/diff.h"
#include "reader/json.h"
#include "report/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOOD_MOST 16

static struct document good[GOOD_MOST];
static size_t good_count;
static char *messages; /* in place of stderr */
static size_t messages_size;

void document_checks_begin(const char *const *texts, size_t count) {
  for (size_t i = 0; i < count && i < GOOD_MOST; ++i) {
    struct text content = {0};
    text_add(&content, texts[i]);
    if (document_parse("good.json", &content, &good[good_count]))
      ++good_count;
  }
  FILE *caught = open_memstream(&messages, &messages_size);
  if (!caught || !good_count)
    abort();
  stderr = caught;
}

/* ---- Text for people and programs ---- */

/* No characters obeyed by a terminal, but line ends; no changes of the direction; no broken UTF-8. */
static const char *check_text(const struct text *text) {
  struct text plain = {0};
  const char *fault = NULL;
  for (const char *at = text_get(text); !fault && *at;) {
    size_t length = strcspn(at, "\n");
    char *line = format_string("%.*s", (int)length, at);
    plain.length = 0;
    text_add(&plain, "");
    text_plain(&plain, line);
    if (strcmp(line, text_get(&plain)))
      fault = "characters that a terminal obeys";
    free(line);
    at += length + (at[length] == '\n');
  }
  if (strlen(text_get(text)) != text->length)
    fault = "a zero in what is printed";
  text_free(&plain);
  return fault;
}

/* Nested tags, and numeric attributes where numbers are due. */
static const char *check_markup(const struct text *text) {
  static const char *const wrong[] = {"\"nan", "\"-nan", "\"inf", "\"-inf", "<script>alert", "=\"\"\""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    if (strstr(text_get(text), wrong[i]))
      return "a number or a tag that is none in a page or picture";
  return check_text(text);
}

static const char *check_csv(const struct text *text) {
  for (const char *at = text_get(text); *at; at += strcspn(at, "\n"), at += *at == '\n')
    if (strchr("=+@", *at) && *at)
      return "a row that begins as a formula";
  return strstr(text_get(text), ",=") || strstr(text_get(text), ",@") || strstr(text_get(text), "\"=")
             ? "a cell that begins as a formula"
             : check_text(text);
}

static const char *check_json(const struct text *text) {
  struct json_tree tree;
  struct json_remark wrong;
  if (!json_read(&tree, text_get(text), text->length, &wrong))
    return "a JSON report that is no JSON";
  json_free(&tree);
  return check_text(text);
}

static const char *check_messages(bool expected) {
  static struct text said;
  fflush(stderr);
  said.length = 0;
  text_bytes(&said, messages, messages_size);
  rewind(stderr);
  size_t lines = 0;
  for (const char *at = text_get(&said); (at = strchr(at, '\n')); ++at)
    ++lines;
  if (expected && !lines)
    return "a refusal without a message";
  return check_text(&said);
}

/* ---- Everything made of a document ---- */

static const struct selection both = {.regions = true, .kernels = true, .standing_notes = true, .steps = true};
static const struct style styles[] = {{true, false, 120}, {false, false, 100}};

static void make_text(struct text *out, const struct document *document, const struct style *style) {
  report_text(out, document, &both, style);
}
static void make_markdown(struct text *out, const struct document *document, const struct style *style) {
  report_markdown(out, document, &both, style);
}
static void make_csv(struct text *out, const struct document *document, const struct style *style) {
  (void)style;
  report_csv(out, document, 1, &both);
}
static void make_json(struct text *out, const struct document *document, const struct style *style) {
  (void)style;
  report_json(out, document, 1, &both);
}
static void make_html(struct text *out, const struct document *document, const struct style *style) {
  report_html(out, document, &both, style);
}
static void make_why(struct text *out, const struct document *document, const struct style *style) {
  struct why *why = report_why_of(".");
  if (style->utf8)
    report_why_text(out, why, document, &both, style);
  else
    report_why_json(out, why, document, 1, &both);
  report_why_free(why);
}
static void make_picture(struct text *out, const struct document *document, const struct style *style) {
  (void)style;
  struct chart chart;
  char *why = chart_build(&chart, document, 1, &both, NULL);
  if (!why) {
    const struct picture picture = chart_picture(&chart);
    svg_draw(out, &picture, false);
  }
  chart_free(&chart);
  free(why);
}

static void make_firing(struct text *out, const struct document *document, const struct style *style) {
  (void)style;
  struct firing firing;
  char *why = firing_build(&firing, document, 1, &both, NULL);
  if (!why) {
    const struct picture picture = firing_picture(&firing);
    svg_draw(out, &picture, false);
  }
  firing_free(&firing);
  free(why);
}

/* Of every `each`-th document. */
static const struct form {
  void (*make)(struct text *out, const struct document *document, const struct style *style);
  const char *(*check)(const struct text *text);
  unsigned each;
} forms[] = {{make_text, check_text, 1}, {report_lines, check_text, 2}, {make_markdown, check_text, 2},
             {make_csv, check_csv, 2},   {make_json, check_json, 2},    {make_html, check_markup, 16},
             {make_picture, check_markup, 16}, {make_firing, check_markup, 4}, {make_why, check_text, 2}};

static const char *check_forms(const struct document *document, uint64_t number) {
  const char *fault = NULL;
  for (size_t i = 0; !fault && i < sizeof forms / sizeof *forms; ++i) {
    if ((number + i) % forms[i].each)
      continue;
    struct text out = {0};
    forms[i].make(&out, document, &styles[number / 16 % 2]);
    fault = forms[i].check(&out);
    text_free(&out);
  }
  return fault;
}

/* A document differs from itself in nothing, and whatever it is compared with, the code is one of the command's. */
static const char *check_comparisons(const struct document *document, uint64_t number) {
  const struct arguments arguments = {.values = {NULL}}, any = {.values = {[OPTION_ANY_CONTEXT] = "", [OPTION_ALL] = ""}};
  const struct document *other = &good[number % good_count];
  struct text out = {0};
  size_t beyond = 0;
  int same = diff_documents(&out, document, document, &arguments);
  int there = diff_documents(&out, document, other, &any), back = diff_documents(&out, other, document, &arguments);
  int checked = check_documents(&out, document, document, 0, &any, &beyond);
  int against = check_documents(&out, other, document, 5, &arguments, &beyond);
  const char *fault = check_text(&out);
  text_free(&out);
  if (same != EXIT_GOOD || checked == EXIT_DIFFERS)
    return "a document that differs from itself";
  if (there < EXIT_GOOD || there > EXIT_DIFFERS || there != back || against < EXIT_GOOD || against > EXIT_UNUSABLE)
    return "a comparison with another exit code than it has";
  return fault;
}

const char *document_check(const char *text, size_t length, uint64_t number) {
  struct text content = {0};
  struct document document;
  text_bytes(&content, text, length);
  bool read = document_parse("a.json", &content, &document);
  const char *fault = check_messages(!read);
  if (!read)
    return fault;
  if (!fault)
    fault = check_forms(&document, number);
  if (!fault)
    fault = check_comparisons(&document, number);
  document_free(&document);
  const char *said = check_messages(false);
  return fault ? fault : said;
}
