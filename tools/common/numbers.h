/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers as a person reads them: three significant digits and an SI prefix. */
#ifndef GP_TOOL_NUMBERS_H
#define GP_TOOL_NUMBERS_H

#include "common/text.h"

#include <stdint.h>

/* "12.3 G", or with a unit "12.3 GFLOP/s". */
void number_si(struct text *text, double value, const char *unit);
/* "1.24 ms" */
void number_time(struct text *text, double nanoseconds);
/* "0.531", "12.3", "4820": three significant digits, no prefix. */
void number_plain(struct text *text, double value);
/* "3.4 uJ" */
void number_joules(struct text *text, double joules);
/* "4.2 %", "37 %" */
void number_percent(struct text *text, double value);
/* "131072"; from a million on "1.05 M". */
void number_count(struct text *text, uint64_t value);

#endif
