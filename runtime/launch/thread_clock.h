/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Times on gp_now() from ticks (base/ticks.h), for one thread. Both clocks are read together every 200 us. In between the
 * measured length of a tick tells the time: to 100 ns at the worst, where the system just sets its clock by 500 parts in
 * a million, and to 20 ns else. Times never go back.
 */
#ifndef GP_THREAD_CLOCK_H
#define GP_THREAD_CLOCK_H

#include <stdint.h>

struct gp_thread_clock {
  uint64_t ticks, ns; /* of the same moment; 0: none yet */
  uint64_t span;      /* ticks that they hold for */
  double tick_ns;
  uint64_t latest;
};

struct gp_call_times {
  uint64_t start, end;
};
/* The times of two readings made just now. */
struct gp_call_times gp_thread_clock_times(struct gp_thread_clock *clock, uint64_t start_ticks, uint64_t end_ticks);

#endif
