// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/sweep_run.h"

#include "common/file.h"
#include "common/process.h"
#include "common/say.h"
#include "common/text.h"
#include "reader/reader.h"
#include "sweep/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_FOLDER "gpuprof-sweep"
#define DOCUMENT "sweep.json"
#define REPEATS_MOST 1000
#define LABEL_LENGTH 100 /* bytes of a point's label in the name of a file */

/* One sweep while it runs. */
struct running {
  struct sweep sweep;
  sweep_program *program;
  char *folder;
  size_t done, failed, several; /* runs; those with several documents */
  double seconds;
};

bool sweep_is_asked(const struct arguments *arguments) {
  return arguments->values[OPTION_SWEEP] || arguments->values[OPTION_REPEAT];
}

/* ---- The command line ---- */

static int read_parameters(const struct command *self, const struct arguments *arguments, struct parameters *parameters) {
  for (size_t i = 0; i < arguments->given_count; ++i) {
    if (arguments->given[i].option != OPTION_SWEEP)
      continue;
    char *why = parameters_add(parameters, arguments->given[i].value);
    const int code = why ? misuse(self->name, "%s", why) : EXIT_GOOD;
    free(why);
    if (code)
      return code;
  }
  if (parameters_points(parameters) > SWEEP_POINTS_MOST)
    return misuse(self->name, "the sweep has more than %d points; give fewer values.", SWEEP_POINTS_MOST);
  return EXIT_GOOD;
}

static bool is_used(const struct parameter *parameter, const struct arguments *arguments) {
  for (size_t i = 0; i < arguments->rest_count; ++i)
    if (parameter_is_in(parameter, arguments->rest[i]))
      return true;
  return false;
}

static int check_used(const struct command *self, const struct parameters *parameters, const struct arguments *arguments) {
  for (size_t i = 0; i < parameters->count; ++i)
    if (!is_used(&parameters->items[i], arguments))
      return misuse(self->name, "no argument of the program has {%s}; write it where the value belongs.", parameters->items[i].name);
  return EXIT_GOOD;
}

static int read_repeat(const struct command *self, const struct arguments *arguments, size_t *repeat) {
  const char *given = arguments->values[OPTION_REPEAT];
  char *end = NULL;
  *repeat = given && isdigit((unsigned char)*given) ? strtoul(given, &end, 10) : 0;
  if (!given)
    *repeat = 1;
  else if (!end || *end || !*repeat || *repeat > REPEATS_MOST)
    return misuse(self->name, "--repeat is a number of runs from 1 to %d, not '%s'.", REPEATS_MOST, given);
  return EXIT_GOOD;
}

/* ---- The folder ---- */

static char *folder_name(const struct arguments *arguments) {
  const char *given = arguments->values[OPTION_OUTPUT] ? arguments->values[OPTION_OUTPUT] : DEFAULT_FOLDER;
  char *current = given[0] == '/' ? NULL : getcwd(NULL, 0), stamp[32] = "";
  const time_t now = time(NULL);
  struct tm parts;
  if (arguments->values[OPTION_TIMESTAMP] && localtime_r(&now, &parts))
    strftime(stamp, sizeof stamp, "-%Y%m%d-%H%M%S", &parts);
  char *folder = format_string("%s%s%s%s", current ? current : "", current ? "/" : "", given, stamp);
  free(current);
  return folder;
}

static int make_folder(const char *folder) {
  char *document = format_string("%s/" DOCUMENT, folder);
  int code = EXIT_GOOD;
  if (mkdir(folder, 0777) && errno != EEXIST)
    code = fail("cannot make the folder '%s': %s; name another one with -o.", folder, strerror(errno));
  else if (!folder_exists(folder))
    code = fail("'%s' is no folder; name another one with -o.", folder);
  else if (file_exists(document))
    code = fail("'%s' holds a sweep; name another folder with -o, or add --timestamp.", folder);
  free(document);
  return code;
}

/* "003-seq=128,causal=0-2": the number keeps points apart whose values differ in other characters only. */
static char *run_name(const struct sweep *sweep, size_t point, size_t run) {
  char *label = parameters_label(&sweep->parameters, point, ",");
  for (char *at = label; *at; ++at)
    if (!isalnum((unsigned char)*at) && !strchr("=,._+-", *at))
      *at = '_';
  char *name = format_string("%03zu%s%.*s-%zu", point + 1, *label ? "-" : "", LABEL_LENGTH, label, run + 1);
  free(label);
  return name;
}

/* ---- A run ---- */

static uint64_t launches_of(const struct document *document) {
  uint64_t launches = 0;
  for (size_t i = 0; i < document->kernel_count; ++i)
    launches += entry_count(&document->kernels[i], COUNT_LAUNCHES).value;
  return launches;
}

/* Of several processes' documents the one with the most launches; false where there is none. */
static bool read_documents(struct running *running, const glob_t *found, struct document *best, char **file) {
  bool is_read = false;
  for (size_t i = 0; i < found->gl_pathc; ++i) {
    struct document document;
    if (!document_read(found->gl_pathv[i], &document))
      continue;
    if (is_read && launches_of(&document) <= launches_of(best)) {
      document_free(&document);
      continue;
    }
    if (is_read)
      document_free(best);
    *best = document;
    free(*file);
    *file = copy_string(strrchr(found->gl_pathv[i], '/') + 1);
    is_read = true;
  }
  running->several += found->gl_pathc > 1;
  return is_read;
}

/* Paths of folders may have characters that glob() reads. */
static char *escaped(const char *path) {
  struct text text = {0};
  for (; *path; ++path)
    text_format(&text, "%s%c", strchr("*?[\\", *path) ? "\\" : "", *path);
  return text.data ? text.data : copy_string("");
}

/* The process's number leaves the name of an only document. */
static void shorten_name(glob_t *found, const char *plain) {
  if (found->gl_pathc == 1 && !file_exists(plain) && !rename(found->gl_pathv[0], plain)) {
    free(found->gl_pathv[0]);
    found->gl_pathv[0] = strdup(plain);
  }
}

static void take_documents(struct running *running, size_t point, const char *base, int code, double seconds) {
  char *clean = escaped(base), *pattern = format_string("%s.*.json", clean), *plain = format_string("%s.json", base);
  char *file = NULL;
  struct document document;
  glob_t found = {0};
  if (glob(pattern, 0, NULL, &found))
    found.gl_pathc = 0;
  shorten_name(&found, plain);
  const bool is_read = read_documents(running, &found, &document, &file);
  sweep_add_run(&running->sweep, point, file, code, seconds, is_read && !code ? &document : NULL);
  running->failed += code || !is_read;
  if (is_read)
    document_free(&document);
  else if (!code)
    note("this run wrote no document; compile the program's .cu files with 'gpuprof cc'.");
  globfree(&found);
  free(plain);
  free(pattern);
  free(clean);
}

static char **filled_command(const struct sweep *sweep, size_t point, const struct arguments *arguments) {
  char **command = allocate((arguments->rest_count + 1) * sizeof *command);
  for (size_t i = 0; i < arguments->rest_count; ++i)
    command[i] = parameters_fill(&sweep->parameters, point, arguments->rest[i]);
  command[arguments->rest_count] = NULL;
  return command;
}

/* The runtime expands '%' and the character behind it; in the folder's name they mean themselves. */
static char *output_pattern(const char *base) {
  struct text text = {0};
  for (; *base; ++base)
    text_format(&text, "%s%c", *base == '%' ? "%" : "", *base);
  text_add(&text, ".%p.json");
  return text.data;
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void tell_progress(const struct running *running, size_t point, size_t run) {
  const size_t runs = running->sweep.point_count * running->sweep.repeat;
  char *label = parameters_label(&running->sweep.parameters, point, " ");
  struct text line = {0};
  text_format(&line, "run %zu of %zu", running->done + 1, runs);
  if (*label)
    text_format(&line, ": %s", label);
  if (running->sweep.repeat > 1)
    text_format(&line, ", repeat %zu of %zu", run + 1, running->sweep.repeat);
  const double left = running->done ? running->seconds / (double)running->done * (double)(runs - running->done) : 0;
  if (left >= 1)
    text_format(&line, ", about %.0f s left", left);
  tell("%s", text_get(&line));
  text_free(&line);
  free(label);
}

/* Returns the program's exit status. */
static int run_once(struct running *running, const struct arguments *arguments, size_t point, size_t run) {
  char **command = filled_command(&running->sweep, point, arguments);
  char *name = run_name(&running->sweep, point, run), *base = format_string("%s/%s", running->folder, name);
  char *output = output_pattern(base);
  tell_progress(running, point, run);
  setenv("GPUPROF_OUTPUT", output, 1);
  const double begin = seconds_now();
  const int code = running->program(command, output);
  const double seconds = seconds_now() - begin;
  running->seconds += seconds;
  ++running->done;
  take_documents(running, point, base, code, seconds);
  for (size_t i = 0; command[i]; ++i)
    free(command[i]);
  free(command);
  free(output);
  free(base);
  free(name);
  return code;
}

/* ---- All runs ---- */

static int write_document(const struct running *running, bool is_last) {
  char *path = format_string("%s/" DOCUMENT, running->folder);
  struct text out = {0};
  sweep_write(&out, &running->sweep);
  const int code = file_write(path, text_get(&out), out.length);
  if (is_last && !code)
    tell("wrote '%s'; read it with: gpuprof report '%s'", path, path);
  text_free(&out);
  free(path);
  return code;
}

static bool ends_sweep(int code) { return code == 128 + SIGINT || code == EXIT_NOT_FOUND; }

/* The document is written after each point: an interrupted sweep keeps what it has. */
static int run_points(struct running *running, const struct arguments *arguments) {
  int code = EXIT_GOOD;
  bool is_ended = false;
  for (size_t point = 0; point < running->sweep.point_count && !is_ended && !code; ++point) {
    for (size_t run = 0; run < running->sweep.repeat && !is_ended; ++run)
      is_ended = ends_sweep(run_once(running, arguments, point, run));
    code = write_document(running, is_ended || point + 1 == running->sweep.point_count);
  }
  if (running->several)
    note("%zu runs wrote several documents; the sweep has the one with the most launches of each.", running->several);
  if (is_ended)
    note("the sweep ended early, after %zu of %zu runs.", running->done, running->sweep.point_count * running->sweep.repeat);
  if (code)
    return code;
  if (running->failed && !is_ended)
    fail("%zu of %zu runs failed or wrote no document; their values are left out.", running->failed, running->done);
  return running->failed || is_ended ? EXIT_DIFFERS : EXIT_GOOD;
}

static int begin(const struct command *self, const struct arguments *arguments, struct running *running) {
  struct parameters parameters = {0};
  size_t repeat = 0;
  int code = read_parameters(self, arguments, &parameters);
  if (!code)
    code = check_used(self, &parameters, arguments);
  if (!code)
    code = read_repeat(self, arguments, &repeat);
  running->folder = folder_name(arguments);
  if (!code)
    code = make_folder(running->folder);
  if (!code) {
    char **command = allocate((arguments->rest_count + 1) * sizeof *command);
    for (size_t i = 0; i < arguments->rest_count; ++i)
      command[i] = (char *)arguments->rest[i];
    command[arguments->rest_count] = NULL;
    sweep_begin(&running->sweep, &parameters, repeat, command);
    free(command);
  }
  parameters_free(&parameters);
  return code;
}

int sweep_run(const struct command *self, const struct arguments *arguments, sweep_program *program) {
  struct running running = {.program = program};
  int code = begin(self, arguments, &running);
  if (!code)
    code = run_points(&running, arguments);
  sweep_free(&running.sweep);
  free(running.folder);
  return code;
}
