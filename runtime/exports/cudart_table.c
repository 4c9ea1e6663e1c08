// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exports/cudart.h"

#include "base/device.h"
#include "base/log.h"
#include "exports/cuda_functions.h"

#include <dlfcn.h>

/* ---- Functions missing on a device ---- */
static int unsupported(const char *name) {
  gp_log(GP_WARN, name, "not available on %s, so it returned cudaErrorNotSupported", gp_cuda_functions()->name);
  return GP_CUDA_ERROR_NOT_SUPPORTED;
}

/* Parameters keep their names in cudart.inc, and these functions read none of them. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GP_CUDART(name, parameters, arguments, cpu)                                                          \
  static int unsupported_##name parameters { return unsupported(#name); }
#define GP_CUDART_TEXT(name, parameters, arguments, cpu)                                                     \
  static const char *unsupported_##name parameters {                                                         \
    unsupported(#name);                                                                                      \
    return "unrecognized error code";                                                                        \
  }
#include "exports/cudart.inc"
#pragma GCC diagnostic pop

/* ---- A table with gaps ---- */
void gp_cudart_complete(struct gp_cudart *table) {
#define GP_CUDART(name, parameters, arguments, cpu)                                                          \
  if (!table->name)                                                                                          \
    table->name = unsupported_##name;
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu)                                              \
  if (!table->name)                                                                                          \
    *(void **)&table->name = *(void **)&table->base;
#include "exports/cudart.inc"
}

/* ---- The table of an opened library ---- */
/* dlsym() returns an object pointer. ISO C does not convert it to a function pointer: its bits are stored
 * instead. */
#define LOAD(name)                                                                                           \
  do {                                                                                                       \
    void *symbol = dlsym(library, #name);                                                                    \
    if (symbol)                                                                                              \
      *(void **)&table->name = symbol;                                                                       \
    else                                                                                                     \
      table->name = unsupported_##name;                                                                      \
  } while (0)
#define LOAD_ALIAS(name, base)                                                                               \
  do {                                                                                                       \
    void *symbol = dlsym(library, #name);                                                                    \
    *(void **)&table->name = symbol ? symbol : *(void **)&table->base;                                       \
  } while (0)

void gp_cudart_load(struct gp_cudart *table, void *library) {
#define GP_CUDART(name, parameters, arguments, cpu) LOAD(name);
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) LOAD_ALIAS(name, base);
#include "exports/cudart.inc"
}

/* ---- The device in use ---- */
_Atomic(const struct gp_cudart *) gp_cudart_in_use;

const struct gp_cuda_functions *gp_cuda_functions(void) { return gp_device()->cuda; }

const struct gp_cudart *gp_cudart_choose(void) {
  const struct gp_cudart *table = gp_cuda_functions()->runtime();
  atomic_store_explicit(&gp_cudart_in_use, table, memory_order_release);
  return table;
}
