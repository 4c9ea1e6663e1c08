// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directives that hold expressions: `expect`, `count`, `spike`, `step`, `synapse`. Their pragma is replaced by tokens of a
// statement, so that the parser itself parses the expressions where they stand.
#ifndef GPUPROF_FRONTEND_DIRECTIVE_H
#define GPUPROF_FRONTEND_DIRECTIVE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
class LangOptions;
class Preprocessor;
class Token;
} // namespace clang

namespace gpuprof {

class RegionTable;
struct Region;

/// What the predefined text declares for the statements.
std::string directiveDeclarations(const clang::LangOptions &Language);

/// The directives of a translation unit, by what their statement begins with.
struct Directive {
  clang::SourceLocation Where; ///< of the word, and of the statement's first brace
  std::string Word;
};

class DirectiveTable {
public:
  explicit DirectiveTable(clang::CompilerInstance &CI) : CI(CI) {}
  static bool isDirective(llvm::StringRef Word);
  static llvm::SmallVector<llvm::StringRef, 8> words();
  /// Sees each token the parser gets.
  void watch(const clang::Token &T);
  /// `First` is the directive's word. Reads to the end of the directive and puts the statement in its place.
  void inject(clang::Preprocessor &PP, clang::Token &First, const RegionTable &Regions);
  /// Reports directives that are outside of regions, that count what a region's clause derives, or that are the only
  /// statement of a branch. Call it at the end of a translation unit that has no errors.
  void check(const RegionTable &Regions) const;

private:
  const Region *regionOf(const Directive &D, const RegionTable &Regions) const;

  clang::CompilerInstance &CI;
  std::vector<Directive> All;
  std::vector<bool> Braces;    ///< of each open brace, whether statements could stand where it was opened
  bool AfterFunction = false;  ///< the last token closed the outermost brace of a function, or one around it
};

} // namespace gpuprof

#endif
