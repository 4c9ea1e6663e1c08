// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/log.h"
#include "common/errors.h"
#include "cuda-api/runtime/program_module.h"
#include "sheet/modules.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const char program_module; /* only its address is used */

void *gp_program_module(void) { return (void *)&program_module; }

int gp_driver_is_module(const void *module) { return module == &program_module; }

int gp_driver_module(void **module, const void *image, const char *caller) {
  if (!module || !image)
    return GP_ERROR_INVALID_VALUE;
  gp_log(GP_WARN, caller,
         "what is loaded at run time has no version for the CPU device; kernels and variables of the same "
         "names that "
         "were compiled into the program with the gpuprof plugin stand for it");
  *module = gp_program_module();
  return 0;
}

int gp_driver_module_file(void **module, const char *path, const char *caller) {
  return path && access(path, R_OK) ? GP_DRIVER_FILE_NOT_FOUND : gp_driver_module(module, path, caller);
}

struct wanted {
  const char *name;
  const void *function;
};

static int has_function(struct gp_module *module, void *closure) {
  struct wanted *wanted = closure;
  for (const struct gp_function *f = module->functions; f && !wanted->function; f = f->next)
    if (!strcmp(f->name, wanted->name))
      wanted->function = f->host;
  return wanted->function != NULL;
}

int gp_driver_function(void **function, const void *module, const char *name) {
  struct wanted wanted = {.name = name};
  if (!function || !name)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_driver_is_module(module))
    return GP_ERROR_INVALID_HANDLE;
  *function = NULL;
  if (!gp_modules_each(has_function, &wanted)) {
    gp_log(GP_WARN, name,
           "no kernel of this name was compiled into the program, so cuModuleGetFunction did not find it");
    return GP_DRIVER_NOT_FOUND;
  }
  *function = (void *)wanted.function;
  return 0;
}

struct wanted_variable {
  const char *name;
  bool managed;
  const struct gpuprof_cpu_variable *found;
};

static int has_variable(struct gpuprof_host_unit *unit, void *closure) {
  struct wanted_variable *wanted = closure;
  for (uint64_t i = 0; unit->cpu_variables && i < unit->cpu_variable_count && !wanted->found; i++)
    if (!strcmp(unit->cpu_variables[i].name, wanted->name) &&
        (!wanted->managed || unit->cpu_variables[i].flags & GPUPROF_CPU_VARIABLE_MANAGED))
      wanted->found = &unit->cpu_variables[i];
  return wanted->found != NULL;
}

static int find_variable(void **address, size_t *bytes, const void *module, const char *name, bool managed) {
  struct wanted_variable wanted = {.name = name, .managed = managed};
  if (!name)
    return GP_ERROR_INVALID_VALUE;
  if (!gp_driver_is_module(module))
    return GP_ERROR_INVALID_HANDLE;
  if (!gp_modules_each_unit(has_variable, &wanted))
    return GP_DRIVER_NOT_FOUND;
  if (address)
    *address = wanted.found->address;
  if (bytes)
    *bytes = wanted.found->bytes;
  return 0;
}

int gp_driver_global(void **address, size_t *bytes, const void *module, const char *name) {
  return find_variable(address, bytes, module, name, false);
}

int gp_driver_managed(void **address, size_t *bytes, const void *module, const char *name) {
  return find_variable(address, bytes, module, name, true);
}
