// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/devices.h"
#include "common/errors.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic int broken[GP_CPU_DEVICES];
static _Thread_local int last_error, forbidden;

static const struct {
  int number;
  const char *name, *text;
} errors[] = {
#define GP_CPU_ERROR(identifier, number, name, text) {number, name, text},
#include "common/errors.inc"
};

int gp_cpu_broken(void) { return atomic_load(&broken[gp_cpu_device()]); }

void gp_cpu_break(int device, int error) {
  int none = 0;
  atomic_compare_exchange_strong(&broken[device], &none, error);
}

void gp_cpu_mend(int device) {
  atomic_store(&broken[device], 0);
  last_error = 0;
}

void gp_cpu_permit(int permitted) { forbidden = !permitted; }

int gp_cpu_answer(int error) {
  if (forbidden)
    error = GP_ERROR_NOT_PERMITTED;
  if (error)
    last_error = error;
  return error;
}

int gp_cpu_result(int error) {
  int stopped = gp_cpu_broken();
  return gp_cpu_answer(stopped ? stopped : error);
}

int gp_cpu_last_error(int forget) {
  int error = last_error;
  if (forget)
    last_error = 0;
  return error;
}

void gp_cpu_set_last_error(int error) { last_error = error; }

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
