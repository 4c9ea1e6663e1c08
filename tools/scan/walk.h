/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernels, launches and host functions of one parsed file and the headers it includes. */
#ifndef GP_TOOL_SCAN_WALK_H
#define GP_TOOL_SCAN_WALK_H

#include "scan/found.h"
#include "scan/libclang.h"

/* Folders whose files are the project's. */
struct walk_roots {
  char **folders; /* real paths */
  size_t count;
};

/* Where code for the GPU stands: an error in it hides no launch. */
struct walk_bodies {
  struct walk_body {
    CXFile file;
    unsigned from, to; /* offsets */
  } * items;
  size_t count, capacity;
};

/* Adds to `found` what `unit` has, and to `bodies` kernels and device functions outside of system headers. */
void walk_unit(const struct libclang *libclang, CXTranslationUnit unit, const struct walk_roots *roots, struct found *found,
               struct walk_bodies *bodies);

#endif
