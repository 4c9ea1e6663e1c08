// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Other devices, such as /dev/zero, may never end. */
static int is_null_device(const struct stat *facts) {
  return S_ISCHR(facts->st_mode) && facts->st_rdev == makedev(1, 3);
}

static int objection_to(int descriptor) {
  struct stat facts;
  if (fstat(descriptor, &facts))
    return errno;
  return S_ISDIR(facts.st_mode) ? EISDIR : S_ISREG(facts.st_mode) || is_null_device(&facts) ? 0 : ESPIPE;
}

FILE *gp_input_open(const char *path) {
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0)
    return NULL;
  int error = objection_to(descriptor);
  FILE *file = error ? NULL : fdopen(descriptor, "r");
  if (!file) {
    error = error ? error : errno;
    close(descriptor);
    errno = error;
  }
  return file;
}
