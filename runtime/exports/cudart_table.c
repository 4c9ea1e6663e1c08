#include "exports/cudart.h"

#include "core/device.h"
#include "core/log.h"
#include "cuda/cuda_real.h"

#include <dlfcn.h>

/* ---- What no device has ---- */
static int unsupported(const char *name) {
  gp_log(GP_WARN, name, "not available on %s, so it returned cudaErrorNotSupported",
         gp_device() == &gp_device_cuda ? "this CUDA runtime" : "the CPU device");
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

/* ---- The CPU device's table ---- */
#define DECLARE_CPU(result, name, parameters) result gp_cpu_##name parameters;
#define DECLARE_NOCPU(result, name, parameters)
#define GP_CUDART(name, parameters, arguments, cpu) DECLARE_##cpu(int, name, parameters)
#define GP_CUDART_TEXT(name, parameters, arguments, cpu) DECLARE_##cpu(const char *, name, parameters)
#define GP_CUDART_VERSION(name, base, parameters, arguments, cpu) DECLARE_##cpu(int, name, parameters)
#include "exports/cudart.inc"

#define ENTRY_CPU(name, base) .name = gp_cpu_##base,
#define ENTRY_NOCPU(name, base) .name = unsupported_##base,
/* The CPU device's functions; what it lacks answers cudaErrorNotSupported and says so once. */
static const struct gp_cudart of_cpu = {
#define GP_CUDART(name, parameters, arguments, cpu) ENTRY_##cpu(name, name)
#define GP_CUDART_ALIAS(name, base, parameters, arguments, cpu) ENTRY_##cpu(name, base)
#define GP_CUDART_VERSION(name, base, parameters, arguments, cpu) ENTRY_##cpu(name, name)
#include "exports/cudart.inc"
};

/* ---- The real table ---- */
/* dlsym() gives an object pointer, which ISO C does not turn into a function pointer: its bits are stored
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

/* ---- Which of the two ---- */
_Atomic(const struct gp_cudart *) gp_cudart_in_use;

const struct gp_cudart *gp_cudart_choose(void) {
  const struct gp_cudart *table = gp_device() == &gp_device_cuda ? gp_cuda_real() : &of_cpu;
  atomic_store_explicit(&gp_cudart_in_use, table, memory_order_release);
  return table;
}
