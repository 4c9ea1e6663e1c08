// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The directives with expressions: `expect`, `count`, `spike`, `step`, `synapse`. Tokens of a statement
// replace their pragma: the parser itself parses the expressions in place.
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

/// The declarations for the statements in the predefined text.
std::string directiveDeclarations(const clang::LangOptions &Language);

/// The directives of a translation unit, by the start of their statement.
struct Directive {
  clang::SourceLocation Where; ///< of the word, and of the statement's first brace
  std::string Word;
};

class DirectiveTable {
public:
  explicit DirectiveTable(clang::CompilerInstance &CI) : CI(CI) {}
  static bool isDirective(llvm::StringRef Word);
  static llvm::SmallVector<llvm::StringRef, 8> words();
  /// Called for each token of the parser.
  void watch(const clang::Token &T);
  /// `First` is the directive's word. Reads to the end of the directive and replaces it by the statement.
  void inject(clang::Preprocessor &PP, clang::Token &First, const RegionTable &Regions);
  /// Reports directives outside of regions, counting values derived by a region's clause, or being the only
  /// statement of a branch. Call it at the end of a translation unit without errors.
  void check(const RegionTable &Regions) const;

private:
  const Region *regionOf(const Directive &D, const RegionTable &Regions) const;

  clang::CompilerInstance &CI;
  std::vector<Directive> All;
  std::vector<bool> Braces;    ///< for each open brace: statements could stand at its opening
  bool AfterFunction = false;  ///< the last token closed the outermost brace of a function, or one around it
};

} // namespace gpuprof

#endif
