// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_energy.h"

#include "base/log.h"
#include "launch/energy_sampler.h"

#include <stdio.h>

/* Long enough that the error of the first and the last update is small. */
static int is_known(const struct gp_energy *energy) {
  return energy->seconds >= GP_ENERGY_SECONDS && energy->windows >= GP_ENERGY_WINDOWS;
}

static void write_real(struct gp_json *json, const char *key, double value, int known) {
  if (known)
    gp_json_rounded(json, key, value);
  else
    gp_json_null(json, key);
}

void gp_report_row_energy(struct gp_json *json, const struct gp_row *row) {
  const int known = !row->in_kernel && is_known(&row->energy);
  write_real(json, "energy_joules", row->energy.joules, known);
  write_real(json, "energy_seconds", row->energy.seconds, known);
}

static double watts(const struct gp_energy *energy) { return energy->seconds > 0 ? energy->joules / energy->seconds : 0; }

void gp_report_energy(struct gp_json *json) {
  const struct gp_energy_totals totals = gp_energy_totals();
  const int known = is_known(&totals.run), idle_known = is_known(&totals.idle);
  gp_json_object(json, "energy");
  gp_json_text(json, "source", known ? "nvml" : NULL);
  write_real(json, "joules", totals.run.joules, known);
  write_real(json, "seconds", totals.run.seconds, known);
  write_real(json, "mean_watts", watts(&totals.run), known);
  write_real(json, "idle_watts", watts(&totals.idle), idle_known);
  write_real(json, "idle_seconds", totals.idle.seconds, idle_known);
  gp_json_unsigned(json, "updates", totals.run.windows);
  gp_json_close_object(json);
}

void gp_report_energy_remark(void) {
  const struct gp_energy_totals totals = gp_energy_totals();
  if (totals.problem)
    gp_remark("energy", "null: %s", totals.problem);
  else if (totals.wanted && !is_known(&totals.run))
    gp_remark("energy", "null: at least %g s and %u updates of the energy counter are needed; the run had %.2f s and %llu",
              GP_ENERGY_SECONDS, GP_ENERGY_WINDOWS, totals.run.seconds, (unsigned long long)totals.run.windows);
  if (totals.other_processes)
    gp_remark("energy", "%u other process%s seen on the GPU: the counter is the whole board's, and includes their energy",
              totals.other_processes, totals.other_processes == 1 ? " was" : "es were");
  if (totals.dropped)
    gp_remark("energy", "%llu intervals are left out, since the counter went back in them", (unsigned long long)totals.dropped);
  if (totals.contexts_missed)
    gp_remark("energy_joules", "null for regions beyond the first 4096 paths");
}

const char *gp_energy_note(void) {
  static char text[256]; /* guarded by the lock of documents */
  if (!gp_energy_totals().wanted)
    return "not measured; set GPUPROF_ENERGY=1 on a GPU";
  snprintf(text, sizeof text,
           "of the whole board while the region was open on the host, idle power included; null for kernels, and for regions open for "
           "less than %g s or %u updates of the counter", GP_ENERGY_SECONDS, GP_ENERGY_WINDOWS);
  return text;
}
