// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/origin.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAMS 3

static char folder[PATH_MAX];
static struct identity {
  int open;
  dev_t device;
  ino_t file;
} streams[STREAMS];

static struct identity identify(int descriptor) {
  struct stat facts;
  if (fstat(descriptor, &facts))
    return (struct identity){0};
  return (struct identity){1, facts.st_dev, facts.st_ino};
}

static int same(struct identity a, struct identity b) {
  return a.open && b.open && a.device == b.device && a.file == b.file;
}

/* Before the library's other constructors, which look for files. */
__attribute__((constructor(101))) static void look(void) {
  if (!getcwd(folder, sizeof folder))
    folder[0] = 0;
  for (int i = 0; i < STREAMS; i++)
    streams[i] = identify(i);
}

const char *gp_origin_folder(void) { return folder[0] == '/' ? folder : 0; }

static int is_redirection(int descriptor, mode_t mode) {
  return S_ISCHR(mode) || S_ISFIFO(mode) || (fcntl(descriptor, F_GETFL) & O_APPEND) ||
         (descriptor == STDERR_FILENO && same(identify(STDOUT_FILENO), identify(descriptor)));
}

int gp_origin_is_stream(int descriptor) {
  struct stat facts;
  if (descriptor < 0 || descriptor >= STREAMS || !streams[descriptor].open || fstat(descriptor, &facts))
    return 0;
  return same(streams[descriptor], identify(descriptor)) || is_redirection(descriptor, facts.st_mode);
}
