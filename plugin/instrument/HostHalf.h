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

/// What the front end knows of the unit and the IR does not.
struct HostOptions {
  std::string Compiler; ///< e.g. "clang 22.1.8"
  std::string Options;  ///< plugin options, as given
  uint32_t CudaVersion = 0;
};

/// Lowers region markers, registers the unit by a constructor, and, where kernels were compiled for the CPU
/// device but no GPU binary is there, registers kernels and variables with the CUDA runtime as clang would.
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
