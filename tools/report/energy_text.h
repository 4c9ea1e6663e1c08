/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sentences about measured energy. Estimates of synaptic operations are tools/spiking/energy.h: the two are never mixed. */
#ifndef GP_TOOL_ENERGY_TEXT_H
#define GP_TOOL_ENERGY_TEXT_H

#include "common/text.h"
#include "reader/reader.h"

/* "810 J in 3.0 s, 270 W; idle 126 W"; nothing where the run has no measured energy. */
void energy_of_run(struct text *out, const struct document *document, const char *separator);
/* "Measured: 810 J in 3.0 s, 270 W. …" with joules an operation; nothing where the row has none. */
void energy_explain(struct text *out, const struct entry *entry);

#endif
