// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/state.h"

#include "base/process_calls.h"

#include <pthread.h>

_Atomic int gp_current_state;

static _Atomic int changed; /* since the last report was written */
static _Atomic int ended;   /* the report was written because of the program's end */
static _Atomic int device_in_use;

enum gp_state gp_first_state(void) { return gp_process_calls.first_state(); }

void gp_before_launch(void) { gp_process_calls.before_launch(); }
void gp_before_counted_launch(void) { gp_process_calls.before_counted_launch(); }

void gp_changes_remain(void) { atomic_store(&changed, 1); }
int gp_take_changes(void) { return atomic_exchange(&changed, 0); }

void gp_report_changed(void) {
  gp_process_calls.report_changes();
  gp_report_needed();
}

void gp_report_needed(void) {
  static pthread_once_t asked = PTHREAD_ONCE_INIT;
  if (atomic_load_explicit(&changed, memory_order_relaxed))
    return;
  atomic_store(&changed, 1);
  pthread_once(&asked, gp_process_calls.ask_for_end);
}

void gp_device_in_use(void) {
  static pthread_once_t asked = PTHREAD_ONCE_INIT;
  if (gp_device_is_in_use())
    return;
  pthread_once(&asked, gp_process_calls.ask_for_end);
  atomic_store_explicit(&device_in_use, 1, memory_order_relaxed);
}

int gp_device_is_in_use(void) { return atomic_load_explicit(&device_in_use, memory_order_relaxed); }

int gp_ended(void) { return atomic_load(&ended); }
void gp_end_begins(void) { atomic_store(&ended, 1); }
