/* The state of the runtime as a whole: on or off, start and end of the process, writing the report. */
#ifndef GP_RUNTIME_H
#define GP_RUNTIME_H

#include <stdatomic.h>
#include <stdint.h>

/* What compiled code and programs call. */
#define GP_EXPORT __attribute__((visibility("default")))

struct gp_module;
struct gp_unit;

/* OFF is for good: GPUPROF_ENABLE=0, or a child forked from a process that was already counted. UNSET: settings not read. */
enum gp_state { GP_UNSET, GP_OFF, GP_PAUSED, GP_ON };
extern _Atomic int gp_current_state;
enum gp_state gp_first_state(void);
static inline enum gp_state gp_state(void) {
  int state = atomic_load_explicit(&gp_current_state, memory_order_relaxed);
  return state == GP_UNSET ? gp_first_state() : (enum gp_state)state;
}

/* Something happened that the report has to tell: it will be (re)written when the program ends. Cheap when repeated. */
void gp_touch(void);
/* The same for a program that has launched nothing yet, and perhaps never will: what stands in the report's way is not said. */
void gp_report_needed(void);
/* Whether something did since the last call. */
int gp_take_changes(void);
/* Called once the device is in use: asks for the end-of-program flush, so late that it comes before the device's own. */
void gp_device_in_use(void);
/* Has the program begun to end? */
int gp_ended(void);

/* A module or unit is about to be unregistered: the last moment to read its counts. */
void gp_module_leaves(const struct gp_module *module);
void gp_unit_leaves(const struct gp_unit *unit);

/* "gpu" or "cpu" once a kernel was launched, else null. */
const char *gp_device_kind_in_use(void);

/* Monotonic time in ns. */
uint64_t gp_now(void);
/* When this process (or the child after a fork) began to be profiled. */
uint64_t gp_start_ns(void);
long long gp_start_seconds(void);

#endif
