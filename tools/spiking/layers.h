/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layers of a network over its time steps: the rows of a document, with those of equal layers
 * in different steps added up. A step of the host is a region "step_N" of its own, with all
 * layers below it. Such regions are no layers, but give their step to the layers below them.
 */
#ifndef GP_TOOL_LAYERS_H
#define GP_TOOL_LAYERS_H

#include "reader/reader.h"
#include "reader/value.h"

/* Sums of rows, or the counts of one step. */
struct layer_counts {
  struct count executions, launches, time_ns, flops, asked, unique, requests, sectors;
  struct count positive, negative, silent;                    /* spikes, and values without a spike */
  struct count operations, accumulates, multiplies, possible; /* synaptic */
  struct count skipped;
  struct number firing_rate, density; /* of the sums */
  struct number items, joules;
  bool on_gpu; /* time_ns is a GPU's */
};

struct layer_step {
  struct value number; /* unknown: all steps without room of their own */
  struct layer_counts counts;
};

#define NO_LAYER SIZE_MAX

struct layer {
  const struct entry *entry; /* its first row */
  char *path;                /* without the steps of the host */
  char *title;               /* the last part of it, as a person reads it */
  size_t parent;             /* the enclosing layer, or NO_LAYER */
  unsigned depth;
  bool last; /* of its parent */
  struct layer_counts counts;
  struct layer_step *steps; /* by number */
  size_t step_count;
};

/* In the order of the program's run; each stands behind its parent. */
struct layers {
  struct layer *items;
  size_t count;
};

enum layers_of { LAYERS_SPIKING, LAYERS_ALL };

/* Spiking ones have spikes or synaptic operations. */
struct layers layers_of(const struct document *document, bool kernels, enum layers_of which);
void layers_free(struct layers *layers);

/* Of one row, as it stands in the document. */
struct layer_counts layer_counts_of(const struct entry *entry);
/* Of positive and negative ones; not known where neither is. */
struct count layer_spikes(const struct layer_counts *counts);
/* Bytes of all sectors touched by requests. */
struct count layer_moved_bytes(const struct layer_counts *counts);
/* Per second of a GPU's time; not known without such a time. */
struct number layer_items_per_second(const struct layer_counts *counts);
/* Of the layer, or of the nearest enclosing layer stating them. */
struct number layer_items(const struct layers *layers, size_t layer);
/* Whether the layer's counts belong to a total: it stands in no other one, and in no warm-up. */
bool layer_is_in_total(const struct layers *layers, size_t layer);

#endif
