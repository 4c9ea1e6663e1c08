// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Libraries of kernels (cudaLibrary…). Code loaded at run time has no version for the CPU. The kernels and
 * variables compiled into the program stand for it, by their names.
 */
#include "common/errors.h"
#include "cuda-api/runtime/program_module.h"
#include "cuda-api/work/api.h"
#include "sheet/modules.h"

/* The handle of a kernel is its host stub. */
struct kernels {
  const void **list; /* null: they are only counted */
  unsigned room, count;
};

static int add_kernels(struct gp_module *module, void *closure) {
  struct kernels *kernels = closure;
  for (struct gp_function *f = module->functions; f; f = f->next)
    if (gp_modules_cpu_kernel_of(f)) {
      if (kernels->list && kernels->count < kernels->room)
        kernels->list[kernels->count] = f->host;
      kernels->count++;
    }
  return 0;
}

int gp_cpu_cudaLibraryLoadData(void *library, void *code, void *options, void *values, unsigned count,
                               void *library_options, void *library_values, unsigned library_count) {
  (void)options, (void)values, (void)count, (void)library_options, (void)library_values, (void)library_count;
  return gp_cpu_result(gp_driver_module(library, code, "cudaLibraryLoadData"));
}

int gp_cpu_cudaLibraryLoadFromFile(void *library, void *path, void *options, void *values, unsigned count,
                                   void *library_options, void *library_values, unsigned library_count) {
  (void)options, (void)values, (void)count, (void)library_options, (void)library_values, (void)library_count;
  return gp_cpu_result(gp_driver_module_file(library, path, "cudaLibraryLoadFromFile"));
}

static int check(const void *library) { return gp_driver_is_module(library) ? 0 : GP_ERROR_INVALID_HANDLE; }

int gp_cpu_cudaLibraryUnload(void *library) { return gp_cpu_result(check(library)); }

int gp_cpu_cudaLibraryGetKernel(void *kernel, void *library, void *name) {
  return gp_cpu_result(gp_driver_function(kernel, library, name));
}

int gp_cpu_cudaLibraryGetGlobal(void *address, void *bytes, void *library, void *name) {
  return gp_cpu_result(gp_driver_global(address, bytes, library, name));
}

int gp_cpu_cudaLibraryGetManaged(void *address, void *bytes, void *library, void *name) {
  return gp_cpu_result(gp_driver_managed(address, bytes, library, name));
}

/* Functions shared by a library with the host: the CPU device has compiled none. */
int gp_cpu_cudaLibraryGetUnifiedFunction(void *function, void *library, void *name) {
  int error = function && name ? check(library) : GP_ERROR_INVALID_VALUE;
  return gp_cpu_result(error ? error : GP_ERROR_INVALID_VALUE);
}

int gp_cpu_cudaLibraryGetKernelCount(void *count, void *library) {
  struct kernels kernels = {0};
  int error = count ? check(library) : GP_ERROR_INVALID_VALUE;
  if (!error) {
    gp_modules_each(add_kernels, &kernels);
    *(unsigned *)count = kernels.count;
  }
  return gp_cpu_result(error);
}

int gp_cpu_cudaLibraryEnumerateKernels(void *list, unsigned room, void *library) {
  struct kernels kernels = {.list = list, .room = room};
  int error = list ? check(library) : GP_ERROR_INVALID_VALUE;
  if (!error)
    gp_modules_each(add_kernels, &kernels);
  return gp_cpu_result(error);
}
