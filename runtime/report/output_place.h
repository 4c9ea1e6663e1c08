/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target of a name: a file to replace, a descriptor of this process, or a device or pipe to write to. */
#ifndef GP_OUTPUT_PLACE_H
#define GP_OUTPUT_PLACE_H

#include "report/output.h"

#include <sys/types.h>

enum gp_place_kind { GP_PLACE_FILE, GP_PLACE_DESCRIPTOR, GP_PLACE_DEVICE };

struct gp_place {
  enum gp_place_kind kind;
  char *path;     /* of a file or device, with links of its last part followed; to free */
  int descriptor; /* of a descriptor, and its file when the place was found */
  dev_t device;
  ino_t file;
};

/* Finds the kind of `path`, checks that it can be written, and makes its folders. Returns null, or the reason
 * against it. */
const char *gp_place_find(struct gp_place *place, const char *path);
/* Returns null, or the reason why the document was not written. */
const char *gp_place_write(const struct gp_place *place, gp_output_writer *write, void *closure);
void gp_place_free(struct gp_place *place);

#endif
