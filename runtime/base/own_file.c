// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/own_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int above_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO)
    return descriptor;
  int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(descriptor);
  return higher;
}

static int is_same(const struct gp_own_file *own) {
  struct stat facts;
  return own->descriptor >= 0 && !fstat(own->descriptor, &facts) && facts.st_dev == own->device &&
         facts.st_ino == own->file;
}

void gp_own_file_keep(struct gp_own_file *own, int descriptor) {
  struct stat facts;
  *own = (struct gp_own_file){.descriptor = above_streams(descriptor), .process = getpid()};
  if (own->descriptor < 0 || fstat(own->descriptor, &facts))
    return;
  own->device = facts.st_dev;
  own->file = facts.st_ino;
}

int gp_own_file_is_kept(const struct gp_own_file *own) { return own->process == getpid() && is_same(own); }

void gp_own_file_close(struct gp_own_file *own) {
  if (is_same(own))
    close(own->descriptor);
  own->descriptor = -1;
}
