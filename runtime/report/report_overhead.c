// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_overhead.h"

#include "base/log.h"
#include "base/own_cost.h"
#include "base/ticks.h"
#include "core/kernels.h"
#include "launch/launch_hook.h"
#include "timeline/timeline.h"

static void quantile(struct gp_json *json, const char *key, uint64_t value, int known) {
  if (known)
    gp_json_unsigned(json, key, value);
  else
    gp_json_null(json, key);
}

/* A median of fewer regions is none: the first ones of a program are slow. */
#define FEWEST_REGIONS 5u

/* Samples are in ticks. */
static struct gp_own_quantiles quantiles_ns(enum gp_own_cost which) {
  struct gp_own_quantiles q = gp_own_cost_quantiles(which);
  const double tick_ns = gp_ticks_ns();
  q.median = (uint64_t)((double)q.median * tick_ns);
  q.p95 = (uint64_t)((double)q.p95 * tick_ns);
  q.maximum = (uint64_t)((double)q.maximum * tick_ns);
  return q;
}

static void write_quantiles(struct gp_json *json, const char *key, uint64_t count, const struct gp_own_quantiles *q, int known) {
  gp_json_object(json, key);
  gp_json_unsigned(json, "count", count);
  gp_json_unsigned(json, "samples", q->samples);
  quantile(json, "median", q->median, known);
  quantile(json, "p95", q->p95, known);
  quantile(json, "max", q->maximum, known);
  gp_json_close_object(json);
}

/* Structures that many programs have many of, and those counted where they are made. */
static uint64_t host_bytes(void) {
  return gp_own_memory(GP_OWN_HOST) + gp_records_count() * (sizeof(struct gp_record) + sizeof(struct gp_hardware_sum));
}

/* Share of the program's own GPU time from which a note says how to have less. */
#define CLONES_SHARE 0.05

static void write_clones(struct gp_json *json) {
  uint64_t own, busy;
  const int known = gp_timeline_own_ns(&own, &busy);
  quantile(json, "clones_ns", own, known);
  if (known && busy && (double)own > CLONES_SHARE * (double)busy)
    gp_remark("context.overhead",
              "clones and copies of counters took %.0f %% as long as the program's work on the GPU; GPUPROF_SAMPLE=N counts each N-th "
              "launch, and gpuprof run --exact takes the times from a run of its own",
              100 * (double)own / (double)busy);
}

void gp_report_overhead(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate) {
  const struct gp_own_quantiles launch = quantiles_ns(GP_OWN_LAUNCH), region = quantiles_ns(GP_OWN_REGION);
  const int regions_known = region.samples >= FEWEST_REGIONS;
  const uint64_t regions_ns = regions_known ? region.median * aggregate->executions : 0;
  const double own_ns = (double)facts->launches_ns + (double)regions_ns;
  write_quantiles(json, "launch_ns", gp_launches_hooked(), &launch, launch.samples > 0);
  write_quantiles(json, "region_ns", aggregate->executions, &region, regions_known);
  quantile(json, "regions_ns", regions_ns, regions_known);
  gp_json_unsigned(json, "threads_ns", gp_own_threads_ns());
  gp_json_unsigned(json, "host_bytes", host_bytes());
  gp_json_unsigned(json, "device_bytes", gp_own_memory(GP_OWN_DEVICE));
  write_clones(json);
  if (facts->duration_ns)
    gp_json_rounded(json, "share", own_ns / (double)facts->duration_ns);
  else
    gp_json_null(json, "share");
}
