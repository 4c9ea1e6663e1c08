// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof run: a profiled program with its settings in the environment. */
#include "cc/toolchain.h"
#include "common/commands.h"
#include "common/file.h"
#include "common/process.h"
#include "common/say.h"
#include "run/exact.h"
#include "run/sweep_run.h"
#include "run/unique.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_OUTPUT "gpuprof-%p.json"
#define THOROUGH_WARMUP "3"

/* From the program's own folder the output must be found too, whatever folder it changes to. */
static char *absolute(const char *path) {
  char *folder = path[0] == '/' ? NULL : getcwd(NULL, 0);
  char *result = folder ? format_string("%s/%s", folder, path) : copy_string(path);
  free(folder);
  return result;
}

static bool is_number(const char *string) { return *string && !string[strspn(string, "0123456789")]; }

static void set_trace(const char *path) {
  char *whole = absolute(path);
  setenv("GPUPROF_TRACE", whole, 1);
  free(whole);
}

static int apply_settings(const struct command *self, const struct arguments *arguments, const char *output) {
  const char *warmup = arguments->values[OPTION_WARMUP], *device = arguments->values[OPTION_DEVICE];
  bool quick = arguments->values[OPTION_QUICK], thorough = arguments->values[OPTION_THOROUGH];
  if (quick + thorough + (warmup != NULL) > 1)
    return misuse(self->name, "give one of --quick, --thorough and --warmup.");
  if (arguments->values[OPTION_COUNTS_ONLY]) {
    if (arguments->values[OPTION_UNIQUE] || (device && strcmp(device, "cpu")))
      return misuse(self->name, "--counts-only runs no kernel: leave out --unique and --device gpu.");
    device = "cpu";
  }
  if (arguments->values[OPTION_EXACT] && (arguments->values[OPTION_UNIQUE] || arguments->values[OPTION_COUNTS_ONLY]))
    return misuse(self->name, "--exact times plain kernels in a run of its own: leave out --unique and --counts-only.");
  if (warmup && !is_number(warmup))
    return misuse(self->name, "--warmup is a number of executions, not '%s'.", warmup);
  if (device && strcmp(device, "gpu") && strcmp(device, "cpu"))
    return misuse(self->name, "--device is gpu or cpu, not '%s'.", device);
  const struct {
    const char *variable, *value;
  } settings[] = {{"GPUPROF_ENABLE", "1"},
                  {"GPUPROF_OUTPUT", output},
                  {"GPUPROF_WARMUP", quick      ? "0"
                                     : thorough ? THOROUGH_WARMUP
                                                : warmup},
                  {"GPUPROF_DEVICE", device},
                  {"GPUPROF_COUNTS_ONLY", arguments->values[OPTION_COUNTS_ONLY] ? "1" : NULL},
                  {"GPUPROF_HARDWARE", arguments->values[OPTION_HARDWARE]},
                  {"GPUPROF_CHIP", arguments->values[OPTION_CHIP]},
                  {"GPUPROF_FILTER", arguments->values[OPTION_FILTER]}};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i)
    if (settings[i].value)
      setenv(settings[i].variable, settings[i].value, 1);
  if (arguments->values[OPTION_TRACE])
    set_trace(arguments->values[OPTION_TRACE]);
  return 0;
}

/* GPUPROF_OUTPUT as a pattern for files: %p, %r, %h, %t are any text. */
static char *file_pattern(const char *output) {
  struct text pattern = {0};
  for (const char *at = output; *at; ++at) {
    if (at[0] == '%' && at[1] && strchr("prht", at[1])) {
      text_add(&pattern, "*");
      ++at;
    } else {
      text_bytes(&pattern, strchr("*?[\\", *at) ? "\\" : "", strchr("*?[\\", *at) != NULL);
      text_bytes(&pattern, at, 1);
    }
  }
  return pattern.data;
}

static bool newer(const char *path, struct timespec begin) {
  struct stat status;
  if (stat(path, &status))
    return false;
  struct timespec time = status.st_mtim;
  return time.tv_sec > begin.tv_sec || (time.tv_sec == begin.tv_sec && time.tv_nsec >= begin.tv_nsec);
}

/* Files of this pattern, and with what ranks and forked processes add to a name without %p and %r. */
static int find_files(const char *pattern, glob_t *found) {
  const char *slash = strrchr(pattern, '/'), *dot = strrchr(slash ? slash : pattern, '.');
  const size_t stem = dot ? (size_t)(dot - pattern) : strlen(pattern);
  int missing = glob(pattern, 0, NULL, found);
  if (strchr(pattern, '*'))
    return missing;
  char *more = format_string("%.*s-*%s", (int)stem, pattern, pattern + stem);
  missing &= glob(more, missing ? 0 : GLOB_APPEND, NULL, found);
  free(more);
  return missing;
}

/* Names each document written since `begin`; returns their number. */
static size_t name_documents(const char *output, struct timespec begin) {
  char *pattern = file_pattern(output);
  glob_t found = {0};
  size_t count = 0;
  if (!find_files(pattern, &found))
    for (size_t i = 0; i < found.gl_pathc; ++i)
      if (newer(found.gl_pathv[i], begin)) {
        tell("wrote '%s'; read it with: gpuprof report '%s'", found.gl_pathv[i], found.gl_pathv[i]);
        ++count;
      }
  globfree(&found);
  free(pattern);
  return count;
}

static int run_program(char *const *command) {
  return process_run(command, "give the path of the program after '--'");
}

/* The last run, the run of the report. */
static int run_and_name(char *const *command, const char *output) {
  struct timespec begin;
  clock_gettime(CLOCK_REALTIME_COARSE, &begin); /* the clock of file times */
  int code = run_program(command);
  size_t written = name_documents(output, begin);
  if (!written && code < EXIT_NOT_FOUND) { /* a program ended by a signal has had its message */
    fail("the program wrote no '%s': see its messages above; if there are none, compile its .cu files with "
         "'gpuprof cc'.",
         output);
    code = code ? code : EXIT_UNUSABLE;
  }
  return code;
}

/* A run before the run of the report, and what it hands over. */
struct first_run {
  void (*before)(const char *folder);
  bool (*after)(const char *folder, const char *output);
};
static const struct first_run for_unique = {unique_before, unique_after}, for_exact = {exact_before, exact_after};

/* `last`: what the second run is. */
static int run_twice(const struct first_run *first, char *const *command, const char *output, sweep_program *last) {
  char *folder = temporary_folder();
  if (!folder)
    return EXIT_UNUSABLE;
  first->before(folder);
  int code = run_program(command);
  if (!code)
    code = first->after(folder, output) ? last(command, output) : EXIT_UNUSABLE;
  temporary_folder_remove(folder);
  return code;
}

/* Before other preloaded libraries, whose MPI functions it calls. */
static int preload_communication(void) {
  struct installation installation = {0};
  installation_find(&installation);
  const char *before = getenv("LD_PRELOAD");
  char *file = format_string("%s/libgpuprof-communication.so.0", installation.library ? installation.library : "");
  int code = file_exists(file) ? 0 : fail("'%s' is not there: install gpuprof again.", file);
  if (!code && strpbrk(file, " :")) /* LD_PRELOAD is divided there, and has no way to quote */
    code = fail("'%s' cannot be preloaded, since its path has a space or colon; install gpuprof in another folder.", file);
  if (!code) {
    char *list = before && *before ? format_string("%s:%s", file, before) : copy_string(file);
    setenv("LD_PRELOAD", list, 1);
    free(list);
  }
  free(file);
  installation_free(&installation);
  return code;
}

static int prepare(const struct command *self, const struct arguments *arguments, const char *output) {
  int code = apply_settings(self, arguments, output);
  return !code && arguments->values[OPTION_COMMUNICATION] ? preload_communication() : code;
}

static int run_point(char *const *command, const char *output) {
  (void)output; /* it is in the environment */
  return run_program(command);
}

static int run_point_twice(char *const *command, const char *output) { return run_twice(&for_unique, command, output, run_point); }
static int run_point_exact(char *const *command, const char *output) { return run_twice(&for_exact, command, output, run_point); }

static int run_points(const struct command *self, const struct arguments *arguments) {
  const char *trace = arguments->values[OPTION_TRACE];
  if (trace && !strstr(trace, "%p"))
    return misuse(self->name, "each run of a sweep would overwrite the trace of the one before; name it with %%p: --trace trace-%%p.json.");
  const int code = prepare(self, arguments, NULL);
  sweep_program *point = arguments->values[OPTION_UNIQUE] ? run_point_twice
                         : arguments->values[OPTION_EXACT] ? run_point_exact
                                                           : run_point;
  return code ? code : sweep_run(self, arguments, point);
}

int run_run(const struct command *self, const struct arguments *arguments) {
  if (!arguments->rest_count)
    return misuse(self->name, "'run' needs a program: gpuprof run -- ./app.");
  if (sweep_is_asked(arguments))
    return run_points(self, arguments);
  if (arguments->values[OPTION_TIMESTAMP])
    return misuse(self->name, "--timestamp goes with --sweep or --repeat; in a file's name %%t is the time: -o run-%%t.json.");
  const char *given = arguments->values[OPTION_OUTPUT], *inherited = getenv("GPUPROF_OUTPUT");
  char *output = absolute(given ? given : inherited && *inherited ? inherited : DEFAULT_OUTPUT);
  char **command = allocate((arguments->rest_count + 1) * sizeof *command);
  for (size_t i = 0; i < arguments->rest_count; ++i)
    command[i] = copy_string(arguments->rest[i]);
  int code = prepare(self, arguments, output);
  if (!code)
    code = arguments->values[OPTION_UNIQUE]  ? run_twice(&for_unique, command, output, run_and_name)
           : arguments->values[OPTION_EXACT] ? run_twice(&for_exact, command, output, run_and_name)
                                             : run_and_name(command, output);
  for (size_t i = 0; i < arguments->rest_count; ++i)
    free(command[i]);
  free(command);
  free(output);
  return code;
}
