// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_hardware.h"

#include "base/device.h"
#include "base/log.h"
#include "base/state.h"
#include "report/hardware_check.h"
#include "report/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* True if every launch of the row was measured. */
static int is_known(const struct gp_row *row) {
  return (!row->in_kernel || row->whole_kernel) && row->launches && gp_row_hardware(row)->launches == row->launches;
}

double gp_hardware_value(const struct gp_row *row, enum gp_hardware counter) {
  const struct gp_hardware_plan *plan = gp_hardware_plan();
  return plan && plan->place[counter] >= 0 && is_known(row) ? gp_row_hardware(row)->value[plan->place[counter]] : GP_UNKNOWN;
}

double gp_hardware_dram(const struct gp_row *row) {
  double read = gp_hardware_value(row, GP_HARDWARE_dram_read),
         write = gp_hardware_value(row, GP_HARDWARE_dram_write);
  return read < 0 || write < 0 ? GP_UNKNOWN : read + write;
}

double gp_hardware_occupancy(const struct gp_row *row, const struct gp_sm_limits *sm) {
  const double warps = gp_hardware_value(row, GP_HARDWARE_warps_active), cycles = gp_hardware_value(row, GP_HARDWARE_sm_cycles_active);
  return sm && warps >= 0 && cycles > 0 ? warps / cycles / (sm->threads / GP_WARP_LANES) : GP_UNKNOWN;
}

/* Counters are integers, though delivered as doubles. */
static void write_value(struct gp_json *json, const char *key, double value) {
  if (value < 0)
    gp_json_null(json, key);
  else if (value < 9e15 && value == floor(value))
    gp_json_unsigned(json, key, (uint64_t)value);
  else
    gp_json_real(json, key, value);
}

static void write_difference(struct gp_json *json, const char *key, double measured, double least,
                             double most) {
  double percent = gp_hardware_difference(measured, least, most);
  if (percent == GP_NO_DIFFERENCE)
    gp_json_null(json, key);
  else
    gp_json_real(json, key, percent);
}

/* Sums add up over launches; for a ratio the mean is the best summary. */
static double value_of(const struct gp_hardware_plan *plan, const struct gp_row *row, size_t i) {
  const char *rollup = strrchr(plan->counters[i].metrics, '.');
  double value = gp_row_hardware(row)->value[i];
  return value < 0 || !rollup || !strcmp(rollup, ".sum") ? value : value / (double)gp_row_hardware(row)->launches;
}

static void write_bytes(struct gp_json *json, const char *key, double bytes) {
  if (bytes < 0)
    gp_json_null(json, key);
  else
    gp_json_unsigned(json, key, (uint64_t)bytes);
}

void gp_report_moved_bytes(struct gp_json *json, const struct gp_row *row) {
  write_bytes(json, "l1", gp_hardware_value(row, GP_HARDWARE_l1));
  write_bytes(json, "l2", gp_hardware_value(row, GP_HARDWARE_l2));
  write_bytes(json, "dram", gp_hardware_dram(row));
}

enum part { COUNTERS, COUNTED, EXPECTED, EXPECTED_LEAST, DIFFERENCE, UNEXPLAINED };

static void narrow_slow(const struct gp_row *row, enum gp_hardware counter, struct gp_hardware_view *view) {
  const int is_double = counter == GP_HARDWARE_fp64_flops;
  gp_hardware_narrow_slow(&row->totals, counter, gp_hardware_value(row, is_double ? GP_HARDWARE_fp64_add : GP_HARDWARE_fp32_add),
                          gp_hardware_value(row, is_double ? GP_HARDWARE_fp64_mul : GP_HARDWARE_fp32_mul), view);
}

static struct gp_hardware_view view_of(const struct gp_hardware_plan *plan, const struct gp_row *row,
                                       size_t i) {
  struct gp_hardware_view view = {GP_UNKNOWN, GP_UNKNOWN, GP_UNKNOWN};
  if (plan->check) {
    view = gp_hardware_view(&row->totals, (enum gp_hardware)i);
    gp_hardware_narrow_loops(&row->totals, gp_hardware_value(row, GP_HARDWARE_shared_atomic),
                             (enum gp_hardware)i, &view);
    narrow_slow(row, (enum gp_hardware)i, &view);
  }
  if (view.counted >= 0)
    gp_hardware_narrow(&view, &row->totals, (enum gp_hardware)i, gp_row_hardware(row));
  return view;
}

static void write_counter(struct gp_json *json, enum part part, const char *key, double measured,
                          const struct gp_hardware_view *view) {
  switch (part) {
  case COUNTERS:
    return write_value(json, key, measured);
  case COUNTED:
    return write_value(json, key, view->counted);
  case EXPECTED:
    return write_value(json, key, view->most);
  case EXPECTED_LEAST:
    return write_value(json, key, view->least);
  case DIFFERENCE:
    return write_difference(json, key, measured, view->counted, view->counted);
  case UNEXPLAINED:
    return write_difference(json, key, measured, view->least, view->most);
  }
}

static void write_part(struct gp_json *json, const char *key, enum part part, const struct gp_row *row) {
  const struct gp_hardware_plan *plan = gp_hardware_plan();
  gp_json_object(json, key);
  for (size_t i = 0; plan && is_known(row) && i < plan->count; i++) {
    const struct gp_hardware_view view = view_of(plan, row, i);
    if (part == COUNTERS || (view.counted >= 0 && (part != EXPECTED_LEAST || view.least < view.most)))
      write_counter(json, part, plan->counters[i].key, value_of(plan, row, i), &view);
  }
  gp_json_close_object(json);
}

/* Counts of the kernel's lane-comparing twins; empty unless they counted every launch. */
static void write_distinct(struct gp_json *json, const struct gp_row *row) {
  const struct gp_warp_bytes *warps = &gp_row_hardware(row)->warps;
  static const char *const keys[] = {
#define GPUPROF_WARP_CLASS(identifier) #identifier,
      GPUPROF_WARP_CLASSES
#undef GPUPROF_WARP_CLASS
  };
  const int known = (!row->in_kernel || row->whole_kernel) && row->launches && warps->launches == row->launches;
  gp_json_object(json, "distinct");
  for (size_t i = 0; known && i < GPUPROF_WARP_CLASS_COUNT; i++)
    gp_json_unsigned(json, keys[i], warps->distinct[i]);
  gp_json_close_object(json);
}

void gp_report_hardware(struct gp_json *json, const struct gp_row *row) {
  gp_json_object(json, "hardware");
  gp_json_unsigned(json, "launches", gp_row_hardware(row)->launches);
  write_part(json, "counters", COUNTERS, row);
  write_part(json, "counted", COUNTED, row);
  write_part(json, "expected", EXPECTED, row);
  write_part(json, "expected_least", EXPECTED_LEAST, row);
  write_distinct(json, row);
  write_part(json, "difference_percent", DIFFERENCE, row);
  write_part(json, "unexplained_percent", UNEXPLAINED, row);
  gp_json_close_object(json);
}

/* ---- Values known as a range only ---- */

/* The line with most of such bytes; null if lines are unknown. */
static const struct gp_line *vaguest_line(const struct gp_row *row) {
  const struct gp_line *most = NULL;
  for (size_t i = 0; i < row->line_count; i++)
    if (row->lines[i].vague_bytes && row->lines[i].line && (!most || row->lines[i].vague_bytes > most->vague_bytes))
      most = &row->lines[i];
  return most;
}

static void remark_range(const struct gp_row *row, const char *counter, const struct gp_hardware_view *view) {
  char where[512] = "";
  const struct gp_line *line = vaguest_line(row);
  if (line)
    snprintf(where, sizeof where, " (most of them at %s:%u)", line->file, line->line);
  gp_remark(row->name,
            "%s is expected within %.0f and %.0f bytes of %.0f that lanes ask for%s, since which lanes of a warp share "
            "them is not known at compile time; compile with -fplugin-arg-gpuprof-check=on to have them counted",
            counter, view->least, view->most, view->counted, where);
}

/* Smaller ranges do not matter. */
#define VAGUE_SHARE 0.005

static void remark_ranges(const struct gp_hardware_plan *plan, const struct gp_row *row) {
  struct gp_lane_range range;
  for (size_t i = 0; i < plan->count; i++) {
    const struct gp_hardware_view view = view_of(plan, row, i);
    const enum gp_cost bytes = gp_hardware_shared_by_lanes((enum gp_hardware)i);
    if (bytes != GP_COST_COUNT && gp_row_hardware(row)->warps.launches != gp_row_hardware(row)->launches &&
        !gp_lane_range(&row->totals, bytes, &gp_row_hardware(row)->shares, &range) &&
        range.most - range.least > VAGUE_SHARE * view.counted)
      remark_range(row, plan->counters[i].key, &view);
  }
}

static int some_unknown(const struct gp_row *parent) {
  for (const struct gp_row *row = parent->children; row; row = row->next)
    if (!is_known(row))
      return 1;
  return 0;
}

void gp_report_hardware_remark(const struct gp_aggregate *aggregate) {
  const struct gp_hardware_plan *plan = gp_hardware_plan();
  if (plan && gp_device_is_in_use() && !gp_device()->measure)
    gp_remark("hardware, bytes.l1, bytes.l2, bytes.dram",
              "null: the CPU device has no hardware counters; run the program on a GPU to read them");
  else if (!plan)
    gp_remark("hardware, bytes.l1, bytes.l2, bytes.dram",
              "null: hardware counters were not asked for; set GPUPROF_HARDWARE=bytes to read them on a GPU");
  else if (plan->place[GP_HARDWARE_l1] < 0)
    gp_remark("bytes.l1, bytes.l2, bytes.dram", "null: only the metrics that GPUPROF_HARDWARE names were read; "
                                                "GPUPROF_HARDWARE=bytes reads these");
  else if (some_unknown(&aggregate->kernels))
    gp_remark("hardware, bytes.l1, bytes.l2, bytes.dram", "null where not all launches of a kernel could be measured");
  for (const struct gp_row *row = aggregate->kernels.children; plan && plan->check && row; row = row->next)
    if (is_known(row))
      remark_ranges(plan, row);
}
