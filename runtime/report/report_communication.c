// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_communication.h"

#include "core/communication.h"

static void write_numbers(struct gp_json *json, const struct gp_communication_function *numbers) {
  gp_json_unsigned(json, "calls", numbers->calls);
  if (numbers->has_bytes)
    gp_json_unsigned(json, "bytes", numbers->bytes);
  else
    gp_json_null(json, "bytes");
  gp_json_unsigned(json, "time_ns", numbers->ns);
}

static struct gp_communication_function sum_of(const struct gp_communication *c) {
  struct gp_communication_function sum = {.has_bytes = 1};
  for (size_t i = 0; i < c->function_count; i++) {
    sum.calls += c->functions[i].calls;
    sum.bytes += c->functions[i].bytes;
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
