// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/parse.h"

#include "common/file.h"
#include "scan/walk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MOST 16
#define FEW 8 /* files that are read before anybody wonders */

struct parse {
  const struct libclang *libclang;
  const struct scan_units *units;
  const struct headers *flags;
  struct found *results; /* one a file, so that nothing depends on which thread is first */
  bool headers;          /* this turn: headers that no file included */
  const struct found *found;
  atomic_size_t next, done;
  bool shows_progress; /* to a person who waits */
};

/* ---- One file ---- */
/* The error leaves launches and the begins of functions as they are: it is in code for the GPU, or in a system header that
 * the compiler goes on with. */
static bool is_harmless(const struct libclang *libclang, CXDiagnostic diagnostic, const struct walk_bodies *bodies) {
  CXSourceLocation location = libclang->getDiagnosticLocation(diagnostic);
  CXFile file;
  unsigned at;
  if (libclang->getDiagnosticSeverity(diagnostic) < CXDiagnostic_Error)
    return true;
  if (libclang->getDiagnosticSeverity(diagnostic) == CXDiagnostic_Fatal)
    return false;
  libclang->getExpansionLocation(location, &file, NULL, NULL, &at);
  for (size_t i = 0; i < bodies->count; ++i)
    if (bodies->items[i].file == file && bodies->items[i].from <= at && at < bodies->items[i].to)
      return true;
  return libclang->Location_isInSystemHeader(location);
}

/* Errors show at the line of the file that a person reads. */
static void add_error(const struct libclang *libclang, CXDiagnostic diagnostic, struct found *result) {
  CXFile file;
  unsigned line;
  libclang->getExpansionLocation(libclang->getDiagnosticLocation(diagnostic), &file, &line, NULL, NULL);
  char *name = libclang_text(libclang, libclang->getFileName(file)), *shown = found_shown_path(name);
  char *what = libclang_text(libclang, libclang->getDiagnosticSpelling(diagnostic));
  found_add_problem(result, result->units[0], *shown ? shown : NULL, line, what);
  free(shown);
  free(what);
  free(name);
}

/* Adds the first error that matters. Returns whether there is none. */
static bool check_errors(const struct libclang *libclang, CXTranslationUnit unit, const struct walk_bodies *bodies,
                         struct found *result) {
  unsigned count = libclang->getNumDiagnostics(unit);
  bool is_clean = true;
  for (unsigned i = 0; is_clean && i < count; ++i) {
    CXDiagnostic diagnostic = libclang->getDiagnostic(unit, i);
    is_clean = is_harmless(libclang, diagnostic, bodies);
    if (!is_clean)
      add_error(libclang, diagnostic, result);
    libclang->disposeDiagnostic(diagnostic);
  }
  return is_clean;
}

static const char *why_not(enum CXErrorCode error) {
  return error == CXError_Crashed ? "libclang crashed on it" : "libclang could not read it with these flags";
}

/* Null where libclang has no unit for it, after saying why. */
static CXTranslationUnit read_unit(struct parse *parse, CXIndex index, const struct scan_unit *unit, const struct line *before,
                                   struct found *result) {
  struct CXUnsavedFile shims = {HEADERS_SHIMS, headers_shims, strlen(headers_shims)};
  struct line flags = {0};
  CXTranslationUnit parsed = NULL;
  line_add_all(&flags, before);
  line_add_all(&flags, &unit->flags);
  enum CXErrorCode error =
      parse->libclang->parseTranslationUnit2(index, unit->path, (const char *const *)flags.items, (int)flags.count, &shims, 1,
                                             CXTranslationUnit_KeepGoing, &parsed);
  if (error || !parsed) {
    found_add_problem(result, result->units[0], NULL, 0, file_exists(unit->path) ? why_not(error) : "the file is not there");
    parsed = NULL;
  }
  line_free(&flags);
  return parsed;
}

static bool has_error(const struct libclang *libclang, CXTranslationUnit unit) {
  unsigned count = libclang->getNumDiagnostics(unit);
  bool has = false;
  for (unsigned i = 0; !has && i < count; ++i) {
    CXDiagnostic diagnostic = libclang->getDiagnostic(unit, i);
    has = libclang->getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    libclang->disposeDiagnostic(diagnostic);
  }
  return has;
}

static void mark_clean(struct found *result, bool is_clean) {
  for (size_t i = 0; i < result->file_count; ++i)
    for (size_t f = 0; f < result->files[i]->function_count; ++f)
      result->files[i]->functions[f].is_clean = is_clean;
}

static void parse_unit(struct parse *parse, CXIndex index, const struct scan_unit *unit, struct found *result) {
  const struct libclang *libclang = parse->libclang;
  const struct headers *headers = parse->flags;
  const struct line *first = !unit->is_cuda ? &headers->host : headers->own.count ? &headers->own : &headers->toolkit;
  struct walk_bodies bodies = {0};
  result->units = allocate(sizeof *result->units);
  result->units[result->unit_count++] = found_shown_path(unit->path);
  CXTranslationUnit parsed = read_unit(parse, index, unit, first, result);
  if (parsed && first == &headers->own && headers->toolkit.count && has_error(libclang, parsed)) {
    libclang->disposeTranslationUnit(parsed);
    parsed = read_unit(parse, index, unit, &headers->toolkit, result);
  }
  if (!parsed)
    return;
  walk_unit(libclang, parsed, &parse->units->roots, result, &bodies);
  mark_clean(result, check_errors(libclang, parsed, &bodies, result));
  free(bodies.items);
  libclang->disposeTranslationUnit(parsed);
}

/* ---- All ---- */
/* A header is parsed by itself where nothing was found in it by another file. */
static bool is_due(const struct parse *parse, const struct scan_unit *unit) {
  if (unit->is_header != parse->headers)
    return false;
  for (size_t i = 0; parse->headers && i < parse->found->file_count; ++i)
    if (!strcmp(parse->found->files[i]->path, unit->path))
      return false;
  return true;
}

/* One line, which the next one covers; nothing is left of it at the end. */
static void show_progress(struct parse *parse) {
  size_t done = atomic_fetch_add(&parse->done, 1) + 1;
  if (parse->shows_progress && parse->units->count > FEW)
    fprintf(stderr, "\r%zu of %zu files read\033[K%s", done, parse->units->count, done == parse->units->count ? "\r\033[K" : "");
}

static void *parse_some(void *data) {
  struct parse *parse = data;
  CXIndex index = parse->libclang->createIndex(0, 0);
  for (size_t i; (i = atomic_fetch_add(&parse->next, 1)) < parse->units->count;) {
    if (is_due(parse, &parse->units->items[i]))
      parse_unit(parse, index, &parse->units->items[i], &parse->results[i]);
    show_progress(parse);
  }
  parse->libclang->disposeIndex(index);
  return NULL;
}

static size_t thread_count(size_t units) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  size_t count = cores < 1 ? 1 : cores > THREADS_MOST ? THREADS_MOST : (size_t)cores;
  return count < units ? count : units;
}

static void parse_turn(struct parse *parse, struct found *found) {
  pthread_t threads[THREADS_MOST];
  size_t count = 0, wanted = thread_count(parse->units->count);
  parse->results = allocate(parse->units->count * sizeof *parse->results);
  memset(parse->results, 0, parse->units->count * sizeof *parse->results);
  atomic_store(&parse->next, 0);
  atomic_store(&parse->done, 0);
  while (count + 1 < wanted && !pthread_create(&threads[count], NULL, parse_some, parse))
    ++count;
  parse_some(parse);
  for (size_t i = 0; i < count; ++i)
    pthread_join(threads[i], NULL);
  for (size_t i = 0; i < parse->units->count; ++i)
    found_merge(found, &parse->results[i]);
  free(parse->results);
}

void parse_units(const struct libclang *libclang, const struct scan_units *units, const struct headers *headers,
                 struct found *found) {
  struct parse parse = {.libclang = libclang, .units = units, .flags = headers, .found = found, .shows_progress = isatty(STDERR_FILENO)};
  bool has_headers = false;
  for (size_t i = 0; i < units->count; ++i)
    has_headers |= units->items[i].is_header;
  parse_turn(&parse, found);
  parse.headers = true;
  if (has_headers)
    parse_turn(&parse, found);
  found_sort(found);
}
