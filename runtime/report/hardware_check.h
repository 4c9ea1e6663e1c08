/* GPUPROF_HARDWARE: what is to be read, how it adds up, and how it compares with what was counted. Pure
 * functions but for the first: a device reads the counters (gp_device_ops.measure).
 */
#ifndef GP_HARDWARE_H
#define GP_HARDWARE_H

#include "gpuprof/abi.h"
#include "sheet/costs.h"
#include "sheet/lane_bytes.h"

#include <stddef.h>
#include <stdint.h>

enum gp_hardware {
#define GP_HARDWARE(identifier, metrics) GP_HARDWARE_##identifier,
#include "report/hardware_check.inc"
  GP_HARDWARE_COUNT
};

#define GP_HARDWARE_MOST 40

/* Counters by their key in the report, each a sum of metrics (hardware.inc). */
struct gp_hardware_plan {
  int check; /* the counters are those of hardware.inc, in its order */
  size_t count;
  struct {
    const char *key, *metrics;
  } counters[GP_HARDWARE_MOST];
};

/* What GPUPROF_HARDWARE asks for; null: nothing. */
const struct gp_hardware_plan *gp_hardware_plan(void);
/* The plan of a setting: "check", or names of metrics separated by commas. Returns 0, or -1 for "off", for
 * more names than fit, and when memory is exhausted. Names point into `setting`'s copy, which is never freed.
 */
int gp_hardware_plan_of(const char *setting, struct gp_hardware_plan *plan);

/* What copies of kernels counted of `launches` launches (warp_bytes.h), by the classes of GPUPROF_WARP_CLASSES: bytes that
 * lanes ask for, and those with each byte of a warp once. */
struct gp_warp_bytes {
  uint64_t launches;
  uint64_t requested[GPUPROF_WARP_CLASS_COUNT], distinct[GPUPROF_WARP_CLASS_COUNT];
};

/* Values of `launches` launches; GP_UNKNOWN where one of them had none. */
struct gp_hardware_sum {
  uint64_t launches;
  uint64_t own_bytes; /* that gpuprof itself loads in them: the address of a kernel's counters, once a warp */
  uint64_t constants; /* that ptxas makes with instructions of half arithmetic, at most */
  struct gp_lane_shares shares; /* of their blocks' shapes */
  struct gp_warp_bytes warps;   /* also where the hardware was not measured */
  double value[GP_HARDWARE_MOST];
};
void gp_hardware_add(struct gp_hardware_sum *to, const struct gp_hardware_sum *from);
/* The same where most have none: *to is made when there is something to add, and null before. Without memory nothing is added. */
void gp_hardware_add_to(struct gp_hardware_sum **to, const struct gp_hardware_sum *from);

/* What gpuprof says of a counter: `counted` is its count by gpuprof's own conventions; the hardware should
 * show something from `least` to `most`: machine code for what the machine has no instruction for
 * (docs/accuracy.md). The two differ where ptxas is free to do less or more. Each is GP_UNKNOWN where there is nothing
 * to compare with. */
struct gp_hardware_view {
  double counted, least, most;
};
struct gp_hardware_view gp_hardware_view(const struct gp_totals *totals, enum gp_hardware counter);

/* Attempts that a thread's loop for an atomic makes at most, on average, where n threads meet at one address and one
 * succeeds at a time: (1 + … + n) / n, in a warp and in the largest block. */
#define GP_ATTEMPTS_IN_WARP ((GP_WARP_LANES + 1) / 2)
#define GP_MOST_ATTEMPTS ((1024 + 1) / 2.0)

/* Narrows the view of a counter by `swapped`, the measured bytes of atomics in shared memory: each attempt of a loop
 * for floats loads what it swaps. Nothing changes where they are GP_UNKNOWN. */
void gp_hardware_narrow_loops(const struct gp_totals *totals, double swapped, enum gp_hardware counter,
                              struct gp_hardware_view *view);

/* The bytes that a counter compares with, where lanes may share them; else GP_COST_COUNT. */
enum gp_cost gp_hardware_shared_by_lanes(enum gp_hardware counter);
/* Of a counter of bytes: what lanes share counts once a warp; what gpuprof itself loads, and generic accesses to other
 * spaces, count too. Of half_instructions: constants may count too. Leaves the others. */
void gp_hardware_narrow(struct gp_hardware_view *view, const struct gp_totals *totals, enum gp_hardware counter,
                        const struct gp_hardware_sum *sum);

/* By how many percent a measured value lies below `least` or above `most`; 0 in between, GP_NO_DIFFERENCE
 * where something is unknown, and where the bound is 0 and the value is not. */
#define GP_NO_DIFFERENCE (-1e300)
double gp_hardware_difference(double measured, double least, double most);

#endif
