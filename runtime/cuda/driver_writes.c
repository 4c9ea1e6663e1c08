// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/driver_writes.h"

#include "core/memory_writes.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The first entry that fits decides. With a star at its end a name is the beginning of others. Arrays, mapped memory
 * (cuMemMap) and memory of pools and graphs are not watched (gp_memory_range.is_of_device): what concerns them alone is
 * nothing here. A kernel's launch has a callback of its own (cupti.c). */
static const struct {
  const char *name;
  enum gp_driver_effect effect;
} table[] = {
    {"cuMemcpy", GP_DRIVER_WRITES},
    {"cuMemcpyAsync", GP_DRIVER_WRITES},
    {"cuMemcpyHtoD", GP_DRIVER_WRITES},
    {"cuMemcpyHtoDAsync", GP_DRIVER_WRITES},
    {"cuMemcpyDtoD", GP_DRIVER_WRITES},
    {"cuMemcpyDtoDAsync", GP_DRIVER_WRITES},
    {"cuMemcpyPeer", GP_DRIVER_WRITES},
    {"cuMemcpyPeerAsync", GP_DRIVER_WRITES},
    {"cuMemsetD*", GP_DRIVER_WRITES},
    {"cuMemcpyDtoH", GP_DRIVER_NOTHING},
    {"cuMemcpyDtoHAsync", GP_DRIVER_NOTHING},
    {"cuMemcpyAtoH*", GP_DRIVER_NOTHING},
    {"cuMemFree", GP_DRIVER_FREES},
    {"cuMemFreeAsync", GP_DRIVER_FREES},
    {"cuCtxDestroy", GP_DRIVER_FREES_ALL},
    {"cuCtxDetach", GP_DRIVER_FREES_ALL},
    {"cuDevicePrimaryCtxRelease", GP_DRIVER_FREES_ALL},
    {"cuDevicePrimaryCtxReset", GP_DRIVER_FREES_ALL},
    /* Others get the memory. */
    {"cuIpcGetMemHandle", GP_DRIVER_HIDES},
    {"cuMemGetHandleForAddressRange", GP_DRIVER_HIDES},
    {"cuPointerSetAttribute", GP_DRIVER_HIDES}, /* so do libraries that let network cards write */
    {"cuFlushGPUDirectRDMAWrites", GP_DRIVER_HIDES},
    {"cuCheckpoint*", GP_DRIVER_HIDES},
    /* Work submitted before a launch may run after it. */
    {"cuLaunchHostFunc", GP_DRIVER_HIDES},
    {"cuStreamAddCallback", GP_DRIVER_HIDES},
    {"cuStreamWaitValue*", GP_DRIVER_HIDES},
    {"cuStreamBatchMemOp", GP_DRIVER_HIDES},
    {"cuWaitExternalSemaphoresAsync", GP_DRIVER_HIDES},
    {"cuGraphAddHostNode", GP_DRIVER_HIDES},
    {"cuGraphAddBatchMemOpNode", GP_DRIVER_HIDES},
    {"cuGraphAddExternalSemaphores*", GP_DRIVER_HIDES},
    {"cuGraphAddNode", GP_DRIVER_HIDES},
    /* Launches. */
    {"cuLaunchKernel", GP_DRIVER_NOTHING},
    {"cuLaunchKernelEx", GP_DRIVER_NOTHING},
    {"cuLaunchCooperativeKernel", GP_DRIVER_NOTHING},
    {"cuGraphLaunch", GP_DRIVER_WRITES_ANYWHERE},
    {"cuGraphics*", GP_DRIVER_WRITES_ANYWHERE},
    /* No memory is written. */
    {"cuArray*", GP_DRIVER_NOTHING},
    {"cuCoredump*", GP_DRIVER_NOTHING},
    {"cuCtx*", GP_DRIVER_NOTHING},
    {"cuDevice*", GP_DRIVER_NOTHING},
    {"cuDriver*", GP_DRIVER_NOTHING},
    {"cuEvent*", GP_DRIVER_NOTHING},
    {"cuFunc*", GP_DRIVER_NOTHING},
    {"cuGet*", GP_DRIVER_NOTHING},
    {"cuGraph*", GP_DRIVER_NOTHING},
    {"cuGreenCtx*", GP_DRIVER_NOTHING},
    {"cuInit", GP_DRIVER_NOTHING},
    {"cuIpcCloseMemHandle", GP_DRIVER_NOTHING},
    {"cuIpcGetEventHandle", GP_DRIVER_NOTHING},
    {"cuIpcOpenEventHandle", GP_DRIVER_NOTHING},
    {"cuIpcOpenMemHandle", GP_DRIVER_NOTHING},
    {"cuKernel*", GP_DRIVER_NOTHING},
    {"cuLibrary*", GP_DRIVER_NOTHING},
    {"cuLink*", GP_DRIVER_NOTHING},
    {"cuLogs*", GP_DRIVER_NOTHING},
    {"cuMemAddress*", GP_DRIVER_NOTHING},
    {"cuMemAdvise", GP_DRIVER_NOTHING},
    {"cuMemAlloc*", GP_DRIVER_NOTHING},
    {"cuMemCreate", GP_DRIVER_NOTHING},
    {"cuMemFreeHost", GP_DRIVER_NOTHING},
    {"cuMemGet*", GP_DRIVER_NOTHING},
    {"cuMemHost*", GP_DRIVER_NOTHING},
    {"cuMemMap", GP_DRIVER_NOTHING},
    {"cuMemPool*", GP_DRIVER_NOTHING},
    {"cuMemPrefetch*", GP_DRIVER_NOTHING},
    {"cuMemRange*", GP_DRIVER_NOTHING},
    {"cuMemRelease", GP_DRIVER_NOTHING},
    {"cuMemSetAccess", GP_DRIVER_NOTHING},
    {"cuMemUnmap", GP_DRIVER_NOTHING},
    {"cuMipmappedArray*", GP_DRIVER_NOTHING},
    {"cuModule*", GP_DRIVER_NOTHING},
    {"cuOccupancy*", GP_DRIVER_NOTHING},
    {"cuPointerGet*", GP_DRIVER_NOTHING},
    {"cuProfiler*", GP_DRIVER_NOTHING},
    {"cuStreamBeginCapture*", GP_DRIVER_NOTHING},
    {"cuStreamCopyAttributes", GP_DRIVER_NOTHING},
    {"cuStreamCreate*", GP_DRIVER_NOTHING},
    {"cuStreamDestroy", GP_DRIVER_NOTHING},
    {"cuStreamEndCapture", GP_DRIVER_NOTHING},
    {"cuStreamGet*", GP_DRIVER_NOTHING},
    {"cuStreamIsCapturing", GP_DRIVER_NOTHING},
    {"cuStreamQuery", GP_DRIVER_NOTHING},
    {"cuStreamSet*", GP_DRIVER_NOTHING},
    {"cuStreamSynchronize", GP_DRIVER_NOTHING},
    {"cuStreamUpdateCaptureDependencies", GP_DRIVER_NOTHING},
    {"cuStreamWaitEvent", GP_DRIVER_NOTHING},
    {"cuSurf*", GP_DRIVER_NOTHING},
    {"cuTensorMap*", GP_DRIVER_NOTHING},
    {"cuTex*", GP_DRIVER_NOTHING},
    {"cuThread*", GP_DRIVER_NOTHING},
    {"cuUserObject*", GP_DRIVER_NOTHING},
};

static int fits(const char *function, size_t length, const char *name) {
  const size_t bytes = strlen(name);
  return name[bytes - 1] == '*' ? length >= bytes - 1 && !memcmp(function, name, bytes - 1)
                                : length == bytes && !memcmp(function, name, bytes);
}

enum gp_driver_effect gp_driver_effect_of(const char *function) {
  const size_t length = strcspn(function, "_");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (fits(function, length, table[i].name))
      return table[i].effect;
  return GP_DRIVER_WRITES_ANYWHERE;
}

/* A pointer of a device, or of the host. */
static uint64_t first_of(const void *parameters) {
  uint64_t pointer = 0;
  if (parameters)
    memcpy(&pointer, parameters, sizeof pointer);
  return pointer;
}

void gp_driver_wrote(enum gp_driver_effect effect, const void *parameters) {
  switch (effect) {
  case GP_DRIVER_NOTHING: break;
  case GP_DRIVER_WRITES: gp_memory_written(first_of(parameters)); break;
  case GP_DRIVER_WRITES_ANYWHERE: gp_memory_written_anywhere(); break;
  case GP_DRIVER_FREES: gp_memory_released(first_of(parameters)); break;
  case GP_DRIVER_FREES_ALL: gp_memory_all_released(); break;
  case GP_DRIVER_HIDES:
    gp_memory_writes_unseen("the program has made a call after which memory may be written unseen, such as cudaLaunchHostFunc or "
                            "cudaIpcGetMemHandle");
    break;
  }
}
