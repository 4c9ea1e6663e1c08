// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the marked form of a statement.
#ifndef GPUPROF_FRONTEND_MARKER_H
#define GPUPROF_FRONTEND_MARKER_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class ASTContext;
class CompoundStmt;
class Decl;
class DeclContext;
class FunctionDecl;
class LangOptions;
class Stmt;
} // namespace clang

namespace gpuprof {

/// The text added to every translation unit: the marker functions and, for CUDA, the unit's descriptor.
std::string predefinedText(const clang::LangOptions &Language);

/// Wraps statements: S → { int scope __attribute__((cleanup(__gpuprof_exit))) = __gpuprof_enter("…"); S }.
/// Code generation then closes the region on every way out of S, in host and in device code.
class MarkerBuilder {
public:
  explicit MarkerBuilder(clang::ASTContext &Context) : Context(Context) {}
  /// Looks for the marker functions, declared first of all by predefinedText().
  void noticeDeclaration(clang::Decl *D);
  bool ready() const { return Enter && Exit; }
  clang::CompoundStmt *wrap(clang::Stmt *S, llvm::StringRef Description, clang::DeclContext *Function) const;

private:
  clang::Stmt *makeScope(llvm::StringRef Description, clang::DeclContext *Function,
                         clang::SourceLocation Where) const;

  clang::ASTContext &Context;
  clang::FunctionDecl *Enter = nullptr, *Exit = nullptr;
};

} // namespace gpuprof

#endif
