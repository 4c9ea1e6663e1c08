/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the files installed beside libgpuprof.so, or beside the target of a link to it. */
#ifndef GP_BESIDE_H
#define GP_BESIDE_H

#include <limits.h>

/* Writes the path of `name`, which may contain folders. If neither file exists, the path is the one beside the
 * loader's name of libgpuprof. Returns -1 if the folder is not known. */
int gp_find_beside(char path[PATH_MAX], const char *name);

#endif
