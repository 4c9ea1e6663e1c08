// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin's registrations: nothing else is here.
#include "frontend/Action.h"
#include "frontend/ClangCompat.h"

#include "clang/Frontend/FrontendPluginRegistry.h"

static clang::FrontendPluginRegistry::Add<gpuprof::Action>
    RegisterAction("gpuprof", "counts FLOPs and bytes of CUDA kernels");

#if !GPUPROF_LLVM_AT_LEAST(18)
extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "gpuprof", GPUPROF_VERSION, [](llvm::PassBuilder &PB) {
            for (auto &Callback : gpuprof::compat::collectedPassBuilderFns())
              Callback(PB);
          }};
}
#endif
