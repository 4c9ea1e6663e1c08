// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/output_name.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int names(const char *pattern, char what) {
  for (const char *at = strchr(pattern, '%'); at && at[1]; at = strchr(at + 2, '%'))
    if (at[1] == what)
      return 1;
  return 0;
}

static int is_no_file(const char *pattern) {
  struct stat facts;
  return !strncmp(pattern, "/dev/", 5) || !strncmp(pattern, "/proc/", 6) || (!stat(pattern, &facts) && !S_ISREG(facts.st_mode));
}

/* Where the ending of the last part begins: "run" has none, nor has ".run". */
static size_t stem_length(const char *pattern) {
  const char *slash = strrchr(pattern, '/'), *name = slash ? slash + 1 : pattern, *dot = strrchr(name, '.');
  return dot && dot > name ? (size_t)(dot - pattern) : strlen(pattern);
}

static char *with(const char *pattern, const char *part) {
  char *name;
  const size_t stem = stem_length(pattern);
  return asprintf(&name, "%.*s%s%s", (int)stem, pattern, part, pattern + stem) < 0 ? NULL : name;
}

char *gp_output_name_of_rank(const char *pattern, const struct gp_ranks *ranks) {
  const int unchanged = !ranks->launcher || ranks->world_size == 1 || names(pattern, 'r') || is_no_file(pattern);
  return unchanged ? strdup(pattern) : with(pattern, "-rank%r");
}

char *gp_output_name_of_child(const char *pattern) {
  return names(pattern, 'p') || is_no_file(pattern) ? strdup(pattern) : with(pattern, "-%p");
}
