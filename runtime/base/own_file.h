/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A descriptor that the runtime keeps. Programs close descriptors that they do not know, and their own files get the numbers. */
#ifndef GP_OWN_FILE_H
#define GP_OWN_FILE_H

#include <sys/types.h>

struct gp_own_file {
  int descriptor; /* -1: none */
  pid_t process;  /* that opened it */
  dev_t device;
  ino_t file;
};
#define GP_NO_OWN_FILE {.descriptor = -1}

/* Keeps a descriptor that was just opened, above the standard streams; -1: none. */
void gp_own_file_keep(struct gp_own_file *own, int descriptor);
/* Is it still that file, and was it opened by this process rather than by one that has forked? */
int gp_own_file_is_kept(const struct gp_own_file *own);
/* Closes it if it still is that file. */
void gp_own_file_close(struct gp_own_file *own);

#endif
