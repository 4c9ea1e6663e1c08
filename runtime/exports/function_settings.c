// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exports/function_settings.h"

#include <stdatomic.h>

static _Atomic uint64_t changes;

void gp_function_settings_change(void) { atomic_fetch_add(&changes, 1); }
uint64_t gp_function_settings(void) { return atomic_load(&changes); }
