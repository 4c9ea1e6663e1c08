/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory that a launch touches, found on the host from an address formula (docs/developer/unique-bytes.md). */
#ifndef GP_FOOTPRINT_H
#define GP_FOOTPRINT_H

#include "base/device.h"
#include "sheet/formula.h"

/* Finds the bytes of all sectors that the threads of a launch mark, a multiple of 32. Takes the executed instructions and the
 * ranges written out from *steps. Returns null, or the reason as half a sentence. */
const char *gp_footprint_bytes(const struct gp_formula *formula, const struct gp_launch *launch, uint64_t *steps, uint64_t *bytes);

#endif
