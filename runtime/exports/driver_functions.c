// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The functions of CUDA's driver exported by libgpuprof, except launches: passed on to the device in use. A
 * program using the driver's functions therefore runs without a GPU, if linked with libgpuprof and not with
 * libcuda. -Wl,--as-needed leaves libcuda out if libgpuprof comes first.
 */
#include "exports/driver_functions.h"

#include "base/log.h"
#include "exports/cuda_functions.h"
#include "exports/driver_launches.h"
#include "exports/forward.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The public headers declaring these functions are CUDA's, and never included here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

int gp_driver_missing(const char *name) {
  gp_log(GP_WARN, name, "the driver has no such function, so it returned CUDA_ERROR_NOT_SUPPORTED");
  return GP_CUDA_ERROR_NOT_SUPPORTED;
}

#define GP_DRIVER(name, parameters, arguments, cpu)                                                          \
  EXPORT int name parameters { GP_DRIVER_FORWARD(name, parameters, arguments) }
/* memory_functions.c has these. */
#define GP_DRIVER_ALLOCATES(name, parameters, arguments, cpu, kind, stream, address, bytes) EXPORT int name parameters;
#define GP_DRIVER_RELEASES(name, parameters, arguments, cpu, space, stream, address) EXPORT int name parameters;
#define GP_DRIVER_MEMORY(name, parameters, arguments, cpu) EXPORT int name parameters;
#include "exports/driver_functions.inc"

static const struct {
  const char *name;
  void *function;
} exports[] = {
#define GP_DRIVER(name, parameters, arguments, cpu) {#name, name},
#include "exports/driver_functions.inc"
};

/* "cuMemAlloc_v2" is cuMemAlloc under the name of calls since CUDA 3.2. */
static int is_named(const char *exported, const char *name) {
  size_t length = strlen(name);
  return !strncmp(exported, name, length) && (!exported[length] || !strncmp(exported + length, "_v", 2));
}

void *gp_driver_export(const char *name) {
  void *hook = gp_driver_hook(name, 0);
  for (size_t i = 0; !hook && i < sizeof exports / sizeof *exports; i++)
    if (is_named(exports[i].name, name))
      hook = exports[i].function;
  return hook;
}

int gp_driver_address(const char *name, void **function, int *status) {
  enum { FOUND, NOT_FOUND };
  if (!name || !function)
    return GP_CUDA_ERROR_INVALID_VALUE;
  *function = gp_driver_export(name);
  if (status)
    *status = *function ? FOUND : NOT_FOUND;
  return 0;
}
