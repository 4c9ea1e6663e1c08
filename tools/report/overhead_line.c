// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/overhead_line.h"

#include "common/numbers.h"

static const struct json *part(const struct document *document, const char *path) {
  return json_find(&document->tree, &document->tree.root, path);
}

static struct count own_count(const struct document *document, const char *path) { return count_of(part(document, path)); }

/* "1200 launches at 1.5 us" */
static void add_each(struct text *text, struct count count, const char *one, const char *many, struct count median) {
  if (!count.value || !median.known)
    return;
  text_add(text, text->length ? ", " : "");
  number_count(text, count.value);
  text_format(text, " %s at ", count.value == 1 ? one : many);
  number_time(text, (double)median.value);
}

static void add_gpu_time(struct text *text, struct count ns) {
  if (!ns.known)
    return;
  text_add(text, ", ");
  number_time(text, (double)ns.value);
  text_add(text, " of GPU time in clones and copies of counters");
}

static void add_memory(struct text *text, struct count bytes, const char *where) {
  if (!bytes.value)
    return;
  text_add(text, ", ");
  number_si(text, (double)bytes.value, "B");
  text_format(text, " %s", where);
}

void report_own_cost(struct text *text, const struct document *document) {
  struct text line = {0};
  const struct number share = number_of(part(document, "context.overhead.share"));
  if (!share.known)
    return;
  add_each(&line, own_count(document, "context.overhead.launch_ns.count"), "launch", "launches",
           own_count(document, "context.overhead.launch_ns.median"));
  add_each(&line, own_count(document, "context.overhead.region_ns.count"), "region", "regions",
           own_count(document, "context.overhead.region_ns.median"));
  text_add(text, "gpuprof's own cost: ");
  number_percent(text, 100 * share.value);
  text_format(text, " of the run on the host%s%s%s; ", line.length ? " (" : "", line.length ? text_get(&line) : "", line.length ? ", medians)" : "");
  number_time(text, (double)own_count(document, "context.overhead.threads_ns").value);
  text_add(text, " of processor time in its own threads");
  add_gpu_time(text, own_count(document, "context.overhead.clones_ns"));
  add_memory(text, own_count(document, "context.overhead.host_bytes"), "of host memory");
  add_memory(text, own_count(document, "context.overhead.device_bytes"), "of GPU memory");
  text_add(text, ".");
  text_free(&line);
}
