// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host half: region markers become calls of the runtime, and the translation unit registers itself.
#ifndef GPUPROF_INSTRUMENT_HOSTHALF_H
#define GPUPROF_INSTRUMENT_HOSTHALF_H

#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <string>

namespace llvm {
class PassBuilder;
}

namespace gpuprof {

/// Facts of the unit known to the front end and missing in the IR.
struct HostOptions {
  std::string Compiler; ///< e.g. "clang 22.1.8"
  std::string Options;  ///< plugin options, as given
  uint32_t CudaVersion = 0;
};

/// Lowers region markers and registers the unit by a constructor. If kernels were compiled for the CPU device
/// without a GPU binary, registers kernels and variables with the CUDA runtime in clang's way.
class HostHalfPass : public llvm::PassInfoMixin<HostHalfPass> {
public:
  explicit HostHalfPass(HostOptions O = {}) : Options(std::move(O)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // at -O0 too

private:
  HostOptions Options;
};

/// Registers the pass name `gpuprof-host` for opt.
void registerHostPasses(llvm::PassBuilder &PB);

} // namespace gpuprof

#endif
