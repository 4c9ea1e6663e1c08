/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A regular file replaced as a whole: readers find the old document or the new one. */
#ifndef GP_OUTPUT_FILE_H
#define GP_OUTPUT_FILE_H

#include "report/output.h"

/* Writes beside the file and renames. Returns null, or the reason for a failure; the old file is then
 * unchanged. */
const char *gp_output_file_replace(const char *path, gp_output_writer *write, void *closure);
/* Makes the folders of the file, and checks that it could be written. Returns null, or the reason against
 * it. */
const char *gp_output_file_try(const char *path);
/* Gives the writer a stream for this descriptor. Returns null, or the reason why the document is
 * incomplete. */
const char *gp_output_stream(int descriptor, int patience_ms, gp_output_writer *write, void *closure);
/* open() with O_CLOEXEC, above the standard streams, also if the program has used up its descriptors. */
int gp_output_open(const char *path, int flags, unsigned mode);

#endif
