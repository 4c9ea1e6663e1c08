// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The driver's errors have the runtime's numbers, and names of their own. */
#include "common/errors.h"
#include "cuda-api/driver/cpu_driver.h"

static const struct {
  int number;
  const char *name, *text;
} errors[] = {
#define GP_DRIVER_ERROR(number, name, text) {number, #name, text},
#include "cuda-api/driver/driver_errors.inc"
};

int gp_driver_error(int error, const char **text, int name) {
  if (!text)
    return GP_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].number == error) {
      *text = name ? errors[i].name : errors[i].text;
      return 0;
    }
  *text = NULL;
  return GP_ERROR_INVALID_VALUE;
}
