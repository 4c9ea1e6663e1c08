// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc takes "%tid" for "%%tid" in inline PTX with operands; clang takes the percent sign for that of an operand.
#ifndef GPUPROF_FRONTEND_SPECIALREGISTERS_H
#define GPUPROF_FRONTEND_SPECIALREGISTERS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Preprocessor;
class Token;
} // namespace clang

namespace gpuprof {

/// Doubles the percent sign before names of PTX's special registers in the texts of asm statements with operands.
class SpecialRegisters {
public:
  explicit SpecialRegisters(clang::Preprocessor &PP) : PP(PP) {}

  /// For each token, in the order of the file. May write a string literal anew.
  void watch(const clang::Token &T);

private:
  void repair(clang::Token &Text);

  clang::Preprocessor &PP;
  enum { Elsewhere, BehindAsm, InText } Where = Elsewhere;
  clang::SourceLocation Open; // the statement's parenthesis
};

} // namespace gpuprof

#endif
