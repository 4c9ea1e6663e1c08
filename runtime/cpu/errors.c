#include "cpu/errors.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic int broken;
static _Thread_local int last_error;

static const struct {
  int number;
  const char *name, *text;
} errors[] = {
#define GP_CPU_ERROR(identifier, number, name, text) {number, name, text},
#include "cpu/errors.inc"
};

int gp_cpu_broken(void) { return atomic_load(&broken); }

void gp_cpu_break(int error) {
  int none = 0;
  atomic_compare_exchange_strong(&broken, &none, error);
}

void gp_cpu_mend(void) {
  atomic_store(&broken, 0);
  last_error = 0;
}

int gp_cpu_result(int error) {
  int stopped = atomic_load(&broken);
  if (stopped)
    error = stopped;
  if (error)
    last_error = error;
  return error;
}

int gp_cpu_last_error(int forget) {
  int stopped = atomic_load(&broken), error = stopped ? stopped : last_error;
  if (forget)
    last_error = 0;
  return error;
}

static size_t find(int error) {
  size_t count = sizeof errors / sizeof *errors;
  for (size_t i = 0; i < count; i++)
    if (errors[i].number == error)
      return i;
  return count;
}

const char *gp_cpu_error_name(int error) {
  size_t i = find(error);
  return i < sizeof errors / sizeof *errors ? errors[i].name : "unrecognized error code";
}

const char *gp_cpu_error_text(int error) {
  size_t i = find(error);
  return i < sizeof errors / sizeof *errors ? errors[i].text : "unrecognized error code";
}
