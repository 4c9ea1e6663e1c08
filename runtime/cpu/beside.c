// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Paths are static: the first call of CUDA may come on a thread with a small stack, or when memory is
 * exhausted. */
#include "cpu/beside.h"

#include "base/origin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char own[PATH_MAX], resolved[PATH_MAX]; /* empty: not known */
static pthread_once_t found = PTHREAD_ONCE_INIT;

/* The loader's name of libgpuprof may be relative to the initial working folder of the process. */
static void find_own(void) {
  static const char here;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname || !strchr(info.dli_fname, '/'))
    return;
  const char *folder = info.dli_fname[0] == '/' ? NULL : gp_origin_folder();
  if (snprintf(own, sizeof own, "%s%s%s", folder ? folder : "", folder ? "/" : "", info.dli_fname) >= PATH_MAX)
    own[0] = 0;
  else if (!realpath(own, resolved))
    resolved[0] = 0;
}

static int name_beside(char path[PATH_MAX], const char *file, const char *name) {
  const char *end = strrchr(file, '/');
  return end && snprintf(path, PATH_MAX, "%.*s/%s", (int)(end - file), file, name) < PATH_MAX ? 0 : -1;
}

int gp_find_beside(char path[PATH_MAX], const char *name) {
  pthread_once(&found, find_own);
  if (name_beside(path, own, name))
    return -1;
  if (access(path, F_OK) && (name_beside(path, resolved, name) || access(path, F_OK)))
    return name_beside(path, own, name);
  return 0;
}
