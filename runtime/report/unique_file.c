// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/unique_file.h"

#include "base/input.h"
#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
  uint64_t launches, flops, bytes, unique;
  char *path;
};

static int parse(char *text, struct line *line, char kind[8]) {
  int path = 0;
  if (sscanf(text, "%7[a-z]\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu64 "\t%" SCNu64 "\t%n", kind, &line->launches,
             &line->flops, &line->bytes, &line->unique, &path) != 5 ||
      !path)
    return -1;
  line->path = text + path;
  line->path[strcspn(line->path, "\n")] = 0;
  return 0;
}

static struct gp_row *find(struct gp_row *parent, const char *path) {
  for (struct gp_row *row = parent->children; row; row = row->next) {
    struct gp_row *found = !strcmp(row->path, path) ? row : find(row, path);
    if (found)
      return found;
  }
  return NULL;
}

static void apply(struct gp_row *row, const struct line *line) {
  if (row->launches != line->launches || gp_totals_flops(&row->totals) != line->flops ||
      gp_totals_group(&row->totals, "global") != line->bytes) {
    gp_remark(row->path,
              "its unique bytes are not known: the run that looked for them launched %" PRIu64
              " kernels with "
              "%" PRIu64 " FLOPs and %" PRIu64 " global bytes, this run did other work",
              line->launches, line->flops, line->bytes);
    return;
  }
  row->unique_bytes = line->unique;
  row->unique_launches = row->launches;
}

static int all_known(const struct gp_row *parent) {
  for (const struct gp_row *row = parent->children; row; row = row->next)
    if (row->unique_launches != row->launches)
      return 0;
  return 1;
}

void gp_unique_apply(struct gp_aggregate *aggregate, const char *path) {
  FILE *file = gp_input_open(path);
  char *text = NULL;
  size_t size = 0;
  if (!file) {
    gp_log(GP_WARN, "GPUPROF_UNIQUE_FILE", "'%s' cannot be read: %s; let 'gpuprof run --unique' set it", path,
           strerror(errno));
    return;
  }
  while (getline(&text, &size, file) > 0) {
    struct line line;
    char kind[8];
    if (parse(text, &line, kind)) {
      gp_log(GP_WARN, "GPUPROF_UNIQUE_FILE",
             "'%s' is no file of unique bytes; let 'gpuprof run --unique' set it", path);
      break;
    }
    struct gp_row *row = find(strcmp(kind, "kernel") ? &aggregate->regions : &aggregate->kernels, line.path);
    if (row)
      apply(row, &line);
  }
  if (!all_known(&aggregate->kernels))
    gp_remark("bytes.unique",
              "null where the run that looked for them (GPUPROF_UNIQUE=1) found none: a kernel needs a copy "
              "(-fplugin-arg-gpuprof-unique=on), which one that reaches global memory by inline PTX or by "
              "copies past the registers never gets");
  free(text);
  fclose(file);
}
