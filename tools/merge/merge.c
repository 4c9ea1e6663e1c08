// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof merge: documents of ranks and processes in, one document out. */
#include "merge/merge.h"

#include "common/commands.h"
#include "common/file.h"
#include "common/say.h"
#include "merge/clock_offsets.h"
#include "merge/merge_document.h"
#include "reader/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 200 /* regions in regions; a program has 128 */
#define NAMED_MOST 8
#define DIFFERENT "The documents are of different "

struct merging {
  struct rank_list ranks;
  struct sentences sentences;
  struct text content; /* of the documents so far */
  uint64_t version; /* of the first document: a merged one is of the newest */
  bool any;
};

/* ---- What documents should agree in ---- */

static const struct agreement {
  const char *dotted, *what;
} agreements[] = {{"context.tool_version", "versions of gpuprof"},
                  {"context.warmup", "warm-ups (GPUPROF_WARMUP)"},
                  {"context.filter", "filters (GPUPROF_FILTER)"},
                  {"context.sample", "samples of launches (GPUPROF_SAMPLE)"},
                  {"device.chip", "chips"},
                  {"device.kind", "kinds of device"},
                  {"context.world_size", "numbers of ranks"}};

static void show(struct text *out, const struct json *value) {
  if (value && value->kind == JSON_STRING)
    text_plain(out, value->string);
  else
    value_show(out, value_of(value));
}

static bool is_known(const struct json *value) { return value && value->kind != JSON_NULL; }

static void say_once(struct merging *merging, char *sentence) {
  const size_t before = merging->sentences.count;
  sentences_add(&merging->sentences, sentence);
  if (merging->sentences.count > before)
    note("%s", merging->sentences.items[before]);
}

static void compare_member(struct merging *merging, const struct document *first, const struct document *next,
                           const struct agreement *agreement) {
  struct text left = {0}, right = {0};
  const struct json *a = json_find(&first->tree, &first->tree.root, agreement->dotted),
                    *b = json_find(&next->tree, &next->tree.root, agreement->dotted);
  if (is_known(a) && is_known(b)) {
    show(&left, a);
    show(&right, b);
    if (strcmp(text_get(&left), text_get(&right)))
      say_once(merging, format_string(DIFFERENT "%s: %s, and %s in '%s'.", agreement->what, text_get(&left),
                                  text_get(&right), next->file));
  }
  text_free(&left);
  text_free(&right);
}

static void show_builds(struct text *out, const struct document *document) {
  static const char *const facts[] = {"optimization", "architecture", "headers", "cuda_version", "fast_math", "contraction", "compiler"};
  JSON_EACH(build, json_find(&document->tree, &document->tree.root, "context.builds"))
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
      const struct json *value = json_find(&document->tree, build, facts[i]);
      text_add(out, i ? " " : out->length ? ", " : "");
      if (is_known(value))
        show(out, value);
    }
}

/* A rank without a launch has no build. */
static void compare_builds(struct merging *merging, const struct document *first, const struct document *next) {
  struct text left = {0}, right = {0};
  show_builds(&left, first);
  show_builds(&right, next);
  if (left.length && right.length && strcmp(text_get(&left), text_get(&right)))
    say_once(merging, format_string(DIFFERENT "builds: %s, and %s in '%s'.", text_get(&left), text_get(&right), next->file));
  text_free(&left);
  text_free(&right);
}

static void compare_versions(struct merging *merging, const struct document *next) {
  const uint64_t version = count_of(json_find(&next->tree, &next->tree.root, "version")).value;
  if (!merging->any)
    merging->version = version;
  else if (version != merging->version)
    say_once(merging, format_string(DIFFERENT "schema versions: %" PRIu64 ", and %" PRIu64 " in '%s'.", merging->version, version, next->file));
}

static void compare(struct merging *merging, const struct document *first, const struct document *next) {
  for (size_t i = 0; i < sizeof agreements / sizeof *agreements; ++i)
    compare_member(merging, first, next, &agreements[i]);
  compare_builds(merging, first, next);
}

/* ---- Ranks: all of them, and each once ---- */

static void add_number(struct text *list, size_t count, int64_t number) {
  if (count < NAMED_MOST)
    text_format(list, "%s%" PRId64, count ? ", " : "", number);
  else if (count == NAMED_MOST)
    text_add(list, ", …");
}

static bool has_rank(const struct rank_list *ranks, int64_t rank) {
  for (size_t i = 0; i < ranks->count; ++i)
    if (ranks->items[i].rank.known && ranks->items[i].rank.value == rank)
      return true;
  return false;
}

static void tell_missing(struct merging *merging, int64_t size) {
  struct text missing = {0};
  size_t count = 0;
  for (int64_t rank = 0; rank < size && rank < 1 << 20; ++rank)
    if (!has_rank(&merging->ranks, rank))
      add_number(&missing, count++, rank);
  if (count)
    say_once(merging, format_string("%zu of %" PRId64 " ranks %s missing: %s.", count, size, count > 1 ? "are" : "is", text_get(&missing)));
  text_free(&missing);
}

static void tell_repeated(struct merging *merging) {
  const struct rank_list *ranks = &merging->ranks;
  struct text repeated = {0};
  size_t count = 0;
  for (size_t i = 1; i < ranks->count; ++i) /* sorted */
    if (ranks->items[i].rank.known && ranks->items[i - 1].rank.known && ranks->items[i].rank.value == ranks->items[i - 1].rank.value)
      add_number(&repeated, count++, ranks->items[i].rank.value);
  if (count)
    say_once(merging, format_string("Several documents are of one rank, as of several processes or runs: rank %s.", text_get(&repeated)));
  text_free(&repeated);
}

/* Energy and busy time are those of the GPU, whoever uses it. */
static void tell_shared_devices(struct merging *merging) {
  const struct rank_list *ranks = &merging->ranks;
  for (size_t i = 0; i < ranks->count; ++i)
    for (size_t before = 0; ranks->items[i].uuid && before < i; ++before)
      if (ranks->items[before].uuid && !strcmp(ranks->items[i].uuid, ranks->items[before].uuid)) {
        say_once(merging, copy_string("Several ranks ran on one GPU: its energy is in the document of each, and so is added up several times."));
        return;
      }
}

static bool has_unknown_clock(const struct rank_facts *facts) { return !facts->clock_offset_ns.known && facts->host; }

/* The first rank of a host whose clock is unknown. */
static bool names_unknown_clock(const struct rank_list *ranks, size_t rank) {
  bool is_first = has_unknown_clock(&ranks->items[rank]);
  for (size_t i = 0; i < rank && is_first; ++i)
    is_first = !has_unknown_clock(&ranks->items[i]) || strcmp(ranks->items[i].host, ranks->items[rank].host);
  return is_first;
}

static void tell_of_clocks(struct merging *merging) {
  struct text unknown = {0};
  for (size_t i = 0; i < merging->ranks.count; ++i)
    if (names_unknown_clock(&merging->ranks, i))
      text_format(&unknown, "%s%s", unknown.length ? ", " : "", merging->ranks.items[i].host);
  if (unknown.length)
    say_once(merging, format_string("The clocks of %s are not compared with that of %s: no call of MPI that all ranks leave together was seen.",
                                text_get(&unknown), merging->ranks.items[0].host ? merging->ranks.items[0].host : "the first rank"));
  text_free(&unknown);
}

static void check_ranks(struct merging *merging) {
  int64_t size = 0;
  for (size_t i = 0; i < merging->ranks.count; ++i) {
    const struct signed_count world = merging->ranks.items[i].world_size;
    size = world.known && world.value > size ? world.value : size;
  }
  tell_missing(merging, size);
  tell_repeated(merging);
  tell_shared_devices(merging);
  tell_of_clocks(merging);
}

/* ---- Folding ---- */

static bool is_shallow(const struct document *document) {
  for (size_t i = 0; i < document->region_count; ++i)
    if (document->regions[i].depth > DEEPEST)
      return false;
  return true;
}

/* Writes both into merging->content; `b` may be null. */
static bool fold(struct merging *merging, const struct document *a, const struct document *b) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&bytes, &length);
  bool good = stream && merge_documents(stream, a, b, &merging->ranks, &merging->sentences);
  good = stream && !fclose(stream) && good;
  text_free(&merging->content);
  merging->content = (struct text){.data = bytes, .length = length, .capacity = length};
  return good;
}

/* The documents so far stand first. */
static bool fold_into(struct merging *merging, const struct document *next, bool is_last) {
  struct document first;
  if (!merging->any)
    return fold(merging, next, NULL);
  if (!document_parse("the documents so far", &merging->content, &first))
    return false;
  merging->content = (struct text){0};
  compare(merging, &first, next);
  if (is_last)
    check_ranks(merging);
  const bool good = fold(merging, &first, next);
  document_free(&first);
  return good;
}

/* What documents merged before did not agree in. */
static void remember(struct merging *merging, const struct document *document) {
  for (size_t i = 0; i < document->note_count; ++i)
    if (!strcmp(document->notes[i].about, "ranks") && !strncmp(document->notes[i].text, DIFFERENT, strlen(DIFFERENT)))
      say_once(merging, copy_string(document->notes[i].text));
}

static bool add(struct merging *merging, const char *file, bool is_last) {
  struct document next;
  if (!document_read(file, &next))
    return false;
  bool good = is_shallow(&next);
  if (good) {
    rank_list_add(&merging->ranks, &next);
    remember(merging, &next);
    compare_versions(merging, &next);
    if (is_last) {
      rank_list_sort(&merging->ranks);
      clock_offsets_find(&merging->ranks);
    }
    if (is_last && !merging->any)
      check_ranks(merging);
    good = fold_into(merging, &next, is_last);
  }
  if (!good)
    fail("'%s' cannot be merged: its regions lie too deep in each other, or memory is exhausted.", file);
  merging->any = true;
  document_free(&next);
  return good;
}

static int merge_all(const char *const *files, size_t count, const char *output) {
  struct merging merging = {0};
  bool good = true;
  for (size_t i = 0; i < count && good; ++i)
    good = add(&merging, files[i], i + 1 == count);
  const int code = good ? file_write(output, text_get(&merging.content), merging.content.length) : EXIT_UNUSABLE;
  text_free(&merging.content);
  rank_list_free(&merging.ranks);
  sentences_free(&merging.sentences);
  return code;
}

int run_merge(const struct command *self, const struct arguments *arguments) {
  const char *output = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : "-";
  if (!arguments->rest_count)
    return misuse(self->name, "'merge' needs the files of all ranks: gpuprof merge gpuprof-*-rank*.json -o all.json.");
  for (size_t i = 1; i < arguments->rest_count; ++i)
    if (file_is_among(arguments->rest[i], arguments->rest, i))
      return misuse(self->name, "'%s' is named twice; name the file of each process once.", arguments->rest[i]);
  if (arguments->values[OPTION_JOIN_TRACES])
    return trace_join(arguments->rest, arguments->rest_count, output);
  return merge_all(arguments->rest, arguments->rest_count, output);
}
