/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A descriptor kept by the runtime. Programs close unknown descriptors, and their own files get the
 * numbers. */
#ifndef GP_OWN_FILE_H
#define GP_OWN_FILE_H

#include <sys/types.h>

struct gp_own_file {
  int descriptor; /* -1: none */
  pid_t process;  /* the opening process */
  dev_t device;
  ino_t file;
};
#define GP_NO_OWN_FILE {.descriptor = -1}

/* Keeps a freshly opened descriptor, above the standard streams; -1: none. */
void gp_own_file_keep(struct gp_own_file *own, int descriptor);
/* True if it is still that file, and was opened by this process, not by a parent before a fork. */
int gp_own_file_is_kept(const struct gp_own_file *own);
/* Closes it if it is still that file. */
void gp_own_file_close(struct gp_own_file *own);

#endif
