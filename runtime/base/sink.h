/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Writing to a descriptor, possibly a pipe, a terminal or a full disk, without waiting for ever. */
#ifndef GP_SINK_H
#define GP_SINK_H

#include <stddef.h>
#include <stdio.h>

/* Maximum pause of a pipe's reader before it is given up. */
#define GP_SINK_PATIENCE_MS 5000

struct gp_sink {
  int descriptor;
  int patience_ms; /* for the reader; 0 for a regular file without one */
  int error;       /* errno of the first failure */
};

/* Writes all bytes. Returns 0, or -1 with sink->error set. The caller holds SIGPIPE and SIGXFSZ. */
int gp_sink_write(struct gp_sink *sink, const char *bytes, size_t count);
/* A stream writing to the sink, to be closed by fclose(); the descriptor stays open. Null without memory. */
FILE *gp_sink_stream(struct gp_sink *sink);

#endif
