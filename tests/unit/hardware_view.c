// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The hardware check's expectation for given amounts of work of one thread, for comparisons with machine code. Lines
 * "NAME CLASS=AMOUNT ..." on stdin become "NAME COUNTER COUNTED LEAST MOST" for each compared counter.
 */
#include "report/hardware_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {
#define GP_HARDWARE(identifier, metrics) #identifier,
#include "core/hardware_counters.inc"
};

static int add(struct gp_totals *totals, const char *word) {
  const char *equals = strchr(word, '=');
  const enum gp_cost cost = equals ? gp_cost_find(word, (size_t)(equals - word)) : GP_COST_COUNT;
  if (cost == GP_COST_COUNT)
    return fprintf(stderr, "%s: no class of work and its amount\n", word), -1;
  totals->amount[cost] += strtoull(equals + 1, NULL, 10);
  return 0;
}

/* One thread shares no bytes. */
static struct gp_hardware_sum alone(void) {
  struct gp_hardware_sum sum = {.launches = 1};
  for (int i = 0; i < GP_LANE_PATTERNS; i++)
    sum.shares.least[i] = sum.shares.most[i] = 1;
  return sum;
}

static void print(const char *name, const struct gp_totals *totals) {
  const struct gp_hardware_sum sum = alone();
  for (int i = 0; i < GP_HARDWARE_COUNT; i++) {
    struct gp_hardware_view view = gp_hardware_view(totals, (enum gp_hardware)i);
    if (view.counted >= 0)
      gp_hardware_narrow(&view, totals, (enum gp_hardware)i, &sum);
    if (view.counted >= 0)
      printf("%s %s %.0f %.0f %.0f\n", name, keys[i], view.counted, view.least, view.most);
  }
}

int main(void) {
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    struct gp_totals totals = {0};
    const char *name = strtok(line, " \n");
    for (const char *word; name && (word = strtok(NULL, " \n"));)
      if (add(&totals, word))
        return 1;
    if (name)
      print(name, &totals);
  }
  return 0;
}
