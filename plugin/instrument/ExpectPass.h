// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `expect` states the work of host regions: it is refused if a kernel would run it, and dropped elsewhere in
// device code.
#ifndef GPUPROF_INSTRUMENT_EXPECTPASS_H
#define GPUPROF_INSTRUMENT_EXPECTPASS_H

#include "llvm/IR/PassManager.h"

#include <functional>

namespace gpuprof {

class ExpectPass : public llvm::PassInfoMixin<ExpectPass> {
public:
  /// Refuse gets clang's location of the directive, 0 if unknown. Null: LLVM's own error.
  explicit ExpectPass(std::function<void(unsigned Location)> Refuse) : Refuse(std::move(Refuse)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; } // at -O0 too

private:
  std::function<void(unsigned Location)> Refuse;
};

} // namespace gpuprof
#endif
