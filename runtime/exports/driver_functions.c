// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The functions of CUDA's driver exported by libgpuprof, except launches: passed on to the device in use. A
 * program using the driver's functions therefore runs without a GPU, if linked with libgpuprof and not with
 * libcuda. -Wl,--as-needed leaves libcuda out if libgpuprof comes first.
 */
#include "exports/driver_functions.h"

#include "base/log.h"
#include "core/host_waits.h"
#include "exports/copy_list.h"
#include "exports/cuda_functions.h"
#include "exports/driver_launches.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The public headers declaring these functions are CUDA's, and never included here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static int missing(const char *name) {
  gp_log(GP_WARN, name, "the driver has no such function, so it returned CUDA_ERROR_NOT_SUPPORTED");
  return GP_CUDA_ERROR_NOT_SUPPORTED;
}

/* Which functions wait, by their names: constants, so that the others get no code for it. */
static const struct {
#define GP_DRIVER(name, parameters, arguments, cpu) unsigned char name;
#include "exports/driver_functions.inc"
} waits = {
#define GP_WAITS(function) .function = GP_WAITS_ALWAYS,
#define GP_MAY_WAIT(function) .function = GP_WAITS_IF_LONG,
#include "exports/driver_waits.inc"
};

#define GP_DRIVER(name, parameters, arguments, cpu)                                                          \
  EXPORT int name parameters {                                                                               \
    static int(*_Atomic known) parameters;                                                                   \
    int(*forwarded) parameters = known;                                                                       \
    if (!forwarded) {                                                                                        \
      *(void **)&forwarded = gp_cuda_functions()->driver(#name);                                             \
      known = forwarded;                                                                                     \
    }                                                                                                        \
    struct gp_host_wait gp_wait;                                                                             \
    gp_host_wait_begin(&gp_wait, #name, (enum gp_waits)waits.name);                                          \
    struct gp_copied gp_copied;                                                                              \
    const int gp_copies = GP_COPIES(name);                                                                   \
    const int gp_result = forwarded ? forwarded arguments : missing(#name);                                  \
    if (gp_copies)                                                                                           \
      gp_copied_end(&gp_copied, gp_result);                                                                  \
    gp_host_wait_end(&gp_wait, (enum gp_waits)waits.name);                                                   \
    return gp_result;                                                                                        \
  }
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
