// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exports/captures.h"

#include <stdatomic.h>

static atomic_int captures;

void gp_capture_begun(void) { atomic_fetch_add(&captures, 1); }
void gp_capture_ended(void) { atomic_fetch_sub(&captures, 1); }
int gp_captures(void) { return atomic_load(&captures); }
