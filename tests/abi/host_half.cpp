// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host half of the plugin as a pass of opt, without the rest.
#include "common/Compat.h"
#include "instrument/HostHalf.h"

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "host-half", "", gpuprof::registerHostPasses};
}
