// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof-opt.so: the passes on IR by name, for opt and the tests.
#include "common/Compat.h"
#include "instrument/DeviceHalf.h"
#include "instrument/HostHalf.h"
#if defined(GPUPROF_CPU_DEVICE)
#include "Pipeline.h"
#endif

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpuprof", GPUPROF_VERSION, [](llvm::PassBuilder &PB) {
            gpuprof::registerDevicePasses(PB);
            gpuprof::registerHostPasses(PB);
#if defined(GPUPROF_CPU_DEVICE)
            gpuprof::registerCpuPasses(PB);
#endif
          }};
}
