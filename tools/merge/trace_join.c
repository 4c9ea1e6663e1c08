// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* gpuprof merge --trace: event by event, so that memory does not grow with the traces. */
#include "merge/merge.h"

#include "common/file.h"
#include "common/say.h"
#include "common/text.h"
#include "merge/clock_offsets.h"
#include "merge/trace_slices.h"
#include "reader/reader.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROCESSES INT64_C(10000000) /* numbers of a rank's processes: above all of Linux, 2^22 */

struct trace {
  const char *file;
  struct slice text;
  struct slice events; /* inside of the array */
  bool is_document;
  struct signed_count rank;
  int64_t shift_ns; /* to add to its times */
  struct signed_count offset_ns;
  struct count error_ns;
};

/* ---- Reading ---- */

static bool map_file(struct trace *trace) {
  struct stat facts;
  const int descriptor = open(trace->file, O_RDONLY | O_CLOEXEC);
  void *bytes = MAP_FAILED;
  if (descriptor >= 0 && !fstat(descriptor, &facts) && S_ISREG(facts.st_mode) && facts.st_size)
    bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  const int error = descriptor < 0 || bytes == MAP_FAILED ? errno : 0;
  if (descriptor >= 0)
    close(descriptor);
  if (bytes == MAP_FAILED) {
    fail("cannot read '%s': %s; give traces that GPUPROF_TRACE named.", trace->file, error ? strerror(error) : "it is no regular file, or empty");
    return false;
  }
  trace->text = (struct slice){bytes, (const char *)bytes + facts.st_size};
  return true;
}

static struct signed_count whole_of(struct slice value) {
  char digits[32] = "", *end;
  const size_t length = (size_t)(value.end - value.at);
  if (!length || length >= sizeof digits)
    return (struct signed_count){false, 0};
  memcpy(digits, value.at, length);
  errno = 0;
  const long long number = strtoll(digits, &end, 10);
  return (struct signed_count){!*end && !errno, number};
}

/* A cut text still has its first members; the array of events may be the last and open. */
static bool take_member(struct trace *trace, struct slice *rest) {
  struct trace_member member;
  const struct slice before = *rest;
  if (!trace_next(rest, &member)) {
    const char *open = memmem(before.at, (size_t)(before.end - before.at), "\"traceEvents\"", 13);
    const char *bracket = open && !trace->events.at ? memchr(open, '[', (size_t)(before.end - open)) : NULL;
    if (bracket)
      trace->events = (struct slice){bracket + 1, before.end};
    return false;
  }
  if (slice_is(member.name, "traceEvents"))
    trace->events = trace_inside(member.value);
  else if (slice_is(member.name, "distributedInfo"))
    trace->rank = whole_of(trace_find(member.value, "rank"));
  else if (slice_is(member.name, "baseTimeNanoseconds"))
    trace->shift_ns = whole_of(member.value).value;
  else if (slice_is(member.name, "schema") && slice_is(member.value, "\"gpuprof.roofline\""))
    trace->is_document = true;
  return !trace->is_document;
}

static bool read_trace(struct trace *trace) {
  if (!map_file(trace))
    return false;
  struct slice rest = trace->text;
  while (rest.at < rest.end && isspace((unsigned char)*rest.at))
    rest.at++;
  if (rest.at < rest.end && *rest.at == '[') {
    trace->events = (struct slice){rest.at + 1, rest.end};
    return true;
  }
  rest.at += rest.at < rest.end && *rest.at == '{';
  while (take_member(trace, &rest))
    ;
  if (trace->events.at || trace->is_document)
    return true;
  fail("'%s' has no \"traceEvents\"; give traces that GPUPROF_TRACE named, and documents.", trace->file);
  return false;
}

/* ---- Clocks ---- */

static bool read_documents(struct rank_list *ranks, const struct trace *traces, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    struct document document;
    if (!traces[i].is_document)
      continue;
    if (!document_read(traces[i].file, &document))
      return false;
    rank_list_add(ranks, &document);
    document_free(&document);
  }
  rank_list_sort(ranks);
  clock_offsets_find(ranks);
  return true;
}

static void set_clock(struct trace *trace, const struct rank_list *ranks) {
  for (size_t i = 0; i < ranks->count && trace->rank.known; ++i) {
    const struct rank_facts *facts = &ranks->items[i];
    if (!facts->rank.known || facts->rank.value != trace->rank.value || !facts->clock_offset_ns.known)
      continue;
    trace->offset_ns = facts->clock_offset_ns;
    trace->error_ns = facts->clock_error_ns;
    trace->shift_ns -= facts->clock_offset_ns.value;
    return;
  }
}

/* ---- Events ---- */

static void add_slice(struct text *out, struct slice slice) { text_bytes(out, slice.at, (size_t)(slice.end - slice.at)); }

/* Microseconds with a fraction: too long for a double. */
static void add_time(struct text *out, struct slice value, int64_t shift_ns) {
  int64_t ns = 0, unit = 1000;
  const char *at = value.at;
  bool good = at < value.end;
  for (; at < value.end && isdigit((unsigned char)*at); ++at)
    good &= !__builtin_mul_overflow(ns, 10, &ns) && !__builtin_add_overflow(ns, *at - '0', &ns);
  good &= !__builtin_mul_overflow(ns, 1000, &ns);
  if (at < value.end && *at == '.')
    for (++at; at < value.end && isdigit((unsigned char)*at); ++at) {
      unit /= 10;
      ns += unit * (*at - '0');
    }
  if (!shift_ns || !good || at < value.end || __builtin_add_overflow(ns, shift_ns, &ns) || ns < 0)
    add_slice(out, value);
  else
    text_format(out, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
}

/* A number of its own for each rank; of a text, a beginning. */
static void add_own(struct text *out, struct slice value, const struct trace *trace, size_t index, int64_t factor, int64_t addend) {
  const struct signed_count number = whole_of(value);
  int64_t own;
  if (number.known && !__builtin_mul_overflow(number.value, factor, &own) && !__builtin_add_overflow(own, addend, &own)) {
    text_format(out, "%" PRId64, own);
  } else if (value.at < value.end && *value.at == '"') {
    text_format(out, "\"rank %" PRId64 " ", trace->rank.known ? trace->rank.value : (int64_t)index);
    text_bytes(out, value.at + 1, (size_t)(value.end - value.at - 1));
  } else {
    add_slice(out, value);
  }
}

struct event {
  struct text *out;
  const struct trace *trace;
  size_t index, count; /* of the trace, and of all */
  bool is_of_process; /* its name, or its place among all */
};

typedef void add_value(const struct event *event, const struct trace_member *member);

static void add_members(const struct event *event, struct slice object, add_value *add) {
  struct slice rest = trace_inside(object);
  struct trace_member member;
  text_add(event->out, "{");
  for (bool any = false; trace_next(&rest, &member); any = true) {
    text_add(event->out, any ? ", \"" : "\"");
    add_slice(event->out, member.name);
    text_add(event->out, "\": ");
    add(event, &member);
  }
  text_add(event->out, "}");
}

/* The name of a process, or its place among all. */
static void add_argument(const struct event *event, const struct trace_member *member) {
  add_own(event->out, member->value, event->trace, event->index, 1, (int64_t)event->index * PROCESSES);
}

static void add_member(const struct event *event, const struct trace_member *member) {
  const struct trace *trace = event->trace;
  const int64_t index = (int64_t)event->index;
  if (slice_is(member->name, "pid"))
    add_own(event->out, member->value, trace, event->index, 1, index * PROCESSES);
  else if (slice_is(member->name, "ts"))
    add_time(event->out, member->value, trace->shift_ns);
  else if (slice_is(member->name, "id"))
    add_own(event->out, member->value, trace, event->index, (int64_t)event->count, index);
  else if (slice_is(member->name, "args") && event->is_of_process)
    add_members(event, member->value, add_argument);
  else
    add_slice(event->out, member->value);
}

static bool is_named(struct slice object, const char *name) { return slice_is(trace_find(object, "name"), name); }

/* Returns the number of events. */
static size_t add_events(struct text *out, const struct trace *trace, size_t index, size_t count, bool any) {
  struct slice rest = trace->events;
  struct trace_member item;
  size_t events = 0;
  while (trace_next(&rest, &item)) {
    if (*item.value.at != '{')
      continue;
    const struct event event = {.out = out,
                                .trace = trace,
                                .index = index,
                                .count = count,
                                .is_of_process = is_named(item.value, "\"process_name\"") ||
                                                 is_named(item.value, "\"process_sort_index\"")};
    text_add(out, any || events ? ",\n" : "\n");
    add_members(&event, item.value, add_member);
    text_pass_on(out);
    ++events;
  }
  return events;
}

/* ---- The joined trace ---- */

static void add_ranks(struct text *out, const struct trace *traces, size_t count) {
  const char *between = "";
  text_add(out, "  \"otherData\": {\"ranks\": [");
  for (size_t i = 0; i < count; ++i) {
    const struct trace *trace = &traces[i];
    if (trace->is_document)
      continue;
    text_format(out, "%s\n    {\"rank\": ", between);
    if (trace->rank.known)
      text_format(out, "%" PRId64, trace->rank.value);
    else
      text_add(out, "null");
    if (trace->offset_ns.known)
      text_format(out, ", \"clock_offset_ns\": %" PRId64 ", \"clock_error_ns\": %" PRIu64 "}", trace->offset_ns.value,
                  trace->error_ns.known ? trace->error_ns.value : 0);
    else
      text_add(out, ", \"clock_offset_ns\": null, \"clock_error_ns\": null}");
    between = ",";
  }
  text_add(out, "\n  ]}");
}

static size_t trace_count(const struct trace *traces, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; ++i)
    found += !traces[i].is_document;
  return found;
}

static int write_joined(const struct trace *traces, size_t count, const char *output) {
  struct file_output file;
  struct text out = {.sink = &file.sink};
  const size_t joined = trace_count(traces, count);
  size_t index = 0, events = 0;
  file_open(&file, output);
  text_format(&out, "{\n  \"schemaVersion\": 1,\n  \"displayTimeUnit\": \"ms\",\n  \"distributedInfo\": {\"rank\": 0, \"world_size\": %zu},\n",
              joined);
  add_ranks(&out, traces, count);
  text_add(&out, ",\n  \"traceEvents\": [");
  for (size_t i = 0; i < count; ++i)
    if (!traces[i].is_document)
      events += add_events(&out, &traces[i], index++, joined, events > 0);
  text_add(&out, "\n  ]\n}\n");
  const int code = file_close(&file, &out);
  text_free(&out);
  return code;
}

static int join(struct trace *traces, size_t count, const char *output) {
  struct rank_list ranks = {0};
  int code = EXIT_UNUSABLE;
  if (!trace_count(traces, count)) {
    code = fail("there is no trace among the files; run the program with GPUPROF_TRACE=FILE.");
  } else if (read_documents(&ranks, traces, count)) {
    for (size_t i = 0; i < count; ++i)
      set_clock(&traces[i], &ranks);
    if (!ranks.count)
      note("the clocks of all ranks are taken for one; where they ran on several hosts, name their documents too.");
    code = write_joined(traces, count, output);
  }
  rank_list_free(&ranks);
  return code;
}

int trace_join(const char *const *files, size_t count, const char *output) {
  struct trace *traces = allocate(count * sizeof *traces);
  int code = 0;
  memset(traces, 0, count * sizeof *traces);
  for (size_t i = 0; i < count && !code; ++i) {
    traces[i].file = files[i];
    code = read_trace(&traces[i]) ? 0 : EXIT_UNUSABLE;
  }
  if (!code)
    code = join(traces, count, output);
  for (size_t i = 0; i < count; ++i)
    if (traces[i].text.at)
      munmap((void *)(uintptr_t)traces[i].text.at, (size_t)(traces[i].text.end - traces[i].text.at));
  free(traces);
  return code;
}
