/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of layers that spike: each layer, each of its time steps, and the energy of its synaptic operations.
 */
#ifndef GP_TOOL_FORMAT_SPIKING_H
#define GP_TOOL_FORMAT_SPIKING_H

#include "report/formats.h"

/* Nothing where no row has spikes or synaptic operations, and no step was asked for. */
void report_spiking_text(struct text *out, const struct document *document, const struct selection *selection,
                         const struct style *style);
void report_spiking_markdown(struct text *out, const struct document *document,
                             const struct selection *selection, const struct style *style);
/* With a picture of the firing rates, and all steps. */
void report_spiking_html(struct text *out, const struct document *document, const struct selection *selection,
                         const struct style *style);

#endif
