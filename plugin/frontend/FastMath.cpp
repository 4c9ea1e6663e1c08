// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/FastMath.h"
#include "frontend/ClangCompat.h"
#include "frontend/NvccVersion.h"

#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace gpuprof {
namespace {

/// Functions of the device library and the oldest CUDA_VERSION whose nvcc makes them fast; each has a fast_ form.
struct FastFunction {
  const char *Name;
  unsigned Since;
};
constexpr FastFunction Functions[] = {{"expf", 0}, {"exp10f", 0}, {"log10f", 0},
                                      {"powf", 0}, {"tanf", 0},   {"tanhf", 13000}};

} // namespace

std::string fastMathText(CompilerInstance &CI, const Options &O) {
  std::string Text;
  if (!O.FastMath || !CI.getLangOpts().CUDA)
    return Text;
  const unsigned Version = cudaHeaderVersion(CI);
  for (const FastFunction &F : Functions)
    if (Version >= F.Since)
      Text += "#define __nv_" + std::string(F.Name) + " __nv_fast_" + F.Name + "\n";
  return Text;
}

void setMath(CompilerInvocation &Invocation, const Options &O) {
  LangOptions &Lang = compat::languageOf(Invocation);
  if (O.FastMath) {
    compat::setApproximateFunctions(Lang);
    Lang.ApproxFunc = true;
  }
  if (O.FlushDenormals)
    Invocation.getCodeGenOpts().FP32DenormalMode = llvm::DenormalMode::getPreserveSign();
}

} // namespace gpuprof
