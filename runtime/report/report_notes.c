// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_notes.h"

#include "base/demangle.h"
#include "base/log.h"
#include "report/report_communication.h"
#include "report/report_energy.h"
#include "report/report_occupancy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values unknown to this version: each null below has its reason here. */
static const struct {
  const char *about, *text;
} always_unknown[] = {
    {"executions", "null for a region inside a kernel, which each thread enters by itself; executions of its lines are counted"},
    {"snn", "spikes are null where no '#pragma gpuprof spike' stands, synaptic operations where neither '#pragma gpuprof "
            "synapse' nor a region with the clause synapse stands; possible, skipped and density need inputs(n)"},
    {"context.overhead", "launch_ns and region_ns are of samples: each 16th launch of a thread, 8 of 1,024 executions of a region; "
                         "null without one, and with fewer than 5 regions. host_bytes has the tables that grow with the run, not all "
                         "memory. clones_ns, the GPU time of clones and of copies with counters, is null without CUPTI's "
                         "records. share: of the run's time, of all threads together"},
    {"host_time_ns", "of host regions only; its min, median, p95 and max are null where no execution has ended, and where first "
                     "launches of executions are left out"},
    {"bytes.local",
     "what the optimised code accesses; what ptxas spills to local memory is not in it (occupancy.spill_store_bytes and spill_load_bytes tell)"},
    {"coalescing",
     "null but on the CPU device for kernels compiled with -fplugin-arg-gpuprof-requests=on that access "
     "global memory, and null where copies of a length that is not known take part"},
    {"timeline", "gpu_busy_ns, gpu_idle_ns and gpu_span_ns are null without times of a GPU, as on the CPU device, whose "
                 "device_busy_ns, device_idle_ns and device_span_ns are times of the host"},
};

void gp_report_uncounted(struct gp_json *json, const struct gp_aggregate *aggregate) {
  gp_json_array(json, "uncounted");
  for (size_t i = 0; i < aggregate->uncounted_count; i++) {
    const struct gp_uncounted *u = &aggregate->uncounted[i];
    char where[1024] = "";
    if (u->file)
      snprintf(where, sizeof where, "%s:%u", u->file, u->line);
    char *function = strncmp(u->what, "_Z", 2) ? NULL : gp_demangle(u->what);
    gp_json_object(json, NULL);
    gp_json_text(json, "what", function ? function : u->what);
    free(function);
    gp_json_text(json, "where", u->path ? u->path : where);
    gp_json_text(json, "why", u->why);
    if (u->launches)
      gp_json_unsigned(json, "launches", u->launches);
    else
      gp_json_null(json, "launches");
    gp_json_close_object(json);
  }
  gp_json_close_array(json);
}

static void begin_note(struct gp_json *json, const char *about, const char *text) {
  gp_json_object(json, NULL);
  gp_json_text(json, "about", about);
  gp_json_text(json, "text", text);
}

static void write_note(struct gp_json *json, const char *about, const char *text) {
  begin_note(json, about, text);
  gp_json_close_object(json);
}

/* A note about gpuprof, not about this run: no action of a reader changes it. */
static void write_standing_note(struct gp_json *json, const char *about, const char *text) {
  begin_note(json, about, text);
  gp_json_boolean(json, "standing", 1);
  gp_json_close_object(json);
}

/* A region has a note only for its own launches: enclosed regions have notes of their own. */
static int has_uncounted_child(const struct gp_row *row) {
  for (const struct gp_row *child = row->children; child; child = child->next)
    if (!child->in_kernel && child->uncounted_launches)
      return 1;
  return 0;
}

static void write_notes_on_launches(struct gp_json *json, const struct gp_row *parent) {
  for (const struct gp_row *row = parent->children; row; row = row->next) {
    if (row->in_kernel && !row->mangled)
      continue;
    write_notes_on_launches(json, row);
    if (!row->shown || !row->uncounted_launches || has_uncounted_child(row))
      continue;
    char text[256];
    if (gp_row_is_counted(row))
      snprintf(text, sizeof text,
               "%llu of its %llu launches are not counted: its counts are those of the others, and it has no place on the roofline; "
               "'uncounted' has the reasons and what to do",
               (unsigned long long)row->uncounted_launches, (unsigned long long)row->launches);
    else
      snprintf(text, sizeof text,
               "its counts are null: none of its launches is counted (%llu); 'uncounted' has the reasons and what to do",
               (unsigned long long)row->uncounted_launches);
    write_note(json, row->path, text);
  }
}

static void write_communication_note(struct gp_json *json) {
  char text[512];
  if (gp_communication_note(text, sizeof text))
    write_note(json, "communication.bytes", text);
}

static int leaves_out(const struct gp_row *row) {
  if (row->left_out_executions || row->left_out_launches)
    return 1;
  for (const struct gp_row *child = row->children; child; child = child->next)
    if (leaves_out(child))
      return 1;
  return 0;
}

static void write_warmup_note(struct gp_json *json, uint64_t warmup, const struct gp_row *regions) {
  char text[512];
  const unsigned long long n = (unsigned long long)warmup, launches = (unsigned long long)regions->left_out_launches;
  if (leaves_out(regions))
    snprintf(text, sizeof text,
             "GPUPROF_WARMUP=%llu: %llu launches are left out, the first %llu executions of each region that ran more often, or "
             "else the first %llu launches of a kernel; left_out says how many in each row. The work of regions around them is "
             "without these launches, and time_ns.min, median, p95 and max of such regions are null",
             n, launches, n, n);
  else
    snprintf(text, sizeof text, "GPUPROF_WARMUP=%llu: nothing is left out, since nothing ran more than %llu times", n, n);
  write_note(json, "left_out", text);
}

void gp_report_notes(struct gp_json *json, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate,
                     const char *ratio_unknown) {
  gp_json_array(json, "notes");
  const struct gp_message *message;
  for (size_t i = 0; (message = gp_log_message(i)); i++)
    write_note(json, message->about, message->text);
  write_notes_on_launches(json, &aggregate->regions);
  write_notes_on_launches(json, &aggregate->kernels);
  write_communication_note(json);
  if (gp_log_lost())
    write_note(json, "notes", "more messages than fit were lost");
  if (facts->warmup)
    write_warmup_note(json, facts->warmup, &aggregate->regions);
  write_standing_note(json, "context.overhead.kernels_ratio",
                      ratio_unknown ? ratio_unknown : "not measured, but so: every kernel ran the machine code that clang makes without gpuprof");
  for (size_t i = 0; i < sizeof always_unknown / sizeof *always_unknown; i++)
    write_standing_note(json, always_unknown[i].about, always_unknown[i].text);
  write_standing_note(json, "energy_joules", gp_energy_note());
  write_standing_note(json, "occupancy", gp_occupancy_note(facts->device, facts->chip));
  gp_json_close_array(json);
}
