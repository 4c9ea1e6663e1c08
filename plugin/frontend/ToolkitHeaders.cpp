// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ToolkitHeaders.h"
#include "frontend/Diagnostics.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using llvm::StringRef;

namespace gpuprof {
namespace {

// Prefixes of the names of toolkit headers without a substitute in gpuprof's own headers.
constexpr StringRef Names[] = {
    "cooperative_groups",
    "cuComplex.h",
    "cub/",
    "cublas",
    "cuda/",
    "cuda_",
    "cudnn",
    "cufft",
    "curand",
    "cusolver",
    "cusparse",
    "mma.h",
    "nv/",
    "nvml.h",
    "nvrtc.h",
    "nvtx3/",
    "surface_indirect_functions.h",
    "texture_indirect_functions.h",
    "thrust/",
};

class ToolkitHeaders : public PPCallbacks {
public:
  explicit ToolkitHeaders(Preprocessor &PP) : PP(PP) {}

  bool FileNotFound(StringRef Name) override {
    const auto Begins = [Name](StringRef Start) { return Name.starts_with(Start); };
    if (PP.isMacroDefined("GPUPROF_MINICUDA") && llvm::any_of(Names, Begins))
      report(PP.getDiagnostics(), SourceLocation(), Diag::ToolkitHeader) << Name;
    return false; // clang's own error follows
  }

private:
  Preprocessor &PP;
};

} // namespace

void explainToolkitHeaders(CompilerInstance &CI) {
  if (CI.getLangOpts().CUDA)
    CI.getPreprocessor().addPPCallbacks(std::make_unique<ToolkitHeaders>(CI.getPreprocessor()));
}

} // namespace gpuprof
