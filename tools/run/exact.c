// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/exact.h"

#include "common/say.h"
#include "common/text.h"

#include <glob.h>
#include <stdlib.h>

/* Settings of the run that counts: they would slow down the kernels that are timed, or write a file twice. */
static struct {
  const char *name;
  char *kept; /* null: it is not set */
} of_the_other[] = {{"GPUPROF_HARDWARE", NULL}, {"GPUPROF_TRACE", NULL}};
#define OF_THE_OTHER (sizeof of_the_other / sizeof *of_the_other)

/* A file a rank. */
static char *times_of(const char *folder) { return format_string("%s/%%r.times", folder); }

void exact_before(const char *folder) {
  char *output = format_string("%s/%%p.json", folder), *times = times_of(folder);
  for (size_t i = 0; i < OF_THE_OTHER; ++i) {
    const char *value = getenv(of_the_other[i].name);
    if (value) { /* or it is kept from a first run that failed */
      free(of_the_other[i].kept);
      of_the_other[i].kept = copy_string(value);
    }
    unsetenv(of_the_other[i].name);
  }
  unsetenv("GPUPROF_TIMES_FILE");
  setenv("GPUPROF_TIMES_ONLY", times, 1);
  setenv("GPUPROF_OUTPUT", output, 1);
  tell("first run: plain kernels, for their times");
  free(times);
  free(output);
}

static void give_back_settings(void) {
  for (size_t i = 0; i < OF_THE_OTHER; ++i) {
    if (of_the_other[i].kept)
      setenv(of_the_other[i].name, of_the_other[i].kept, 1);
    free(of_the_other[i].kept);
    of_the_other[i].kept = NULL;
  }
}

bool exact_after(const char *folder, const char *output) {
  glob_t found = {0};
  char *pattern = format_string("%s/*.times", folder);
  if (glob(pattern, 0, NULL, &found))
    found.gl_pathc = 0;
  const bool any = found.gl_pathc > 0;
  char *times = times_of(folder);
  unsetenv("GPUPROF_TIMES_ONLY");
  give_back_settings();
  if (any) {
    setenv("GPUPROF_TIMES_FILE", times, 1);
    setenv("GPUPROF_OUTPUT", output, 1);
    tell("second run: kernels with counters");
  } else {
    fail("with --exact the program must write a file of times, and it wrote none: compile it with 'gpuprof cc'.");
  }
  globfree(&found);
  free(times);
  free(pattern);
  return any;
}
