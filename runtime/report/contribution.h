/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One instance of one kernel in one context: its counts × its cost sheet → rows of regions and of the kernel. */
#ifndef GP_CONTRIBUTION_H
#define GP_CONTRIBUTION_H

#include "report/aggregate.h"
#include "report/reading.h"
#include "sheet/sheet.h"

#include <stddef.h>
#include <stdint.h>

/* State shared by the contributions of one aggregate. */
struct gp_contributions {
  struct gp_aggregate *aggregate;
  struct gp_reading *reading;
  struct gp_scratch *memory;
  /* The current record: */
  uint64_t number;
  const struct gp_record_reading *read;
  uint64_t uncounted; /* of its launches */
  /* Terms of this kernel's sheet with lines, in the order of lines. Many records in sequence belong to one
   * kernel. */
  const struct gp_sheet_kernel *lines_of;
  const struct gp_sheet_term **line_terms;
  size_t line_term_count;
};

/* Adds one instance of the current record's kernel, within the row `around`. `kernel_row` is null in a warm-up.
 * `with_launches`: rows of its regions get the record's launches, times and unique bytes. Stores the number of threads
 * counted by the instance. Returns 0, or -1 when memory is exhausted. */
int gp_contribution_add(struct gp_contributions *shared, size_t instance, struct gp_row *around,
                        struct gp_row *kernel_row, int with_launches, uint64_t *threads);

#endif
