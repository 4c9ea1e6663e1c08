/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Placing a point: the set of minimum times of the work on a chip. Pure functions. */
#ifndef GP_ROOFLINE_H
#define GP_ROOFLINE_H

#include "report/chips.h"
#include "sheet/costs.h"

/* Below this percentage no resource is near its roof, and the bound is latency. */
#define GP_LATENCY_PERCENT 10.0
/* With unknown DRAM bytes, the largest of the other times is the bound only from this percentage of the time
 * on. */
#define GP_BOUND_PERCENT 60.0
/* Lanes of a warp: an access with the same address in all of them is served at once. */
#define GP_WARP_LANES 32.0
/* What caches move at least. */
#define GP_SECTOR_BYTES 32.0
/* A measurement may beat a roof by this much (clocks differ a little) before the point is above the roof. */
#define GP_ROOF_TOLERANCE_PERCENT 1.0

struct gp_work {
  struct gp_totals totals;
  double l1_bytes, l2_bytes, dram_bytes; /* from hardware counters, or GP_UNKNOWN */
  double sector_bytes;         /* 32 for each sector of each request of a warp, or GP_UNKNOWN */
  double unique_bytes;         /* or GP_UNKNOWN */
  double gpu_ns;               /* measured on a GPU, or GP_UNKNOWN */
};

enum gp_resource {
  GP_BY_DRAM, GP_BY_L2, GP_BY_L1, GP_BY_SHARED, GP_BY_CORE, GP_BY_TENSOR, GP_BY_SPECIAL, GP_BY_INTEGER,
  GP_BY_LATENCY, GP_BY_NOTHING
};
/* Names of the resources; null for GP_BY_NOTHING. */
extern const char *const gp_resource_names[GP_BY_NOTHING + 1];

enum gp_roof_status { GP_ROOF_OK, GP_ROOF_ABOVE, GP_ROOF_NO_GPU_TIME };
extern const char *const gp_roof_status_names[];

struct gp_placement {
  double model_ns[GP_BY_LATENCY]; /* by resource; GP_UNKNOWN if the amount or the ceiling is unknown */
  unsigned without_ceiling;       /* bit r: resource r was used in a way without a known ceiling */
  int without_mma_sync;           /* of mma.sync: the ceiling of a faster instruction stands for it */
  int without_dram;               /* DRAM bytes are unknown: their minimum time may exceed all others */
  enum gp_resource bound;
  double attained, attainable, percent; /* FLOP/s and percent of the roof, or GP_UNKNOWN */
  enum gp_roof_status status;
};

void gp_roofline_place(const struct gp_work *work, const struct gp_ceilings *ceilings, struct gp_placement *placement);

/* Sets all values of a point with unknown work to unknown. */
void gp_roofline_forget(struct gp_placement *placement);

/* FLOP per byte; GP_UNKNOWN without bytes, or if the number is unknown. */
double gp_roofline_intensity(double flops, double bytes);

#endif
