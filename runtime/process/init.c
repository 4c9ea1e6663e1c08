// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpuprof.h"

#include "base/clock.h"
#include "base/device.h"
#include "base/exported.h"
#include "base/locks.h"
#include "base/process_calls.h"
#include "base/settings.h"
#include "base/state.h"
#include "base/ticks.h"
#include "clones/addresses.h"
#include "clones/clones.h"
#include "core/communication.h"
#include "core/gate.h"
#include "core/host_waits.h"
#include "core/kernels.h"
#include "core/memory_writes.h"
#include "core/ranges.h"
#include "core/regions.h"
#include "core/uncounted.h"
#include "cpu/stub_driver.h"
#include "cuda/cupti.h"
#include "cuda/graph_launches.h"
#include "cuda/nvtx.h"
#include "launch/launch_hook.h"
#include "launch/repeats.h"
#include "memory/usage.h"
#include "process/ends.h"
#include "process/journal.h"
#include "process/select.h"
#include "report/output.h"
#include "report/report.h"
#include "sheet/modules.h"
#include "timeline/timeline.h"
#include "timeline/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_once_t started = PTHREAD_ONCE_INIT;

/* ---- Forks: a child counts for itself, from nothing. It is switched off where its parent's kernels ran on a GPU, since CUDA
 * does not survive a fork. It is also switched off where a thread of the parent was just counting: its copies are not
 * whole. ---- */

/* Null if the child can count. */
static const char *reason_against(int whole, unsigned launching) {
  if (!gp_launches_begun())
    return NULL;
  if (!gp_device()->works_in_children)
    return "it was forked from one that had launched kernels, and CUDA does not work in it; start it by spawn instead of fork";
  if (!whole || launching)
    return "it was forked while another thread launched a kernel or wrote the report; fork before, or start it by spawn";
  return NULL;
}

static void begin_anew(void) {
  gp_regions_begin_anew();
  gp_host_waits_begin_anew();
  gp_kernels_begin_anew();
  gp_launches_begin_anew();
  gp_graph_launches_begin_anew();
  gp_memory_writes_begin_anew();
  gp_uncounted_reset();
  gp_timeline_begin_anew();
}

static void before_fork(void) {
  gp_usage_before_fork();
  gp_locks_before_fork();
}

static void after_fork_in_child(void) {
  const int whole = gp_locks_in_child();
  const char *why = reason_against(whole, gp_gate_in_child());
  const int has_counted = gp_launches_begun() || gp_context_root()->children;
  gp_kernels_in_child();
  gp_output_in_child(has_counted);
  gp_communication_in_child();
  gp_usage_in_child();
  gp_launches_are_off(why);
  if (why)
    atomic_store(&gp_current_state, GP_OFF);
  else if (gp_state() != GP_OFF)
    begin_anew();
  gp_take_changes();
  gp_journal_in_child();
  gp_clock_start();
  gp_ticks_start();
  gp_trace_in_child();
}

static void start(void) {
  gp_clock_start();
  gp_ticks_start();
  pthread_atfork(before_fork, gp_locks_in_parent, after_fork_in_child);
  int unset = GP_UNSET;
  atomic_compare_exchange_strong(&gp_current_state, &unset, gp_settings()->enable ? GP_ON : GP_OFF);
  gp_timeline_start();
  atomic_store(&gp_ranges_traced, gp_trace_is_on());
}

static enum gp_state first_state(void) {
  pthread_once(&started, start);
  return (enum gp_state)atomic_load(&gp_current_state);
}

/* ---- The end of the program. exit() runs handlers newest first, and the device's own handlers make its
 * memory unreadable. gpuprof's handler is therefore registered anew when the device is in use. Later work
 * (static destructors launching kernels) is written once more when the modules go. ---- */

static void write_changes(const char *how) {
  const struct gp_report_cause cause = {.occasion = GP_AT_THE_END, .how = how};
  if (gp_state() != GP_OFF && gp_take_changes() && !gp_report_write(&cause))
    gp_output_tell();
}

static void end_by(const char *how) {
  gp_end_begins();
  if (gp_journal_stop())
    gp_changes_remain();
  write_changes(how);
  gp_cupti_tell_others();
  gp_trace_finish();
}

static void at_end(void) { end_by("exit"); }
static void at_quick_end(void) { end_by("quick_exit"); }

GP_EXPORT void gpuprof_finish(void) { end_by("_exit"); }

static void ask_for_end(void) {
  atexit(at_end);
  at_quick_exit(at_quick_end);
}

/* ---- Unregistration of modules and units ---- */

static void something_leaves(void) {
  if (gp_ended())
    write_changes("exit");
}

static void module_leaves(const struct gp_module *module) {
  if (gp_state() == GP_OFF)
    return;
  gp_addresses_find_all();
  something_leaves();
  for (const struct gp_function *f = module->functions; f; f = f->next)
    gp_kernels_forget_function(f->host);
}

static void unit_leaves(const struct gp_unit *unit) {
  if (gp_state() == GP_OFF)
    return;
  gp_addresses_find_all();
  something_leaves();
  if (!gp_ended())
    gp_clones_unit_leaves();
  gp_kernels_forget_unit(unit);
}

/* ---- Calls of the lower layers ---- */

static void push_range(struct gpuprof_region_site *site, const char *name, uint32_t color, const char *category,
                       uint64_t execution) {
  if (gp_ranges_heard())
    gp_nvtx_push(site, name, color, category, execution);
  if (gp_trace_is_on())
    gp_trace_region_begins(name, execution);
}

static void pop_range(void) {
  if (gp_ranges_heard())
    gp_nvtx_pop();
  if (gp_trace_is_on())
    gp_trace_region_ends();
}

static void push_launch_range(struct gpuprof_region_site *site, const char *name, uint64_t launch) {
  if (gp_ranges_heard())
    gp_nvtx_push(site, name, 0, "kernel", launch);
}

static void pop_launch_range(void) {
  if (gp_ranges_heard())
    gp_nvtx_pop();
}

static void prepare_output(void) { gp_output_prepare(); }

static void settle_launches(void) {
  gp_repeats_settle();
  gp_graph_launches_settle();
}

const struct gp_process_calls gp_process_calls = {
    .first_state = first_state,
    .choose_device = gp_select_device,
    .before_registration = gp_stub_driver_open,
    .before_launch = gp_journal_begin,
    .before_counted_launch = prepare_output,
    .report_changes = prepare_output,
    .ask_for_end = ask_for_end,
    .settle_launches = settle_launches,
    .module_leaves = module_leaves,
    .unit_leaves = unit_leaves,
    .range_push = push_range,
    .range_pop = pop_range,
    .launch_range_push = push_launch_range,
    .launch_range_pop = pop_launch_range,
};

__attribute__((destructor)) static void library_ends(void) {
  at_end();
  gp_ends_unwatch();
}
