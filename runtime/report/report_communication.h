/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The document's member `communication`. */
#ifndef GP_REPORT_COMMUNICATION_H
#define GP_REPORT_COMMUNICATION_H

#include "report/json_writer.h"

/* Absent if there was no call of MPI or NCCL. */
void gp_report_communication(struct gp_json *json, uint64_t duration_ns);
/* The note on bytes that are not known. Returns 0 if all are. */
int gp_communication_note(char *text, size_t size);

#endif
