// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/footprint.h"

#include "clones/formula_run.h"
#include "clones/sector_set.h"

struct marks {
  struct gp_formula_sink sink;
  struct gp_sector_set set;
  const char *why;
};

static int add_mark(struct gp_formula_sink *sink, const struct gp_formula_mark *mark, const struct gp_box *box) {
  struct marks *marks = (struct marks *)sink;
  struct gp_lattice l = {.base = (uint64_t)mark->address->c0, .width = (uint64_t)mark->bytes, .dimensions = 1};
  l.steps[0] = (uint64_t)mark->distance;
  l.counts[0] = (uint64_t)mark->turns;
  for (unsigned d = 0; d < box->dimensions; d++) {
    const uint64_t step = (uint64_t)mark->address->c[d];
    if (!step)
      continue;
    l.base += step * (uint64_t)box->low[d];
    l.steps[l.dimensions] = step;
    l.counts[l.dimensions++] = (uint64_t)(box->high[d] - box->low[d]) + 1;
  }
  marks->why = gp_sector_set_add(&marks->set, l);
  return !marks->why;
}

const char *gp_footprint_bytes(const struct gp_formula *formula, const struct gp_launch *launch, uint64_t *steps, uint64_t *bytes) {
  struct marks marks = {.sink = {.mark = add_mark, .steps_maximum = *steps, .points_maximum = *steps}};
  const int exact = gp_formula_run(formula, launch, &marks.sink);
  *steps -= marks.sink.steps < *steps ? marks.sink.steps : *steps;
  const char *why = exact ? gp_sector_set_bytes(&marks.set, steps, bytes) : marks.why;
  if (!exact && !why)
    why = *steps ? "the host cannot compute them; -fplugin-arg-gpuprof-unique=auto adds a clone for the GPU"
                 : "computing them on the host takes too long; -fplugin-arg-gpuprof-unique=auto adds a clone for the GPU";
  gp_sector_set_free(&marks.set);
  return why;
}
