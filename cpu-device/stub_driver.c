// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* libgpuprof-stub-driver.so: a driver without a device. Its SONAME is libcuda.so.1, so that libraries which open CUDA's driver
 * get it in a process of the CPU device (runtime/cpu/stub_driver_file.c). Each function reports the call to libgpuprof and
 * returns CUDA_ERROR_NO_DEVICE.
 */
#include "base/exported.h"

/* The public headers declaring these functions are CUDA's, and never included here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"

enum { INVALID_VALUE = 1, NO_DEVICE = 100 };

static void (*_Atomic listener)(void);

GP_EXPORT void gp_stub_driver_listen(void (*function)(void)) { listener = function; }

__attribute__((noinline)) static int no_device(void) {
  void (*function)(void) = listener;
  if (function)
    function();
  return NO_DEVICE;
}

/* Callers print the texts, whatever these two return. */
static int give(const char **text, const char *value) {
  if (!text)
    return INVALID_VALUE;
  *text = value;
  return 0;
}
GP_EXPORT int cuGetErrorName(int error, const char **text) { return (void)error, give(text, "CUDA_ERROR_NO_DEVICE"); }
GP_EXPORT int cuGetErrorString(int error, const char **text) {
  return (void)error, give(text, "no CUDA-capable device is detected");
}
#define cuGetErrorName gp_stub_error_name /* the lists have them, too */
#define cuGetErrorString gp_stub_error_string

#define STUB(name)                                                                                                     \
  GP_EXPORT int name(void) { return no_device(); }
#define GP_DRIVER(name, parameters, arguments, cpu) STUB(name)
#include "exports/driver_functions.inc"
/* All of them: cuFFT calls none before it has found those that it may use, and some libraries name libcuda.so.1 as needed. */
#include "stub_driver_names.inc"
