// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/host_waits.h"

#include "base/clock.h"
#include "base/state.h"
#include "core/regions.h"

#include <stddef.h>

static _Atomic(gp_host_wait_listener *) told;
static _Atomic uint64_t calls, ns;

static __thread uint32_t depth __attribute__((tls_model("initial-exec"))); /* counted calls under way */

void gp_host_waits_listen(gp_host_wait_listener *listener) { atomic_store(&told, listener); }

struct gp_host_wait_sums gp_host_waits(void) { return (struct gp_host_wait_sums){.calls = calls, .ns = ns}; }

void gp_host_waits_begin_anew(void) { calls = ns = 0; }

void gp_host_wait_started(struct gp_host_wait *wait, const char *call) {
  wait->call = NULL;
  if (gp_state() != GP_ON || depth)
    return;
  depth++;
  *wait = (struct gp_host_wait){.call = call, .start_ns = gp_now()};
}

static void count(uint64_t waited_ns) {
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&ns, waited_ns, memory_order_relaxed);
  gp_regions_wait(waited_ns);
}

static void add(const struct gp_host_wait *wait, uint64_t end_ns) {
  gp_host_wait_listener *listener = atomic_load_explicit(&told, memory_order_relaxed);
  count(end_ns - wait->start_ns);
  if (listener)
    listener(wait->call, wait->start_ns, end_ns);
}

void gp_host_waited(uint64_t waited_ns) {
  if (!depth && gp_state() == GP_ON)
    count(waited_ns);
}

void gp_host_wait_ended(const struct gp_host_wait *wait, enum gp_waits waits) {
  const uint64_t end_ns = gp_now();
  depth--;
  if (waits == GP_WAITS_ALWAYS || end_ns - wait->start_ns > GP_SHORT_CALL_NS)
    add(wait, end_ns);
}
