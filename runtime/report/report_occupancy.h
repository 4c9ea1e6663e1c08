/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The member `occupancy` of a row. */
#ifndef GP_REPORT_OCCUPANCY_H
#define GP_REPORT_OCCUPANCY_H

#include "machine/occupancy.h"
#include "report/aggregate.h"
#include "report/chips.h"
#include "report/json_writer.h"

/* Those that occupancy is about: of the GPU, or of the chip whose roof is used. */
struct gp_multiprocessors {
  unsigned architecture; /* 0: not known */
  unsigned count;        /* 0: not known */
  const struct gp_sm_limits *limits; /* null: the table lacks the architecture */
};

/* Both may be null. */
struct gp_multiprocessors gp_multiprocessors_of(const struct gp_device_info *device, const struct gp_chip *chip);

void gp_report_occupancy(struct gp_json *json, const struct gp_multiprocessors *sms, const struct gp_row *row);

/* Why occupancy is null where it is. The text stays until the next call. */
const char *gp_occupancy_note(const struct gp_device_info *device, const struct gp_chip *chip);

#endif
