/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The columns of layers, steps and energy, in one order for all formats. */
#ifndef GP_TOOL_SPIKING_TABLE_H
#define GP_TOOL_SPIKING_TABLE_H

#include "common/grid.h"
#include "spiking/energy.h"
#include "spiking/layers.h"

void layer_table(struct grid *grid, const struct layers *layers);
/* Empty where no layer has steps. */
void step_table(struct grid *grid, const struct layers *layers);
/* Empty where no layer states synaptic operations. */
void energy_table(struct grid *grid, const struct layers *layers, const struct energy_choice *choice);

/* Why layers that state items have no items/s; "" where they have, or state none. */
const char *items_unknown(const struct layers *layers);
/* What the columns mean, in sentences. */
void layer_legend(struct text *out, const struct layers *layers);

#endif
