// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/beside.h"
#include "cpu/cpu_library.h"

#include <dlfcn.h>
#include <unistd.h>

static char path[PATH_MAX]; /* static for small stacks: the library is opened once */

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
  if (!gp_find_beside(path, "libgpuprof-cpu.so"))
    return open_file();
  gp_log(GP_ERROR, "CPU device",
         "kernels were to run on it, but the folder of libgpuprof.so is not known, so CUDA finds no device; install "
         "gpuprof again");
  return NULL;
}
