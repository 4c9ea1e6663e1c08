// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline/trace_text.h"

#include "base/demangle.h"
#include "core/kernels.h"
#include "timeline/trace_lanes.h"
#include "timeline/trace_rows.h"

#include <inttypes.h>
#include <stdlib.h>

void gp_trace_text_string(FILE *out, const char *text) {
  if (!text) {
    fputs("null", out);
    return;
  }
  putc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if (*c < ' ' || *c == 0x7f)
      fprintf(out, "\\u%04x", *c);
    else
      putc(*c, out);
  putc('"', out);
}

/* ---- Times ---- */

/* Microseconds with three digits: no rounding by doubles. */
static void print_us(FILE *out, uint64_t ns) { fprintf(out, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000)); }

static uint64_t since(const struct gp_trace_base *base, uint64_t time) {
  return time > base->start_ns ? time - base->start_ns : 0;
}

static void print_span(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e) {
  fputs(",\"ts\":", out);
  print_us(out, since(base, e->start));
  fputs(",\"dur\":", out);
  print_us(out, e->end > e->start ? e->end - e->start : 0);
}

/* ---- Paths of regions ---- */

static void print_path_part(FILE *out, const char *name) {
  for (const unsigned char *c = (const unsigned char *)name; *c; c++)
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if (*c >= ' ' && *c != 0x7f)
      putc(*c, out);
}

static int print_path(FILE *out, const struct gp_context *context) {
  if (!context || !context->parent)
    return 0;
  const int has_more = print_path(out, context->parent);
  if (!context->site || !context->site->description.name)
    return has_more;
  if (has_more)
    putc('/', out);
  print_path_part(out, context->site->description.name);
  return 1;
}

static void print_region(FILE *out, const char *key, const struct gp_context *context) {
  fprintf(out, "\"%s\":\"", key);
  print_path(out, context);
  putc('"', out);
}

/* ---- Events ---- */

static void begin_event(FILE *out, const char *category, const char *name, long process, long thread) {
  fprintf(out, ",\n{\"ph\":\"X\",\"cat\":\"%s\",\"name\":", category);
  gp_trace_text_string(out, name);
  fprintf(out, ",\"pid\":%ld,\"tid\":%ld", process, thread);
}

static void print_arrow(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e, int is_end, long process,
                        long thread) {
  if (!e->correlation)
    return;
  fprintf(out, ",\n{\"ph\":\"%s\",\"id\":%" PRIu64 ",\"pid\":%ld,\"tid\":%ld,\"ts\":", is_end ? "f" : "s", e->correlation,
          process, thread);
  print_us(out, since(base, e->start));
  fprintf(out, ",\"cat\":\"ac2g\",\"name\":\"ac2g\"%s}", is_end ? ",\"bp\":\"e\"" : "");
}

static void print_region_event(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e) {
  const struct gp_site *site = e->context ? e->context->site : NULL;
  begin_event(out, "user_annotation", e->name, base->process, (long)e->place);
  print_span(out, base, e);
  fputs(",\"args\":{", out);
  print_region(out, "path", e->context);
  fprintf(out, ",\"execution\":%" PRIu64 ",\"phase\":", e->value);
  gp_trace_text_string(out, site ? site->description.phase : NULL);
  fputs(",\"category\":", out);
  gp_trace_text_string(out, site ? site->description.category : NULL);
  fputs("}}", out);
}

static void print_call(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e) {
  const int is_driver = e->name[0] == 'c' && e->name[1] == 'u' && e->name[2] != 'd';
  begin_event(out, is_driver ? "cuda_driver" : "cuda_runtime", e->name, base->process, (long)e->place);
  print_span(out, base, e);
  fputs(",\"args\":{", out);
  if (e->correlation)
    fprintf(out, "\"correlation\":%" PRIu64 ",\"External id\":%" PRIu64 ",", e->correlation, e->correlation);
  print_region(out, "region", e->context);
  fputs("}}", out);
  print_arrow(out, base, e, 0, base->process, (long)e->place);
}

static void begin_work(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e, const char *category,
                       const char *name) {
  static const char *const sources[] = {"cupti", "event", "cpu"};
  begin_event(out, category, name, e->device, (long)e->place);
  print_span(out, base, e);
  fprintf(out, ",\"args\":{\"device\":%d,\"context\":1,\"stream\":%u,", e->device, gp_trace_stream_of(e));
  if (e->correlation)
    fprintf(out, "\"correlation\":%" PRIu64 ",\"External id\":%" PRIu64 ",", e->correlation, e->correlation);
  fprintf(out, "\"source\":\"%s\",", sources[e->source]);
  print_region(out, "region", e->context);
}

static void print_kernel(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e, uint32_t row) {
  char *name = gp_demangle(e->name);
  begin_work(out, base, e, "kernel", name ? name : e->name);
  free(name);
  fprintf(out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u]", e->grid[0], e->grid[1], e->grid[2], e->block[0], e->block[1],
          e->block[2]);
  if (e->registers)
    fprintf(out, ",\"registers per thread\":%u,\"shared memory\":%u,\"local memory\":%u", e->registers, e->shared_bytes,
            e->local_bytes);
  gp_trace_rows_print(out, row);
  fputs("}}", out);
  print_arrow(out, base, e, 1, e->device, (long)e->place);
}

static void print_copy(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e) {
  static const char *const names[] = {"Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD", "Memcpy PtoP", "Memcpy HtoH", "Memset"};
  static const char *const memories[] = {"", " (Pageable)", " (Pinned)"};
  char name[64];
  const uint64_t ns = e->end > e->start ? e->end - e->start : 0;
  snprintf(name, sizeof name, "%s%s", names[e->copy % 8], memories[e->copy / 8]);
  begin_work(out, base, e, e->kind == GP_TRACE_MEMSET ? "gpu_memset" : "gpu_memcpy", name);
  fprintf(out, ",\"bytes\":%" PRIu64, e->value);
  if (ns)
    fprintf(out, ",\"memory bandwidth (GB/s)\":%.3f", (double)e->value / (double)ns);
  fputs("}}", out);
  print_arrow(out, base, e, 1, e->device, (long)e->place);
}

static void print_counter(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e) {
  fputs(",\n{\"ph\":\"C\",\"name\":", out);
  gp_trace_text_string(out, e->name);
  fprintf(out, ",\"pid\":%d,\"tid\":0,\"ts\":", e->device < GP_DEVICES ? e->device : base->process);
  print_us(out, since(base, e->start));
  fprintf(out, ",\"args\":{\"bytes\":%" PRIu64 "}}", e->value);
}

void gp_trace_text_event(FILE *out, const struct gp_trace_base *base, const struct gp_trace_event *e, uint32_t row) {
  switch (e->kind) {
  case GP_TRACE_REGION: print_region_event(out, base, e); break;
  case GP_TRACE_CALL: print_call(out, base, e); break;
  case GP_TRACE_KERNEL: print_kernel(out, base, e, row); break;
  case GP_TRACE_COPY:
  case GP_TRACE_MEMSET: print_copy(out, base, e); break;
  case GP_TRACE_COUNTER: print_counter(out, base, e); break;
  }
}

/* ---- Names ---- */

static void begin_metadata(FILE *out, const char *what, long process, long thread) {
  fprintf(out, ",\n{\"ph\":\"M\",\"name\":\"%s\",\"ts\":0,\"pid\":%ld,\"tid\":%ld,\"args\":{", what, process, thread);
}

void gp_trace_text_process(FILE *out, long process, const char *name, const char *label, int place) {
  begin_metadata(out, "process_name", process, 0);
  fputs("\"name\":", out);
  gp_trace_text_string(out, name);
  fputs("}}", out);
  begin_metadata(out, "process_labels", process, 0);
  fputs("\"labels\":", out);
  gp_trace_text_string(out, label);
  fputs("}}", out);
  begin_metadata(out, "process_sort_index", process, 0);
  fprintf(out, "\"sort_index\":%d}}", place);
}

void gp_trace_text_thread(FILE *out, long process, long thread, const char *name, long place) {
  begin_metadata(out, "thread_name", process, thread);
  fputs("\"name\":", out);
  gp_trace_text_string(out, name);
  fputs("}}", out);
  begin_metadata(out, "thread_sort_index", process, thread);
  fprintf(out, "\"sort_index\":%ld}}", place);
}
