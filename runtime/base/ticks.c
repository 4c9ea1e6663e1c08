// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/ticks.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/prctl.h>
#endif

/* Both clocks are read within 50 ns: an error of 1 in 5,000 at most, and 1 in 10^6 after 50 ms. */
#define LEAST_NS 250000u

int gp_ticks_of_processor;

static struct instant {
  uint64_t ticks, ns;
} start;

#if defined(__x86_64__)
/* The counter runs at one rate in all states of the processor. */
static int is_invariant(void) {
  enum { POWER_MANAGEMENT = 0x80000007, INVARIANT = 1 << 8 };
  unsigned a, b, c, d = 0;
  return __get_cpuid(POWER_MANAGEMENT, &a, &b, &c, &d) && (d & INVARIANT);
}

/* The kernel takes another clock where processors' counters disagree. */
static int kernel_distrusts(void) {
  char name[32] = "";
  const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  const ssize_t length = read(file, name, sizeof name - 1);
  close(file);
  return length > 0 && (!strncmp(name, "hpet", 4) || !strncmp(name, "acpi_pm", 7) || strstr(name, "jiffies"));
}

static int is_allowed(void) {
  int mode = PR_TSC_ENABLE;
  return !prctl(PR_GET_TSC, &mode) ? mode == PR_TSC_ENABLE : 1;
}

static int has_counter(void) { return is_invariant() && is_allowed() && !kernel_distrusts(); }
#else
static int has_counter(void) { return 0; }
#endif

/* The reading of both clocks with the least time between. */
static struct instant both(void) {
  struct instant best = {0};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 5; i++) {
    const uint64_t before = gp_now(), ticks = gp_ticks(), after = gp_now();
    if (after - before >= least)
      continue;
    least = after - before;
    best = (struct instant){ticks, before + least / 2};
  }
  return best;
}

void gp_ticks_start(void) {
  gp_ticks_of_processor = has_counter();
  start = both();
}

double gp_ticks_ns(void) {
  struct instant now = both();
  while (now.ns - start.ns < LEAST_NS)
    now = both();
  return gp_ticks_of_processor && now.ticks > start.ticks ? (double)(now.ns - start.ns) / (double)(now.ticks - start.ticks) : 1;
}

/* Measuring takes half a microsecond: the result is good for a while. */
#define MEASURED_FOR_NS 100000000u

double gp_ticks_ns_lately(void) {
  static _Atomic uint64_t measured; /* ticks */
  static _Atomic double known;
  const uint64_t now = gp_ticks(), before = atomic_load_explicit(&measured, memory_order_acquire);
  const double last = atomic_load_explicit(&known, memory_order_relaxed);
  if (before && (double)(now - before) * last < MEASURED_FOR_NS)
    return last;
  const double fresh = gp_ticks_ns();
  atomic_store_explicit(&known, fresh, memory_order_relaxed);
  atomic_store_explicit(&measured, now, memory_order_release);
  return fresh;
}

const char *gp_ticks_source(void) { return gp_ticks_of_processor ? "tsc" : "clock"; }
