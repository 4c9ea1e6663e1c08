/* libgpuprof-cpu.so lies beside libgpuprof.so, or beside the file that this is a link to. */
#include "core/origin.h"
#include "cpu/cpu_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libgpuprof-cpu.so"

/* The loader's name of libgpuprof may be relative to the folder that the process was started in. */
static int own_path(char path[PATH_MAX]) {
  static const char here;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname)
    return -1;
  const char *folder = info.dli_fname[0] == '/' ? NULL : gp_origin_folder();
  const int length = snprintf(path, PATH_MAX, "%s%s%s", folder ? folder : "", folder ? "/" : "", info.dli_fname);
  return length < PATH_MAX ? 0 : -1;
}

/* The library's path in the folder of `file`. */
static int beside(const char *file, char path[PATH_MAX]) {
  const char *name = strrchr(file, '/');
  const int folder = name ? (int)(name - file) : 0;
  return snprintf(path, PATH_MAX, "%.*s/" FILE_NAME, folder, file) < PATH_MAX ? 0 : -1;
}

gp_cpu_open_function *gp_cpu_library_open(void) {
  char own[PATH_MAX], path[PATH_MAX], real[PATH_MAX], other[PATH_MAX];
  if (own_path(own) || beside(own, path)) {
    gp_log(GP_ERROR, "CPU device", "the folder of libgpuprof.so is not known, so " FILE_NAME " was not found; install gpuprof again");
    return NULL;
  }
  if (access(path, F_OK) && realpath(own, real) && !beside(real, other) && !access(other, F_OK))
    memcpy(path, other, sizeof path);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  gp_cpu_open_function *open = NULL;
  if (library)
    *(void **)&open = dlsym(library, GP_CPU_OPEN);
  if (!open)
    gp_log(GP_ERROR, "CPU device",
           "kernels were to run on it, but %s could not be opened (%s), so CUDA finds no device; install gpuprof again, "
           "or put that file beside libgpuprof.so",
           path, library ? "it is no such library" : access(path, F_OK) ? "no such file" : dlerror());
  return open;
}
