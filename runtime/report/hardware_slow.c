// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Slow paths of divisions and roots. Data decide on them, but the kinds of executed instructions reveal their number
 * (docs/user/accuracy.md). */
#include "report/hardware_check.h"

#include "report/roofline.h"

/* Maximum FLOPs of a slow path for each of its additions and products (Expansions.def): of DivF32, 25 have an FADD; of
 * DivF64, 24 have a DMUL or more; the one of SqrtF64 for 0 is a DADD. Minus: FLOPs of an ordinary sequence for each
 * that is missing, 5 with the FADD of RcpF32, 6 with two FMUL of SqrtF32. */
static const struct slow {
  enum gp_hardware flops, add, mul;
  enum gp_cost more, free_less, free_folded, free_more;
  double more_an_add, more_a_mul, less_an_add, less_a_mul;
} kinds[] = {
#define SLOW(P)                                                                                                       \
  GP_HARDWARE_##P##_flops, GP_HARDWARE_##P##_add, GP_HARDWARE_##P##_mul, GP_COST_expand_##P##_slow_more,                 \
      GP_COST_expand_##P##_less, GP_COST_expand_##P##_folded, GP_COST_expand_##P##_more
    {SLOW(fp32), 25, 0, 5, 3},
    {SLOW(fp64), 1, 24, 0, 0},
#undef SLOW
};

static double above(double value, double bound) { return value > bound ? value - bound : 0; }
static double at_most(double value, double bound) { return value < bound ? value : bound; }

/* FLOPs of ordinary sequences that slow paths may replace: only such in fp32. */
static double replaced(const struct slow *s, const struct gp_totals *totals) {
  return s->less_an_add > 0 ? (double)totals->amount[GP_COST_expand_fp32_slow_less] : 0;
}

/* Additions or products without any slow path, as a range. */
static struct gp_hardware_view ordinary(const struct slow *s, const struct gp_totals *totals, enum gp_hardware part) {
  struct gp_hardware_view view = gp_hardware_view(totals, part);
  view.most += (double)totals->amount[s->free_more] - (double)totals->amount[s->more];
  view.least += replaced(s, totals) - (double)totals->amount[s->free_less] - (double)totals->amount[s->free_folded];
  return view;
}

void gp_hardware_narrow_slow(const struct gp_totals *totals, enum gp_hardware counter, double added, double multiplied,
                             struct gp_hardware_view *view) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const struct slow *s = &kinds[i];
    if (s->flops != counter || added < 0 || multiplied < 0)
      continue;
    const struct gp_hardware_view add = ordinary(s, totals, s->add), mul = ordinary(s, totals, s->mul);
    const double more = (double)totals->amount[s->more], less = replaced(s, totals);
    const double may_be_more = s->more_an_add * above(added, add.least) + s->more_a_mul * above(multiplied, mul.least),
                 may_be_less = s->less_an_add * above(add.most, added) + s->less_a_mul * above(mul.most, multiplied);
    view->most -= more - at_most(more, may_be_more);
    view->least += less - at_most(less, may_be_less);
  }
}
