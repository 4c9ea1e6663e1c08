// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/roofline.h"

#include <math.h>

const char *const gp_resource_names[GP_BY_NOTHING + 1] = {"dram", "l2",      "l1",      "shared", "core",
                                                          "tensor", "special", "integer", "latency", NULL};
const char *const gp_roof_status_names[] = {"ok", "above_roof", "no_gpu_time"};

/* Adds amount/ceiling to a resource's time. Without work the time is 0, whatever the ceiling. */
static void use(struct gp_placement *p, enum gp_resource resource, double amount, double per_second) {
  double *ns = &p->model_ns[resource];
  if (amount < 0)
    return; /* unknown */
  if (amount > 0 && per_second <= 0) {
    p->without_ceiling |= 1u << resource;
    return;
  }
  *ns = (*ns < 0 ? 0 : *ns) + (amount > 0 ? 1e9 * amount / per_second : 0);
}

/* Products of mma.sync have a roof of their own. Where it is not known they have that of the fastest instruction: a least time. */
static void use_tensor(struct gp_placement *p, const struct gp_totals *totals, const struct gp_ceilings *c) {
  static const struct {
    enum gp_cost all, mma_sync;
  } tensor[GP_TENSOR_COUNT] = {{GP_COST_tensor_bf16, GP_COST_mma_sync_bf16}, {GP_COST_tensor_fp16, GP_COST_mma_sync_fp16},
                               {GP_COST_tensor_tf32, GP_COST_mma_sync_tf32}, {GP_COST_tensor_fp64, GP_COST_mma_sync_fp64},
                               {GP_COST_tensor_fp8, GP_COST_mma_sync_fp8},   {GP_COST_tensor_int8, GP_COST_mma_sync_int8}};
  for (int i = 0; i < GP_TENSOR_COUNT; i++) {
    const uint64_t all = totals->amount[tensor[i].all], mma_sync = totals->amount[tensor[i].mma_sync];
    use(p, GP_BY_TENSOR, (double)(all - mma_sync), c->tensor[i]);
    use(p, GP_BY_TENSOR, (double)mma_sync, c->mma_sync[i] > 0 ? c->mma_sync[i] : c->tensor[i]);
    p->without_mma_sync |= mma_sync > 0 && c->mma_sync[i] <= 0 && c->tensor[i] > 0;
  }
  /* The table has no chip's ceiling for these. */
  static const enum gp_cost others[] = {GP_COST_tensor_fp4, GP_COST_tensor_int4, GP_COST_tensor_int1};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    use(p, GP_BY_TENSOR, (double)totals->amount[others[i]], 0);
}

static void use_units(struct gp_placement *p, const struct gp_totals *totals, const struct gp_ceilings *c) {
  /* Memory executes accumulates, except those in shared memory; the table has no chip's ceiling for them.
   * They are left out: the roof stays a lower bound of the time. */
  static const enum gp_cost accumulates[GP_CORE_COUNT] = {GP_COST_fp64_accumulate, GP_COST_fp32_accumulate,
                                                          GP_COST_fp16_accumulate, GP_COST_bf16_accumulate};
  for (int i = 0; i < GP_CORE_COUNT; i++)
    use(p, GP_BY_CORE,
        (double)(gp_totals_group_flops(totals, gp_core_names[i]) - totals->amount[accumulates[i]]), c->core[i]);
  use_tensor(p, totals, c);
  use(p, GP_BY_SPECIAL, (double)totals->amount[GP_COST_special], c->special);
}

/* Machine instructions that integer operations need at least. Products run on one pipe, logic and right shifts on another, sums on
 * both; population counts on a third. The slowest of them is the time. Without a ceiling the time is unknown. */
static void use_integers(struct gp_placement *p, const struct gp_totals *t, const struct gp_ceilings *c) {
  const double multiply = (double)t->amount[GP_COST_least_multiply], logic = (double)t->amount[GP_COST_least_logic];
  const double *rate = c->integer, both = rate[GP_INTEGER_MULTIPLY_ADD] + rate[GP_INTEGER_LOGIC];
  const double all = multiply + logic + (double)t->amount[GP_COST_least_add];
  const struct {
    double amount, per_second;
  } uses[] = {{multiply, rate[GP_INTEGER_MULTIPLY_ADD]},
              {logic, rate[GP_INTEGER_LOGIC]},
              {all, rate[GP_INTEGER_MULTIPLY_ADD] > 0 && rate[GP_INTEGER_LOGIC] > 0 ? both : 0},
              {(double)t->amount[GP_COST_least_popc], rate[GP_INTEGER_POPC]}};
  double ns = 0;
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    if (uses[i].amount > 0 && uses[i].per_second <= 0)
      return;
    if (uses[i].amount > 0 && 1e9 * uses[i].amount / uses[i].per_second > ns)
      ns = 1e9 * uses[i].amount / uses[i].per_second;
  }
  p->model_ns[GP_BY_INTEGER] = ns;
}

/* The minimum moved for the requested bytes: lanes requesting the same word are served together. */
static double moved(uint64_t requested, uint64_t uniform) {
  return (double)(requested - uniform) + (double)uniform / GP_WARP_LANES;
}

/* Sectors are the least that L1 moves: it passes on four a clock, as many bytes as its ceiling says. Measured bytes contain
 * local memory, too. */
static double l1_bytes(const struct gp_work *work) {
  if (work->l1_bytes >= 0)
    return work->l1_bytes;
  if (work->sector_bytes >= 0)
    return work->sector_bytes;
  return moved(gp_totals_group(&work->totals, "global"), work->totals.amount[GP_COST_global_uniform]);
}

static double dram_bytes(const struct gp_work *work) {
  if (work->dram_bytes >= 0)
    return work->dram_bytes;
  if (work->unique_bytes < 0 && !gp_totals_group(&work->totals, "global"))
    return 0; /* nothing was requested from it */
  return work->unique_bytes;
}

static void use_memory(struct gp_placement *p, const struct gp_work *work, const struct gp_ceilings *c) {
  const struct gp_totals *t = &work->totals;
  use(p, GP_BY_SHARED, moved(gp_totals_group(t, "shared"), t->amount[GP_COST_shared_uniform]),
      c->bytes[GP_LEVEL_SHARED]);
  use(p, GP_BY_L1, l1_bytes(work), c->bytes[GP_LEVEL_L1]);
  use(p, GP_BY_L2, work->l2_bytes, c->bytes[GP_LEVEL_L2]);
  use(p, GP_BY_DRAM, dram_bytes(work), c->bytes[GP_LEVEL_DRAM]);
  p->without_dram = p->model_ns[GP_BY_DRAM] < 0;
}

static double largest(struct gp_placement *p) {
  double ns = 0;
  p->bound = GP_BY_NOTHING;
  for (unsigned i = 0; i < GP_BY_LATENCY; i++)
    if (p->model_ns[i] > ns) {
      ns = p->model_ns[i];
      p->bound = (enum gp_resource)i;
    }
  return ns;
}

/* The least time at the highest clock: tensor ceilings hold at the lower clock that their power allows for long. */
static double least_ns(const struct gp_placement *p, const struct gp_ceilings *c) {
  double least = 0;
  for (unsigned i = 0; i < GP_BY_LATENCY; i++) {
    const double boost = i == GP_BY_TENSOR && c->tensor_boost > 1 ? c->tensor_boost : 1;
    least = fmax(least, p->model_ns[i] / boost);
  }
  return least;
}

static void compare_with_time(struct gp_placement *p, const struct gp_ceilings *c, double flops, double roof_ns, double gpu_ns) {
  p->attained = 1e9 * flops / gpu_ns;
  if (p->bound == GP_BY_NOTHING)
    return;
  p->percent = 100 * roof_ns / gpu_ns;
  if (100 * least_ns(p, c) / gpu_ns > 100 + GP_ROOF_TOLERANCE_PERCENT)
    p->status = GP_ROOF_ABOVE;
  else if (p->percent < GP_LATENCY_PERCENT && !p->without_dram)
    p->bound = GP_BY_LATENCY;
}

/* Unknown DRAM traffic may need longer than all known resources. Then only a resource filling most of the
 * measured time is the bound. */
static int bound_is_known(const struct gp_placement *p) { return !p->without_dram || p->percent >= GP_BOUND_PERCENT; }

void gp_roofline_forget(struct gp_placement *p) {
  *p = (struct gp_placement){.bound = GP_BY_NOTHING,
                             .attained = GP_UNKNOWN,
                             .attainable = GP_UNKNOWN,
                             .percent = GP_UNKNOWN,
                             .status = GP_ROOF_NO_GPU_TIME};
  for (int i = 0; i < GP_BY_LATENCY; i++)
    p->model_ns[i] = GP_UNKNOWN;
}

void gp_roofline_place(const struct gp_work *work, const struct gp_ceilings *ceilings, struct gp_placement *p) {
  gp_roofline_forget(p);
  use_units(p, &work->totals, ceilings);
  use_integers(p, &work->totals, ceilings);
  use_memory(p, work, ceilings);
  double flops = (double)gp_totals_flops(&work->totals), roof_ns = largest(p);
  if (p->bound != GP_BY_NOTHING)
    p->attainable = 1e9 * flops / roof_ns;
  if (work->gpu_ns > 0) {
    p->status = GP_ROOF_OK;
    compare_with_time(p, ceilings, flops, roof_ns, work->gpu_ns);
  }
  if (!bound_is_known(p))
    p->bound = GP_BY_NOTHING;
}

double gp_roofline_intensity(double flops, double bytes) {
  return bytes > 0 && flops >= 0 ? flops / bytes : GP_UNKNOWN;
}
