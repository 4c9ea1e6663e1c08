// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* libgpuprof-cpu.so lies beside libgpuprof.so, or beside the target of a link to libgpuprof.so. Paths are
 * static: the first call of CUDA may come on a thread with a small stack, or when memory is exhausted. It is
 * opened once.
 */
#include "base/origin.h"
#include "cpu/cpu_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libgpuprof-cpu.so"

static char own[PATH_MAX], resolved[PATH_MAX], path[PATH_MAX];

/* The loader's name of libgpuprof may be relative to the initial working folder of the process. */
static int find_own(void) {
  static const char here;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname || !strchr(info.dli_fname, '/'))
    return -1;
  const char *folder = info.dli_fname[0] == '/' ? NULL : gp_origin_folder();
  return snprintf(own, sizeof own, "%s%s%s", folder ? folder : "", folder ? "/" : "", info.dli_fname) < PATH_MAX ? 0 : -1;
}

static int name_beside(const char *file) {
  const int folder = (int)(strrchr(file, '/') - file);
  return snprintf(path, sizeof path, "%.*s/" FILE_NAME, folder, file) < PATH_MAX ? 0 : -1;
}

/* If neither file exists, the path is the one beside the loader's name. */
static int find(void) {
  if (find_own() || name_beside(own))
    return -1;
  if (access(path, F_OK) && realpath(own, resolved) && (name_beside(resolved) || access(path, F_OK)))
    return name_beside(own);
  return 0;
}

static gp_cpu_open_function *open_file(void) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  gp_cpu_open_function *open = NULL;
  if (library)
    *(void **)&open = dlsym(library, GP_CPU_OPEN);
  if (open)
    return open;
  const char *why = library ? "it is no such library" : access(path, F_OK) ? "no such file" : dlerror();
  gp_log(GP_ERROR, "CPU device",
         "kernels were to run on it, but %s could not be opened (%s), so CUDA finds no device; run where there is a GPU, "
         "or install gpuprof with its CPU device (built with GPUPROF_CPU_DEVICE=ON)",
         path, why);
  return NULL;
}

gp_cpu_open_function *gp_cpu_library_open(void) {
  if (!find())
    return open_file();
  gp_log(GP_ERROR, "CPU device",
         "kernels were to run on it, but the folder of libgpuprof.so is not known, so CUDA finds no device; install "
         "gpuprof again");
  return NULL;
}
