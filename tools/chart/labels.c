// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The places of the points' names: every label tries a ring of places around its marker
 * and takes the cheapest free one. Some further rounds mend the effects of the order. */
#include "chart/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 5
#define PUSHES 24
#define PUSH_COST 60.0
#define MARGIN 3.0
#define MARKER_RADIUS 9.0
#define IMPOSSIBLE 1e9

struct scene {
  struct chart_point *points;
  size_t count;
  const struct box *fixed;
  size_t fixed_count;
  const struct segment *lines;
  size_t line_count;
};

static bool overlap(struct box a, struct box b) {
  return a.x < b.x + b.width + MARGIN && b.x < a.x + a.width + MARGIN && a.y < b.y + b.height + MARGIN &&
         b.y < a.y + a.height + MARGIN;
}

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

static bool segments_cross(struct segment a, struct segment b) {
  double ax = a.x2 - a.x1, ay = a.y2 - a.y1, bx = b.x2 - b.x1, by = b.y2 - b.y1;
  double d = cross(ax, ay, bx, by), px = b.x1 - a.x1, py = b.y1 - a.y1;
  if (fabs(d) < 1e-9)
    return false;
  double s = cross(px, py, bx, by) / d, t = cross(px, py, ax, ay) / d;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

static bool inside(struct box box, double x, double y) {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

static bool segment_hits(struct segment s, struct box box) {
  double right = box.x + box.width, bottom = box.y + box.height;
  struct segment falling = {box.x, box.y, right, bottom}, rising = {box.x, bottom, right, box.y};
  return inside(box, s.x1, s.y1) || inside(box, s.x2, s.y2) || segments_cross(s, falling) ||
         segments_cross(s, rising);
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/* From the marker to the nearest point of its label. */
static struct segment leader(const struct chart_point *point, struct box box) {
  return (struct segment){point->x, point->y, clamp(point->x, box.x, box.x + box.width),
                          clamp(point->y, box.y, box.y + box.height)};
}

static struct box marker_box(double x, double y, double radius) {
  return (struct box){x - radius, y - radius, 2 * radius, 2 * radius};
}

/* A label or its leader would lie over the label of `other`, or the other way round. */
static bool conflict(const struct chart_point *self, struct box box, const struct chart_point *other) {
  return other != self && other->labelled &&
         (overlap(box, other->label) || segment_hits(leader(self, box), other->label) ||
          segment_hits(leader(other, other->label), box));
}

/* `conflict_cost`: the cost of taking another label's place. */
static double cost_of(const struct scene *scene, const struct chart_point *self, struct box box,
                      double conflict_cost) {
  struct segment lead = leader(self, box);
  double cost = 0;
  if (box.x < CHART_LEFT + 4 || box.y < CHART_TOP + 4 || box.x + box.width > CHART_RIGHT - 4 ||
      box.y + box.height > CHART_BOTTOM - 4)
    return IMPOSSIBLE;
  for (size_t i = 0; i < scene->fixed_count; ++i) {
    if (overlap(box, scene->fixed[i]))
      return IMPOSSIBLE;
    cost += segment_hits(lead, scene->fixed[i]) ? 40 : 0;
  }
  for (size_t i = 0; i < scene->count; ++i) {
    const struct chart_point *other = &scene->points[i];
    if (overlap(box, marker_box(other->x, other->y, MARKER_RADIUS - MARGIN)))
      return IMPOSSIBLE;
    if (other->has_requested && overlap(box, marker_box(other->requested_x, other->y, 4)))
      return IMPOSSIBLE;
    for (size_t k = 0; k < other->level_count; ++k)
      if (overlap(box, marker_box(other->levels[k].x, other->y + 4, 9)))
        return IMPOSSIBLE;
    if (other == self)
      continue;
    cost += segment_hits(lead, marker_box(other->x, other->y, MARKER_RADIUS - 2)) ? 50 : 0;
    if (!other->labelled)
      continue;
    cost += conflict(self, box, other) ? conflict_cost : 0;
    cost += segments_cross(lead, leader(other, other->label)) ? 60 : 0;
  }
  for (size_t i = 0; i < scene->line_count; ++i)
    cost += segment_hits(scene->lines[i], box) ? 14 : 0;
  return fmin(cost, IMPOSSIBLE);
}

/* The box whose edge lies `radius` from the marker in direction `angle`. */
static struct box candidate(const struct chart_point *point, double angle, double radius) {
  double dx = cos(angle), dy = sin(angle), width = point->label.width, height = point->label.height;
  double x = point->x + dx * radius, y = point->y + dy * radius;
  return (struct box){x - width * (1 - dx) / 2, y - height * (1 - dy) / 2, width, height};
}

static void place(const struct scene *scene, struct chart_point *point, double conflict_cost) {
  static const double radii[] = {12, 20, 30, 42, 56, 74, 96, 122, 152, 190, 236};
  const int directions = 24;
  struct box best = point->label;
  double least = IMPOSSIBLE;
  for (size_t r = 0; r < sizeof radii / sizeof *radii; ++r)
    for (int d = 0; d < directions; ++d) {
      double angle = 2 * acos(-1) * d / directions;
      struct box box = candidate(point, angle, radii[r]);
      double preference = radii[r] * 0.55 + 4 * (1 - cos(angle)) + (sin(angle) < -0.5 ? 0 : 1);
      double cost = preference < least ? preference + cost_of(scene, point, box, conflict_cost) : IMPOSSIBLE;
      if (cost < least) {
        least = cost;
        best = box;
      }
    }
  point->labelled = least < IMPOSSIBLE;
  point->label = best;
  for (size_t i = 0; point->labelled && i < scene->count; ++i)
    if (conflict(point, best, &scene->points[i]))
      scene->points[i].labelled = false;
}

static size_t labelled(const struct scene *scene) {
  size_t count = 0;
  for (size_t i = 0; i < scene->count; ++i)
    count += scene->points[i].labelled;
  return count;
}

static void improve(const struct scene *scene) {
  for (int round = 0; round < ROUNDS; ++round)
    for (size_t i = 0; i < scene->count; ++i) {
      scene->points[i].labelled = false;
      place(scene, &scene->points[i], IMPOSSIBLE);
    }
}

/* Names without a place push others away, to look for another place; the best state seen is kept. */
static void push_away(const struct scene *scene) {
  struct chart_point *best = allocate(scene->count * sizeof *best);
  memcpy(best, scene->points, scene->count * sizeof *best);
  size_t most = labelled(scene);
  for (int round = 0; round < PUSHES && most < scene->count; ++round) {
    for (size_t i = 0; i < scene->count; ++i)
      if (!scene->points[i].labelled)
        place(scene, &scene->points[i], PUSH_COST * (1 + round % 3));
    for (size_t i = 0; i < scene->count; ++i)
      if (!scene->points[i].labelled)
        place(scene, &scene->points[i], IMPOSSIBLE);
    if (labelled(scene) > most) {
      most = labelled(scene);
      memcpy(best, scene->points, scene->count * sizeof *best);
    }
  }
  memcpy(scene->points, best, scene->count * sizeof *best);
  free(best);
}

static void measure(struct chart_point *point) {
  double width = 0;
  for (size_t i = 0; i < point->line_count; ++i)
    width = fmax(width, lettering_width(point->lines[i], LABEL_SIZE, false));
  point->label = (struct box){0, 0, width, LABEL_LINE * (double)point->line_count};
  point->labelled = false;
}

void labels_place(struct chart_point *points, size_t count, const struct box *fixed, size_t fixed_count,
                  const struct segment *lines, size_t line_count) {
  struct scene scene = {points, count, fixed, fixed_count, lines, line_count};
  for (size_t i = 0; i < count; ++i)
    measure(&points[i]);
  improve(&scene);
  push_away(&scene);
  improve(&scene);
}
