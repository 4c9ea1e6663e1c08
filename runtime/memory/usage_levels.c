// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/usage_levels.h"

/* ---- Levels ---- */
static void pass_time(struct gp_usage_level *level, uint64_t ns) {
  if (ns <= level->changed_ns)
    return;
  level->byte_ns += (double)level->bytes * (double)(ns - level->changed_ns);
  level->changed_ns = ns;
}

int gp_usage_level_add(struct gp_usage_level *level, uint64_t bytes, uint64_t ns) {
  pass_time(level, ns);
  level->bytes += bytes;
  level->allocated_bytes += bytes;
  level->allocations++;
  if (level->bytes <= level->peak_bytes)
    return 0;
  level->peak_bytes = level->bytes;
  level->peak_ns = ns;
  return 1;
}

void gp_usage_level_subtract(struct gp_usage_level *level, uint64_t bytes, uint64_t ns) {
  pass_time(level, ns);
  level->bytes -= bytes;
  level->releases++;
}

uint64_t gp_usage_level_average(const struct gp_usage_level *level, uint64_t ns) {
  const double rest = ns > level->changed_ns ? (double)level->bytes * (double)(ns - level->changed_ns) : 0;
  return ns ? (uint64_t)((level->byte_ns + rest) / (double)ns) : 0;
}

/* ---- Curves ---- */
#define FIRST_WIDTH_NS 65536u

static void join_neighbours(struct gp_usage_curve *curve) {
  struct gp_usage_point *points = curve->points;
  for (size_t i = 0; i < curve->count; i += 2) {
    const struct gp_usage_point first = points[i], second = i + 1 < curve->count ? points[i + 1] : first;
    points[i / 2] = (struct gp_usage_point){first.most > second.most ? first.most : second.most, second.last};
  }
  curve->count = (curve->count + 1) / 2;
  curve->width_ns *= 2;
}

void gp_usage_curve_add(struct gp_usage_curve *curve, uint64_t bytes, uint64_t ns) {
  if (!curve->width_ns)
    curve->width_ns = FIRST_WIDTH_NS;
  while (ns / curve->width_ns >= GP_USAGE_POINTS)
    join_neighbours(curve);
  const size_t at = (size_t)(ns / curve->width_ns);
  const uint64_t before = curve->count ? curve->points[curve->count - 1].last : 0;
  while (curve->count <= at)
    curve->points[curve->count++] = (struct gp_usage_point){before, before};
  struct gp_usage_point *point = &curve->points[curve->count - 1]; /* clocks of threads may differ a little */
  point->most = point->most > bytes ? point->most : bytes;
  point->last = bytes;
}
