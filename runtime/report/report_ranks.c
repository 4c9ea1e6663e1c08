// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_ranks.h"

#include "base/clock.h"
#include "base/ranks.h"

static void number_or_null(struct gp_json *json, const char *key, int64_t value) {
  if (value == GP_NO_RANK)
    gp_json_null(json, key);
  else
    gp_json_signed(json, key, value);
}

void gp_report_ranks(struct gp_json *json, const struct gp_device_info *device) {
  const struct gp_ranks *ranks = gp_ranks();
  number_or_null(json, "rank", ranks->rank);
  number_or_null(json, "world_size", ranks->world_size);
  number_or_null(json, "local_rank", ranks->local_rank);
  number_or_null(json, "local_size", ranks->local_size);
  gp_json_text(json, "launcher", ranks->launcher);
  gp_json_text(json, "device_uuid", device && device->uuid[0] ? device->uuid : NULL);
}
