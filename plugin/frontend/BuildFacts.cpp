// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/BuildFacts.h"
#include "frontend/Macros.h"

#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace gpuprof {
namespace {

std::string contractionOf(const LangOptions &Lang) {
  switch (Lang.getDefaultFPContractMode()) {
  case LangOptions::FPM_Off:
    return "off";
  case LangOptions::FPM_On:
    return "on";
  default:
    return "fast";
  }
}

/// CUDART_VERSION is 1000 times the major version and 10 times the minor.
std::string cudaVersion(uint32_t Number) {
  return std::to_string(Number / 1000) + "." + std::to_string(Number % 1000 / 10);
}

std::string headersOf(Preprocessor &PP) {
  if (const uint32_t Toolkit = numberMacro(PP, "CUDART_VERSION"))
    return "\theaders=toolkit\tcuda_version=" + cudaVersion(Toolkit);
  return numberMacro(PP, "GPUPROF_MINICUDA") ? "\theaders=gpuprof" : "";
}

} // namespace

std::function<std::string()> buildFacts(std::function<const CompilerInstance *()> Compile,
                                        CompilerInstance &Headers) {
  return [Compile = std::move(Compile), &Headers] {
    const CompilerInstance &CI = *Compile();
    const LangOptions &Lang = CI.getLangOpts();
    return "architecture=" + CI.getTargetOpts().CPU + headersOf(Headers.getPreprocessor()) +
           "\tfast_math=" + (Lang.FastMath || Lang.ApproxFunc ? "on" : "off") +
           "\tcontraction=" + contractionOf(Lang) +
           "\tcompiler=clang " CLANG_VERSION_STRING "\tplugin_version=" GPUPROF_VERSION;
  };
}

} // namespace gpuprof
