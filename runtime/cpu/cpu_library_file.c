/* libgpuprof-cpu.so lies beside libgpuprof.so, or beside the file that this is a link to. Paths are on the heap: the first
 * call of CUDA may come on a thread with a small stack.
 */
#include "core/origin.h"
#include "cpu/cpu_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libgpuprof-cpu.so"

/* The loader's name of libgpuprof may be relative to the folder that the process was started in. Null: not known. */
static char *own_path(void) {
  static const char here;
  Dl_info info;
  char *path = NULL;
  if (!dladdr(&here, &info) || !info.dli_fname || !strchr(info.dli_fname, '/'))
    return NULL;
  const char *folder = info.dli_fname[0] == '/' ? NULL : gp_origin_folder();
  return asprintf(&path, "%s%s%s", folder ? folder : "", folder ? "/" : "", info.dli_fname) < 0 ? NULL : path;
}

/* The path of the library in the folder of `file`. */
static char *beside(const char *file) {
  char *path = NULL;
  return asprintf(&path, "%.*s/" FILE_NAME, (int)(strrchr(file, '/') - file), file) < 0 ? NULL : path;
}

static char *find(void) {
  char *own = own_path(), *path = own ? beside(own) : NULL, *real = own ? realpath(own, NULL) : NULL;
  if (path && real && access(path, F_OK)) {
    char *other = beside(real);
    if (other && !access(other, F_OK)) {
      free(path);
      path = other;
    } else {
      free(other);
    }
  }
  free(own);
  free(real);
  return path;
}

static gp_cpu_open_function *open_file(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  gp_cpu_open_function *open = NULL;
  if (library)
    *(void **)&open = dlsym(library, GP_CPU_OPEN);
  if (open)
    return open;
  const char *why = library ? "it is no such library" : access(path, F_OK) ? "no such file" : dlerror();
  gp_log(GP_ERROR, "CPU device",
         "kernels were to run on it, but %s could not be opened (%s), so CUDA finds no device; install gpuprof again, "
         "or put that file beside libgpuprof.so",
         path, why);
  return NULL;
}

gp_cpu_open_function *gp_cpu_library_open(void) {
  char *path = find();
  gp_cpu_open_function *open = path ? open_file(path) : NULL;
  if (!path)
    gp_log(GP_ERROR, "CPU device",
           "kernels were to run on it, but the folder of libgpuprof.so is not known, so CUDA finds no device; install "
           "gpuprof again");
  free(path);
  return open;
}
