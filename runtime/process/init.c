// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/addresses.h"
#include "clones/clones.h"
#include "core/clock.h"
#include "core/device.h"
#include "core/gate.h"
#include "core/kernels.h"
#include "core/launch_hook.h"
#include "core/locks.h"
#include "core/settings.h"
#include "core/state.h"
#include "process/ends.h"
#include "process/journal.h"
#include "report/output.h"
#include "report/report.h"
#include "sheet/modules.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

_Atomic int gp_current_state;

static pthread_once_t started = PTHREAD_ONCE_INIT;
static _Atomic int changed; /* since the report was written last */
static _Atomic int ended;   /* the report was written because the program ends */
static _Atomic int device_in_use;

/* ---- Forks: a child of a process that was already counted has dead threads, and counts that are not its own. It is
 * switched off and writes nothing. A child of a process that did nothing yet is as good as a new process. ---- */

static void after_fork_in_child(void) {
  gp_locks_in_child();
  gp_kernels_in_child();
  gp_output_in_child();
  if (gp_launches_begun() || gp_context_root()->children)
    atomic_store(&gp_current_state, GP_OFF);
  atomic_store(&changed, 0);
  gp_gate_in_child();
  gp_journal_in_child();
  gp_clock_start();
}

static void start(void) {
  gp_clock_start();
  pthread_atfork(gp_locks_before_fork, gp_locks_in_parent, after_fork_in_child);
  int unset = GP_UNSET;
  atomic_compare_exchange_strong(&gp_current_state, &unset, gp_settings()->enable ? GP_ON : GP_OFF);
}

enum gp_state gp_first_state(void) {
  pthread_once(&started, start);
  return (enum gp_state)atomic_load(&gp_current_state);
}

/* ---- The end of the program. exit() runs handlers newest first, and the device's own handlers make its memory
 * unreadable: so ours is registered anew when the device is in use. What comes after the handlers (static destructors
 * that launch kernels) is written once more when the modules go. ---- */

static void write_changes(const char *how) {
  const struct gp_report_cause cause = {.occasion = GP_AT_THE_END, .how = how};
  if (gp_state() != GP_OFF && gp_take_changes() && !gp_report_write(&cause))
    gp_output_tell();
}

static void end_by(const char *how) {
  atomic_store(&ended, 1);
  if (gp_journal_stop())
    atomic_store(&changed, 1);
  write_changes(how);
}

static void at_end(void) { end_by("exit"); }
static void at_quick_end(void) { end_by("quick_exit"); }

int gp_ended(void) { return atomic_load(&ended); }

static void ask_for_end(void) {
  atexit(at_end);
  at_quick_exit(at_quick_end);
}

int gp_take_changes(void) { return atomic_exchange(&changed, 0); }

void gp_report_changed(void) {
  gp_output_prepare();
  gp_report_needed();
}

void gp_report_needed(void) {
  static pthread_once_t asked = PTHREAD_ONCE_INIT;
  if (atomic_load_explicit(&changed, memory_order_relaxed))
    return;
  atomic_store(&changed, 1);
  pthread_once(&asked, ask_for_end);
}

void gp_device_in_use(void) {
  static pthread_once_t asked = PTHREAD_ONCE_INIT;
  pthread_once(&asked, ask_for_end);
  atomic_store_explicit(&device_in_use, 1, memory_order_relaxed);
}

void gp_before_launch(void) { gp_journal_begin(); }

void gp_before_counted_launch(void) { gp_output_prepare(); }

const char *gp_device_kind_in_use(void) { return atomic_load(&device_in_use) ? gp_device()->kind : NULL; }

static void something_leaves(void) {
  if (atomic_load(&ended))
    write_changes("exit");
}

void gp_module_leaves(const struct gp_module *module) {
  if (gp_state() == GP_OFF)
    return;
  gp_addresses_find_all();
  something_leaves();
  for (const struct gp_function *f = module->functions; f; f = f->next)
    gp_kernels_forget_function(f->host);
}

void gp_unit_leaves(const struct gp_unit *unit) {
  if (gp_state() == GP_OFF)
    return;
  gp_addresses_find_all();
  something_leaves();
  if (!gp_ended())
    gp_clones_unit_leaves();
  gp_kernels_forget_unit(unit);
}

__attribute__((destructor)) static void library_ends(void) {
  at_end();
  gp_ends_unwatch();
}
