// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* libgpuprof-stub-driver.so: a driver without a device. Its SONAME is libcuda.so.1, so that libraries which open CUDA's driver
 * get it in a process of the CPU device (runtime/cpu/stub_driver_file.c). Each function reports the call to libgpuprof and
 * returns CUDA_ERROR_NO_DEVICE.
 */
#include "base/exported.h"

/* The public headers declaring these functions are CUDA's, and never included here. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"

enum { NO_DEVICE = 100 };

static void (*_Atomic listener)(void);

GP_EXPORT void gp_stub_driver_listen(void (*function)(void)) { listener = function; }

static int no_device(void) {
  void (*function)(void) = listener;
  if (function)
    function();
  return NO_DEVICE;
}

#define STUB(name)                                                                                                     \
  GP_EXPORT int name(void) { return no_device(); }
#define GP_DRIVER(name, parameters, arguments, cpu) STUB(name)
#include "exports/driver_functions.inc"
STUB(cuLaunchKernel)
STUB(cuLaunchKernelEx)
STUB(cuLaunchCooperativeKernel)
STUB(cuGetExportTable)
STUB(cuGetProcAddress)
/* cuFFT calls none before it has found all of these. */
STUB(cuDevicePrimaryCtxRelease)
STUB(cuGraphExecKernelNodeSetParams)
STUB(cuGraphGetNodes)
STUB(cuGraphInstantiate)
STUB(cuGraphKernelNodeGetParams)
STUB(cuGraphNodeGetType)
STUB(cuMemPrefetchAsync)
STUB(cuMemcpy2DAsync_v2)
STUB(cuStreamBatchMemOp)
STUB(cuStreamWaitValue32)
