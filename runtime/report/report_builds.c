// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_builds.h"

#include "base/log.h"
#include "sheet/units.h"

#include <stdlib.h>
#include <string.h>

static int same_build(const struct gp_sheet *a, const struct gp_sheet *b) {
  for (unsigned i = 0; i < GP_BUILD_COUNT; i++)
    if ((a->build[i] && b->build[i]) ? strcmp(a->build[i], b->build[i]) : a->build[i] != b->build[i])
      return 0;
  return 1;
}

/* A unit with launched kernels. Sheets are kept for ever; the unit's pointer to its own may change at any
 * time. */
struct unit_that_ran {
  const char *source;
  const struct gp_sheet *sheet;
};

/* In order of registration; null when memory is exhausted. Threads launch meanwhile: each unit is read
 * once. */
static struct unit_that_ran *units_that_ran(size_t *count) {
  size_t all = 0, place = 0;
  const struct gp_unit *newest = gp_units();
  for (const struct gp_unit *unit = newest; unit; unit = unit->next)
    all++;
  struct unit_that_ran *units = malloc((all + 1) * sizeof *units);
  *count = 0;
  if (!units)
    return NULL;
  for (const struct gp_unit *unit = newest; unit; unit = unit->next) {
    const struct gp_sheet *sheet = atomic_load(&unit->state) == GP_UNIT_UNREAD ? NULL : atomic_load(&unit->sheet);
    if (sheet && !atomic_load(&unit->replaced))
      units[place++] = (struct unit_that_ran){unit->source, sheet};
  }
  for (size_t i = 0; i < place / 2; i++) {
    const struct unit_that_ran last = units[place - 1 - i];
    units[place - 1 - i] = units[i];
    units[i] = last;
  }
  *count = place;
  return units;
}

static int is_first_of_its_build(const struct unit_that_ran *units, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (same_build(units[i].sheet, units[index].sheet))
      return 0;
  return 1;
}

static void write_sources(struct gp_json *json, const struct unit_that_ran *units, size_t count, size_t index) {
  gp_json_array(json, "sources");
  for (size_t i = index; i < count; i++)
    if (same_build(units[i].sheet, units[index].sheet))
      gp_json_text(json, NULL, units[i].source);
  gp_json_close_array(json);
}

void gp_report_builds(struct gp_json *json) {
  size_t count, builds = 0;
  struct unit_that_ran *units = units_that_ran(&count);
  for (size_t i = 0; i < count; i++)
    builds += (size_t)is_first_of_its_build(units, i);
  gp_json_array(json, "builds");
  for (size_t i = 0; i < count; i++) {
    if (!is_first_of_its_build(units, i))
      continue;
    gp_json_object(json, NULL);
    for (unsigned k = 0; k < GP_BUILD_COUNT; k++)
      gp_json_text(json, gp_build_keys[k], units[i].sheet->build[k]);
    if (builds > 1)
      write_sources(json, units, count, i);
    gp_json_close_object(json);
  }
  gp_json_close_array(json);
  free(units);
}

void gp_report_builds_remark(void) {
  size_t count;
  struct unit_that_ran *units = units_that_ran(&count);
  for (size_t i = 0; i < count; i++) {
    const char *level = units[i].sheet->build[GP_BUILD_optimization];
    if (level && !strcmp(level, "O0")) {
      gp_remark("context.builds",
                "%s: its kernels were compiled without optimization (-O0), so that counts have local variables in memory and "
                "work that other levels remove; nvcc compiles kernels with -O3: compile with -O3 for such counts",
                units[i].source);
      break;
    }
  }
  free(units);
}
