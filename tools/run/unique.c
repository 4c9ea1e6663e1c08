// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/unique.h"

#include "common/file.h"
#include "common/say.h"
#include "common/text.h"
#include "reader/reader.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>

#define HANDED_OVER "unique.tsv"

void unique_before(const char *folder) {
  char *output = format_string("%s/%%p.json", folder);
  unsetenv("GPUPROF_UNIQUE_FILE"); /* of the point before */
  setenv("GPUPROF_UNIQUE", "1", 1);
  setenv("GPUPROF_OUTPUT", output, 1);
  free(output);
}

/* A line as runtime/report/unique_file.h says, for each entry whose unique bytes are known. */
static void add_lines(struct text *out, const struct entry *entries, size_t count) {
  for (const struct entry *e = entries; e < entries + count; ++e)
    if (entry_count(e, COUNT_UNIQUE).known)
      text_format(out, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\n",
                  e->is_kernel ? "kernel" : "region", entry_count(e, COUNT_LAUNCHES).value,
                  entry_count(e, COUNT_FLOPS).value, entry_requested_bytes(e).value, entry_count(e, COUNT_UNIQUE).value,
                  e->path);
}

static bool hand_over(const char *report, const char *path) {
  struct document document;
  struct text out = {0};
  if (!document_read(report, &document))
    return false;
  add_lines(&out, document.regions, document.region_count);
  add_lines(&out, document.kernels, document.kernel_count);
  bool written = !file_write(path, text_get(&out), out.length);
  text_free(&out);
  document_free(&document);
  return written;
}

bool unique_after(const char *folder, const char *output) {
  glob_t found = {0};
  char *path = format_string("%s/" HANDED_OVER, folder);
  char *pattern = format_string("%s/*.json", folder);
  if (glob(pattern, 0, NULL, &found))
    found.gl_pathc = 0;
  bool done = found.gl_pathc == 1 && hand_over(found.gl_pathv[0], path);
  if (found.gl_pathc != 1)
    fail("with --unique the program must write one report, not %zu: it has to be one process, compiled with "
         "'gpuprof cc'.",
         (size_t)found.gl_pathc);
  unsetenv("GPUPROF_UNIQUE");
  setenv("GPUPROF_UNIQUE_FILE", path, 1);
  setenv("GPUPROF_OUTPUT", output, 1);
  globfree(&found);
  free(pattern);
  free(path);
  return done;
}
