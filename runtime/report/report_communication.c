// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_communication.h"

#include "core/communication.h"

#include <stdio.h>

static void write_numbers(struct gp_json *json, const struct gp_communication_function *numbers) {
  gp_json_unsigned(json, "calls", numbers->calls);
  if (numbers->has_bytes)
    gp_json_unsigned(json, "bytes", numbers->bytes);
  else
    gp_json_null(json, "bytes");
  if (numbers->unknown)
    gp_json_unsigned(json, "unknown_size_calls", numbers->unknown);
  gp_json_unsigned(json, "time_ns", numbers->ns);
}

static struct gp_communication_function sum_of(const struct gp_communication *c) {
  struct gp_communication_function sum = {.has_bytes = 1};
  for (size_t i = 0; i < c->function_count; i++) {
    sum.calls += c->functions[i].calls;
    sum.bytes += c->functions[i].bytes;
    sum.unknown += c->functions[i].unknown;
    sum.ns += c->functions[i].ns;
  }
  return sum;
}

static void write_functions(struct gp_json *json, const struct gp_communication *c) {
  gp_json_array(json, "functions");
  for (size_t i = 0; i < c->function_count; i++) {
    gp_json_object(json, NULL);
    gp_json_text(json, "name", c->functions[i].name);
    write_numbers(json, &c->functions[i]);
    gp_json_close_object(json);
  }
  gp_json_close_array(json);
}

static void write_ends(struct gp_json *json, const struct gp_communication *c) {
  gp_json_object(json, "common_ends");
  gp_json_unsigned(json, "stride", c->stride);
  gp_json_array(json, "realtime_ns");
  for (size_t i = 0; i < c->end_count; i++)
    gp_json_unsigned(json, NULL, c->ends[i]);
  gp_json_close_array(json);
  gp_json_close_object(json);
}

/* Members of a list: "MPI_Start, MPI_Alltoallw". */
static void name_unknown(char *names, size_t size, const struct gp_communication *c) {
  size_t length = 0;
  for (size_t i = 0; i < c->function_count && length < size; i++)
    if (c->functions[i].unknown)
      length += (size_t)snprintf(names + length, size - length, "%s%s", length ? ", " : "", c->functions[i].name);
}

int gp_communication_note(char *text, size_t size) {
  struct gp_communication c;
  char names[256] = "";
  gp_communication_read(&c);
  const struct gp_communication_function sum = sum_of(&c);
  if (!sum.unknown)
    return 0;
  name_unknown(names, sizeof names, &c);
  snprintf(text, size, "at least: %llu of %llu calls moved data without saying how much (%s); unknown_size_calls counts them",
           (unsigned long long)sum.unknown, (unsigned long long)sum.calls, names);
  return 1;
}

void gp_report_communication(struct gp_json *json, uint64_t duration_ns) {
  struct gp_communication c;
  gp_communication_read(&c);
  if (!c.function_count)
    return;
  const struct gp_communication_function sum = sum_of(&c);
  gp_json_object(json, "communication");
  write_numbers(json, &sum);
  if (duration_ns)
    gp_json_rounded(json, "share", (double)sum.ns / (double)duration_ns);
  else
    gp_json_null(json, "share");
  gp_json_compact(json, 1);
  write_functions(json, &c);
  write_ends(json, &c);
  gp_json_compact(json, 0);
  gp_json_close_object(json);
}
