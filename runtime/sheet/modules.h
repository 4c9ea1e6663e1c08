/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Registrations of compiled code: CUDA modules (fatbins) with their kernels and variables, and gpuprof's
 * units. Everything is recorded, for a replay into a CUDA runtime opened later. Thread-safe.
 */
#ifndef GP_MODULES_H
#define GP_MODULES_H

#include "gpuprof/abi.h"

#include <stddef.h>
#include <stdint.h>

struct gp_module;
struct gp_unit;

/* A kernel of a module: __cudaRegisterFunction. */
struct gp_function {
  struct gp_function *next; /* in order of registration */
  struct gp_module *module;
  const void *host; /* host stub */
  const char *name; /* mangled device name */
  struct gp_function *chain;                /* of look-ups: others with the same hash */
  const struct gpuprof_cpu_kernel *lowered; /* of look-ups: the result of gp_modules_cpu_kernel() */
};

/* A device variable of a module: __cudaRegisterVar, __cudaRegisterManagedVar. */
struct gp_variable {
  struct gp_variable *next;
  struct gp_module *module;
  const void *shadow;    /* host shadow; for a managed variable: the address of the host's pointer to it */
  const void *initial;   /* managed: the initial value, else null */
  const char *name;
  size_t bytes;
  int constant;
  uint32_t alignment;    /* managed: alignment, else 0 */
};

/* One __cudaRegisterFatBinary. The handle given to compiled code is a pointer to this. */
struct gp_module {
  struct gp_module *next;
  void *wrapper;                 /* argument of __cudaRegisterFatBinary */
  void **real;                   /* handle of the real CUDA runtime, once replayed; owned by runtime/cuda */
  int complete;                  /* __cudaRegisterFatBinaryEnd was called */
  struct gp_function *functions; /* in order of registration */
  struct gp_variable *variables;
  struct gp_function **functions_end;
  struct gp_variable **variables_end;
  struct gp_unit *unit; /* gpuprof's unit of the same translation unit, once both are registered */
};

/* ---- Registration, called by the exported __cudaRegister* functions ---- */
void **gp_modules_register_fatbin(void *wrapper);
void gp_modules_register_function(void **handle, const void *host_function, const char *device_name);
void gp_modules_register_variable(void **handle, const void *shadow, const char *device_name, size_t bytes, int constant);
void gp_modules_register_managed(void **handle, const void *pointer, const void *initial, const char *device_name,
                                 size_t bytes, uint32_t alignment);
void gp_modules_register_end(void **handle);
/* Forgets the module, after its counts have been saved. Returns the real CUDA runtime's handle, or null. Call
 * it before the real unregistration. */
void **gp_modules_unregister_fatbin(void **handle);
/* Modules unregistered so far: a change ends what is remembered of kernels in them. */
uint64_t gp_modules_left(void);

/* Calls visit for each module in order of registration until it returns non-zero; returns this value.
 * Registration from within visit is not allowed. */
int gp_modules_each(int (*visit)(struct gp_module *module, void *closure), void *closure);

/* ---- Lookups; null when unknown ---- */
const struct gpuprof_cpu_kernel *gp_modules_cpu_kernel(const void *host_function);
/* The same for visitors of gp_modules_each(); they hold the lock of modules. */
const struct gpuprof_cpu_kernel *gp_modules_cpu_kernel_of(struct gp_function *function);
/* The kernel of the same unit with this suffix in its name. */
const struct gpuprof_cpu_kernel *gp_modules_cpu_sibling(const void *host_function, const char *suffix);
const struct gpuprof_cpu_variable *gp_modules_cpu_variable(const void *shadow);
/* Mangled name of a kernel by its host stub. */
const char *gp_modules_function_name(const void *host_function);
/* The largest CUDART_VERSION used to compile any registered unit; 0: none, or gpuprof's own header. */
uint32_t gp_modules_cuda_version(void);
/* Calls visit for each registered unit compatible with this runtime. */
int gp_modules_each_unit(int (*visit)(struct gpuprof_host_unit *unit, void *closure), void *closure);
/* The units of the modules with this registered host stub; returns their number. Inline kernels may have
 * several; up to `capacity` are stored. */
size_t gp_modules_units_of(const void *host_function, struct gp_unit **units, size_t capacity);

#endif
