// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof scan: kernels and launches with and without a region, and pragmas for those without. */
#include "cc/line.h"
#include "cc/toolchain.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/say.h"
#include "common/style.h"
#include "scan/database.h"
#include "scan/found.h"
#include "scan/headers.h"
#include "scan/parse.h"
#include "scan/propose.h"
#include "scan/rewrite.h"
#include "scan/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_WIDTH 80 /* where no terminal says how wide it is */

struct request {
  const struct arguments *arguments;
  struct line flags; /* behind -- */
  size_t path_count;
  bool write, diff, check, json, from_database;
};

/* ---- What the user gave ---- */
static int take_request(const struct command *self, const struct arguments *arguments, struct request *request) {
  const char *format = arguments->values[OPTION_SCAN_FORMAT];
  *request = (struct request){.arguments = arguments, .path_count = arguments->rest_split};
  request->write = arguments->values[OPTION_WRITE];
  request->diff = arguments->values[OPTION_DIFF];
  request->check = arguments->values[OPTION_CHECK];
  request->json = format && !strcmp(format, "json");
  request->from_database = arguments->values[OPTION_BUILD];
  for (size_t i = request->path_count; i < arguments->rest_count; ++i)
    line_add(&request->flags, arguments->rest[i]);
  if (format && !request->json && strcmp(format, "text"))
    return misuse(self->name, "there is no format '%s'; choose text or json.", format);
  if (request->write + request->diff + request->check > 1)
    return misuse(self->name, "--write, --diff and --check are three things to do; choose one.");
  if (request->json && (request->diff || request->write))
    return misuse(self->name, "--format=json is of what is listed; leave out --%s.", request->diff ? "diff" : "write");
  if (!request->path_count && !request->from_database)
    return misuse(self->name, "'scan' needs sources: gpuprof scan app.cu, a folder, or -p with the folder of "
                              "compile_commands.json.");
  if (request->from_database && request->flags.count)
    return misuse(self->name, "flags behind -- are for files without compile_commands.json; leave out -p or the flags.");
  return EXIT_GOOD;
}

static void add_word(struct text *out, const char *word) {
  text_add(out, " ");
  line_quote(out, word);
}

/* The same command with --write. */
static char *write_command(const struct request *request) {
  const struct arguments *arguments = request->arguments;
  struct text out = {0};
  text_add(&out, "gpuprof scan --write");
  if (arguments->values[OPTION_OWN_HEADERS])
    text_add(&out, " --cpu");
  if (request->from_database) {
    text_add(&out, " -p");
    add_word(&out, arguments->values[OPTION_BUILD]);
  }
  for (size_t i = 0; i < arguments->rest_count; ++i) {
    text_add(&out, i == arguments->rest_split ? " --" : "");
    add_word(&out, arguments->rest[i]);
  }
  char *command = copy_string(text_get(&out));
  text_free(&out);
  return command;
}

/* ---- The files ---- */
static int gather(struct scan_units *units, const struct request *request) {
  const struct arguments *arguments = request->arguments;
  int code = EXIT_GOOD;
  units_add_root(units, ".");
  if (request->from_database)
    code = units_from_database(units, arguments->values[OPTION_BUILD]);
  for (size_t i = 0; !code && i < request->path_count; ++i)
    code = request->from_database ? units_keep(units, arguments->rest[i])
                                  : units_from_path(units, arguments->rest[i], &request->flags);
  if (request->from_database && request->path_count)
    units_keep_chosen(units);
  if (!code && !units->count)
    code = fail("there are no CUDA files in what was named; name a folder with .cu files, or the files.");
  return code;
}

static void tell_problem(const struct found_problem *problem) {
  if (!problem->at)
    tell("%s: %s", problem->file, problem->what);
  else if (!strcmp(problem->at, problem->file))
    tell("%s:%u: %s", problem->file, problem->line, problem->what);
  else
    tell("%s: %s:%u: %s", problem->file, problem->at, problem->line, problem->what);
}

/* Each file with its first error, and what to do about them. */
static void tell_problems(const struct found *found, const struct request *request) {
  for (size_t i = 0; i < found->problem_count; ++i)
    tell_problem(&found->problems[i]);
  if (found->problem_count)
    fail("%zu of %zu files could not be read in full, so launches may be missing; %s.", found->problem_count,
         found->unit_count,
         request->from_database ? "build the project first, for headers that the build makes"
                                : "give the compiler's flags behind --, or -p with compile_commands.json");
}

static int read_sources(struct found *found, const struct request *request) {
  struct scan_units units = {0};
  struct headers headers = {0};
  struct libclang libclang = {0};
  int code = gather(&units, request);
  char *compiler = compiler_find();
  if (!code)
    code = headers_find(&headers, request->arguments->values[OPTION_OWN_HEADERS]);
  if (!code && !libclang_open(&libclang, compiler, GPUPROF_LLVM_MAJOR))
    code = EXIT_UNUSABLE;
  if (!code) {
    parse_units(&libclang, &units, &headers, found);
    propose(found);
    tell_problems(found, request);
  }
  free(compiler);
  headers_free(&headers);
  units_free(&units);
  return code;
}

/* ---- The answer ---- */
static bool all_have_regions(const struct found *found) {
  for (size_t i = 0; i < found->file_count; ++i)
    for (size_t f = 0; f < found->files[i]->function_count; ++f)
      if (found_lacks(&found->files[i]->functions[f]))
        return false;
  return true;
}

static int answer(struct found *found, const struct request *request) {
  const char *color = request->arguments->values[OPTION_COLOR];
  const struct style style = style_choose("-", color ? color : "auto", false, FILE_WIDTH);
  char *command = write_command(request);
  struct text out = {0};
  int code = EXIT_GOOD;
  if (request->diff)
    rewrite_diff(&out, found);
  else if (request->json)
    show_json(&out, found);
  else if (request->check)
    show_lacking(&out, found, command);
  else if (request->write) {
    code = rewrite_files(found);
    show_written(&out, found);
  } else
    show_table(&out, found, &style, command);
  fwrite(text_get(&out), 1, out.length, stdout);
  if (found->problem_count)
    code = EXIT_UNUSABLE;
  else if (!code && request->check && !all_have_regions(found))
    code = EXIT_DIFFERS;
  text_free(&out);
  free(command);
  return code;
}

int run_scan(const struct command *self, const struct arguments *arguments) {
  struct request request;
  struct found found = {0};
  int code = take_request(self, arguments, &request);
  if (!code)
    code = read_sources(&found, &request);
  if (!code)
    code = answer(&found, &request);
  found_free(&found);
  line_free(&request.flags);
  return code;
}
