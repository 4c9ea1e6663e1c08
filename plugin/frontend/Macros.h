// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros of the source as numbers.
#ifndef GPUPROF_FRONTEND_MACROS_H
#define GPUPROF_FRONTEND_MACROS_H

#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <cstdint>

namespace gpuprof {

/// The value of a macro consisting of one number, or 0.
inline uint32_t numberMacro(clang::Preprocessor &PP, llvm::StringRef Name) {
  const clang::MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name));
  uint32_t Value = 0;
  if (!Macro || Macro->getNumTokens() != 1 ||
      llvm::StringRef(PP.getSpelling(Macro->getReplacementToken(0))).getAsInteger(10, Value))
    return 0;
  return Value;
}

} // namespace gpuprof
#endif
