/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pointers among the arguments of a launch, at the places that the sheet names. */
#ifndef GP_LAUNCH_POINTERS_H
#define GP_LAUNCH_POINTERS_H

#include "base/device.h"
#include "sheet/sheet.h"

#include <string.h>

static inline uint64_t gp_launch_pointer(const struct gp_launch *launch, struct gp_sheet_pointer place) {
  uint64_t pointer;
  memcpy(&pointer, (const char *)launch->arguments[place.parameter] + place.offset, sizeof pointer);
  return pointer;
}

#endif
