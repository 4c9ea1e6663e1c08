// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_host.h"

#include "base/ticks.h"
#include "core/host_waits.h"

#include <stdlib.h>

struct summary {
  uint64_t minimum, median, p95, maximum;
  int known;
};

/* Of a single execution without the work of looking for quantiles: most rows of large documents. */
static struct summary of_one(const struct gp_distribution *d) { return (struct summary){d->total, d->total, d->total, d->total, 1}; }

static struct summary of_parts(const struct gp_distribution *const *list, size_t count) {
  static const double wanted[] = {0.5, 0.95};
  struct summary s = {.minimum = UINT64_MAX, .known = 1};
  uint64_t quantiles[2];
  for (size_t i = 0; i < count; i++) {
    s.minimum = list[i]->minimum < s.minimum ? list[i]->minimum : s.minimum;
    s.maximum = list[i]->maximum > s.maximum ? list[i]->maximum : s.maximum;
    s.known &= list[i]->kept > 0;
  }
  gp_distributions_quantiles(list, count, wanted, quantiles, 2);
  s.median = quantiles[0];
  s.p95 = quantiles[1];
  return s;
}

static struct summary summarize(const struct gp_host_part *parts) {
  size_t count = 0;
  struct summary s = {.known = 0};
  for (const struct gp_host_part *part = parts; part; part = part->next)
    count++;
  if (count == 1 && parts->times.count == 1)
    return of_one(&parts->times);
  const struct gp_distribution **list = count ? malloc(count * sizeof *list) : NULL;
  for (size_t i = 0; list && i < count; i++, parts = parts->next)
    list[i] = &parts->times;
  if (list)
    s = of_parts(list, count);
  free(list);
  return s;
}

static void number_or_null(struct gp_json *json, const char *key, uint64_t value, int known) {
  if (known)
    gp_json_unsigned(json, key, value);
  else
    gp_json_null(json, key);
}

/* Left out if equal to `inclusive`: of most rows it is. */
static void unless_inclusive(struct gp_json *json, const char *key, const struct gp_host_row *host, uint64_t value, int known) {
  if (host->known && (!known || value != host->inclusive))
    number_or_null(json, key, value, known);
}

void gp_report_host_time(struct gp_json *json, const struct gp_row *row) {
  const struct gp_host_row *host = &row->host;
  struct summary s = summarize(host->parts);
  s.known &= !row->partial;
  gp_json_object(json, "host_time_ns");
  number_or_null(json, "inclusive", host->inclusive, host->known);
  unless_inclusive(json, "exclusive", host, host->exclusive, 1);
  number_or_null(json, "waiting", host->waiting, host->known);
  unless_inclusive(json, "min", host, s.minimum, s.known);
  unless_inclusive(json, "median", host, s.median, s.known);
  unless_inclusive(json, "p95", host, s.p95, s.known);
  unless_inclusive(json, "max", host, s.maximum, s.known);
  gp_json_close_object(json);
}

void gp_report_host(struct gp_json *json, const struct gp_aggregate *aggregate) {
  const struct gp_host_wait_sums waits = gp_host_waits();
  gp_json_object(json, "host");
  gp_json_unsigned(json, "threads", aggregate->host_threads);
  gp_json_unsigned(json, "regions_ns", aggregate->regions_ns);
  gp_json_unsigned(json, "waiting_ns", waits.ns);
  gp_json_unsigned(json, "waits", waits.calls);
  gp_json_text(json, "clock", gp_ticks_source());
  gp_json_close_object(json);
}
