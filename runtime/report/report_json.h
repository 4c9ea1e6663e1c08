/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The report as JSON: schema gpuprof.roofline, version 2 (docs/roofline.schema.json). Knows no device. */
#ifndef GP_REPORT_JSON_H
#define GP_REPORT_JSON_H

#include "base/device.h"
#include "core/snapshot.h"
#include "report/aggregate.h"
#include "report/chips.h"
#include "report/times_file.h"

#include <stdio.h>

/* All data of the document outside of the aggregate. Null texts become null. */
struct gp_report_facts {
  const char *tool_version, *command, *host, *start_time, *compiler, *plugin_options, *filter;
  long pid;
  uint64_t duration_ns, warmup, launches_ns;
  const char *how; /* the program ends: a word of the schema's context.end.how; null: it is running */
  int signal;      /* the fatal signal, or 0 */
  uint64_t process_start; /* in clock ticks after the machine's start, as in /proc/PID/stat; 0: unknown */
  uint64_t counted_until_ns;
  int asks_device; /* the device may be asked for its memory */
  struct gp_snapshot snapshot;
  const struct gp_device_info *device; /* null: no kernel was launched, or no launch has ended */
  const struct gp_chip *chip;          /* null: unknown */
  struct gp_times_match times;         /* with GPUPROF_TIMES_FILE */
};

/* Returns 0, or -1 if the stream failed. */
int gp_report_json(FILE *stream, const struct gp_report_facts *facts, const struct gp_aggregate *aggregate);

#endif
