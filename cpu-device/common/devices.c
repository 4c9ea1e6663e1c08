// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/locks.h"
#include "base/log.h"
#include "common/devices.h"
#include "common/launching.h"
#include "gpuprof/abi.h"
#include "sheet/modules.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local int current;

int gp_cpu_device_count(void) { return (int)gp_settings()->cpu_devices; }

int gp_cpu_device(void) { return current; }

int gp_cpu_device_set(int device) {
  int before = current;
  current = device;
  return before;
}

bool gp_cpu_device_exists(int device) { return device >= 0 && device < gp_cpu_device_count(); }

/* ---- Values of variables ------------------------------------------------------------------------------- */

/* The variables of a unit: their initial values and, in sequence, the values of the devices not in place.
 * Guarded by the lock of gp_cpu_exclusive(). */
struct values {
  struct values *next;
  const struct gpuprof_host_unit *unit;
  const struct gpuprof_cpu_variable *variables;
  uint64_t count;
  size_t bytes;
  char *initial;
  char *saved[GP_CPU_DEVICES]; /* null: as initially */
  bool seen;
};
static struct values *all;
static int in_place;

static bool is_of_device(const struct gpuprof_cpu_variable *variable) {
  return !(variable->flags & GPUPROF_CPU_VARIABLE_MANAGED);
}

static void save(const struct values *v, char *to) {
  for (uint64_t i = 0; i < v->count; i++)
    if (is_of_device(&v->variables[i])) {
      memcpy(to, v->variables[i].address, v->variables[i].bytes);
      to += v->variables[i].bytes;
    }
}

static void restore(const struct values *v, const char *from) {
  for (uint64_t i = 0; i < v->count; i++)
    if (is_of_device(&v->variables[i])) {
      memcpy(v->variables[i].address, from, v->variables[i].bytes);
      from += v->variables[i].bytes;
    }
}

/* Adds a new unit: its variables have their initial values on every device. */
static void add(struct gpuprof_host_unit *unit) {
  struct values *v = calloc(1, sizeof *v);
  if (!v)
    return;
  *v = (struct values){
      .unit = unit, .variables = unit->cpu_variables, .count = unit->cpu_variable_count, .seen = true};
  for (uint64_t i = 0; i < v->count; i++)
    v->bytes += is_of_device(&v->variables[i]) ? v->variables[i].bytes : 0;
  v->initial = malloc(v->bytes ? v->bytes : 1);
  if (!v->initial) {
    free(v);
    return;
  }
  save(v, v->initial);
  v->next = all;
  all = v;
}

static int meet(struct gpuprof_host_unit *unit, void *closure) {
  (void)closure;
  for (struct values *v = all; v; v = v->next)
    if (v->unit == unit && v->variables == unit->cpu_variables && v->count == unit->cpu_variable_count) {
      v->seen = true;
      return 0;
    }
  if (unit->cpu_variables)
    add(unit);
  return 0;
}

static void drop(struct values *v) {
  for (int device = 0; device < GP_CPU_DEVICES; device++)
    free(v->saved[device]);
  free(v->initial);
  free(v);
}

/* dlopen adds units, and dlclose removes them with their variables. */
static void look_at_units(void) {
  for (struct values *v = all; v; v = v->next)
    v->seen = false;
  gp_modules_each_unit(meet, NULL);
  for (struct values **link = &all; *link;) {
    struct values *v = *link;
    if (v->seen) {
      link = &v->next;
      continue;
    }
    *link = v->next;
    drop(v);
  }
}

void gp_cpu_device_enter(int device) {
  gp_assert_holds(GP_LOCK_LAUNCHING);
  if (gp_cpu_device_count() == 1)
    return;
  look_at_units();
  if (device == in_place)
    return;
  for (struct values *v = all; v; v = v->next) {
    if (!v->saved[in_place])
      v->saved[in_place] = malloc(v->bytes ? v->bytes : 1);
    if (!v->saved[in_place])
      gp_log(GP_ERROR, "device variables",
             "no memory is left to keep those of device %d: its kernels see those of device %d", in_place,
             device);
    else
      save(v, v->saved[in_place]);
    restore(v, v->saved[device] ? v->saved[device] : v->initial);
  }
  in_place = device;
}

struct visit {
  void (*f)(void *);
  void *closure;
};

static void enter_and_call(void *closure) {
  const struct visit *visit = closure;
  gp_cpu_device_enter(gp_cpu_device());
  visit->f(visit->closure);
}

void gp_cpu_device_do(void (*f)(void *), void *closure) {
  struct visit visit = {f, closure};
  if (gp_cpu_device_count() == 1)
    f(closure);
  else
    gp_cpu_exclusive(enter_and_call, &visit);
}

static void forget_variables(void *closure) {
  (void)closure;
  int device = gp_cpu_device();
  for (struct values *v = all; v; v = v->next) {
    free(v->saved[device]);
    v->saved[device] = NULL;
    if (device == in_place)
      restore(v, v->initial);
  }
}

void gp_cpu_device_forget_variables(int device) {
  int before = gp_cpu_device_set(device);
  if (gp_cpu_device_count() > 1) /* with one device nobody has kept the initial values */
    gp_cpu_device_do(forget_variables, NULL);
  gp_cpu_device_set(before);
}
