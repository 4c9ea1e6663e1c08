// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/HostCompile.h"
#include "frontend/ClangCompat.h"
#include "frontend/Macros.h"
#include "frontend/NestedCompile.h"
#include "frontend/Shortcuts.h"
#include "instrument/HostHalf.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

#if defined(GPUPROF_CPU_DEVICE)
#include "Pipeline.h"
#endif

using namespace clang;

namespace gpuprof {
namespace {

/// Filled when the host's AST is complete, and read by the passes; these run later.
struct HostFacts {
  HostOptions Options;
  llvm::SmallVector<char, 0> CpuKernels; ///< bitcode, empty without kernels
  bool MaySplit = false;                 ///< barriers=split
  bool HasBudget = true;                 ///< budget=on
};

#if defined(GPUPROF_CPU_DEVICE)
/// Links the kernels for the CPU device into the host module.
class CpuKernelsPass : public llvm::PassInfoMixin<CpuKernelsPass> {
public:
  CpuKernelsPass(std::shared_ptr<HostFacts> Facts) : Facts(std::move(Facts)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    if (Facts->CpuKernels.empty())
      return llvm::PreservedAnalyses::all();
    llvm::StringRef Bitcode(Facts->CpuKernels.data(), Facts->CpuKernels.size());
    if (llvm::Error E = linkCpuKernels(M, Bitcode, Facts->MaySplit, !Facts->HasBudget))
      M.getContext().emitError("gpuprof cannot make the code of the CPU device (leave it out with "
                               "-fplugin-arg-gpuprof-device=gpu): " +
                               llvm::toString(std::move(E)));
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  std::shared_ptr<HostFacts> Facts;
};

void addCpuKernels(llvm::ModulePassManager &MPM, std::shared_ptr<HostFacts> Facts) {
  MPM.addPass(CpuKernelsPass(std::move(Facts)));
}
#else
void addCpuKernels(llvm::ModulePassManager &, std::shared_ptr<HostFacts>) {}
void avoidOptimiserMistakes(llvm::PassBuilder &) {}
#endif

class HostConsumer : public ASTConsumer {
public:
  HostConsumer(CompilerInstance &CI, const Options &O, std::shared_ptr<HostFacts> Facts)
      : CI(CI), Given(O), Facts(std::move(Facts)), Watcher(createInstantiationWatcher(Made)) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override { return Watcher->HandleTopLevelDecl(Group); }

  void HandleTranslationUnit(ASTContext &) override {
    if (CI.getDiagnostics().hasErrorOccurred())
      return;
    Facts->Options = {"clang " CLANG_VERSION_STRING, Given.Text,
                      numberMacro(CI.getPreprocessor(), "CUDART_VERSION")};
    Facts->MaySplit = Given.Split;
    Facts->HasBudget = Given.Budget;
    if (CI.getLangOpts().CUDA && Given.forCpu())
      compileForCpuDevice(CI, Given, Made, Facts->CpuKernels);
  }

private:
  CompilerInstance &CI;
  Options Given;
  std::shared_ptr<HostFacts> Facts;
  Instantiations Made;
  std::unique_ptr<ASTConsumer> Watcher;
};

} // namespace

std::unique_ptr<ASTConsumer> createHostConsumer(CompilerInstance &CI, const Options &O) {
  auto Facts = std::make_shared<HostFacts>();
  const bool HasKernels = CI.getLangOpts().CUDA && O.forCpu();
  compat::onPassBuilder(CI.getCodeGenOpts(), [Facts, HasKernels](llvm::PassBuilder &PB) {
    if (HasKernels)
      avoidOptimiserMistakes(PB);
    compat::atPipelineStart(PB, [Facts](llvm::ModulePassManager &MPM, llvm::OptimizationLevel) {
      addCpuKernels(MPM, Facts);
      MPM.addPass(HostHalfPass(Facts->Options));
    });
  });
  return std::make_unique<HostConsumer>(CI, O, Facts);
}

} // namespace gpuprof
