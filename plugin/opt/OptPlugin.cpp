// gpuprof-opt.so: the passes on IR by name, for opt and the tests.
#include "common/Compat.h"
#include "cpu/CpuDevice.h"
#include "instrument/DeviceHalf.h"
#include "instrument/HostHalf.h"

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpuprof", GPUPROF_VERSION, [](llvm::PassBuilder &PB) {
            gpuprof::registerDevicePasses(PB);
            gpuprof::registerHostPasses(PB);
            gpuprof::registerCpuPasses(PB);
          }};
}
