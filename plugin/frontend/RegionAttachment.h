// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the construct behind each region's pragma, and rewrites it.
#ifndef GPUPROF_FRONTEND_REGIONATTACHMENT_H
#define GPUPROF_FRONTEND_REGIONATTACHMENT_H

#include "frontend/Diagnostics.h"
#include "frontend/Jumps.h"
#include "frontend/Marker.h"
#include "frontend/Region.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class ClassTemplateDecl;
class CompilerInstance;
class Expr;
class LambdaExpr;
class VarDecl;
} // namespace clang

namespace gpuprof {

class RegionAttachment {
public:
  RegionAttachment(clang::CompilerInstance &CI, std::shared_ptr<RegionTable> Table, bool Remarks);
  /// Rewrites every function definition in a just finished declaration.
  void visit(clang::Decl *D);
  /// Reports the regions without a construct. Call it at the end of the translation unit.
  void finish();

private:
  /// The function being examined.
  struct Scope {
    clang::FunctionDecl *Function = nullptr; ///< null: the initialiser of a variable
    clang::DeclContext *Context = nullptr;   ///< of inserted code: the function, or a captured part of it
    bool Rewrite = false; ///< its code is generated in this compile, and is no template's pattern
    bool Skip = false;    ///< regions in it are impossible; the reason was reported
  };

  void visitFunction(clang::FunctionDecl *F);
  void visitVariable(clang::VarDecl *V);
  void visitDefaultArguments(clang::FunctionDecl *F);
  void visitUsedDefault(clang::Expr *E);
  void visitExpression(clang::Expr *E, const Scope &S);
  void visitBody(clang::Stmt *Body, const Scope &S);
  /// All parts of a statement outside of statement positions: lambdas, statement expressions, OpenMP's
  /// bodies.
  void visitChildren(clang::Stmt *Parent, const Scope &S);
  void visitLambda(clang::LambdaExpr *L);
  /// The replacement of `Child`: itself, or its marked form.
  clang::Stmt *place(clang::Stmt *Child, const Scope &S);
  clang::Stmt *wrap(clang::Stmt *Inner, llvm::ArrayRef<Region *> Regions, const Scope &S, bool IsFunction);
  clang::Stmt *wrapBody(clang::Stmt *Body, llvm::ArrayRef<Region *> Regions, const Scope &S);

  void noticeFold(clang::Stmt *Pattern, llvm::ArrayRef<Region *> Regions);
  bool canHold(clang::Stmt *Child, Region &R, const Scope &S);
  bool checkJumps(clang::Stmt *Child, Region &R, const Scope &S);
  bool skips(clang::FunctionDecl *F, llvm::ArrayRef<Region *> Regions);
  llvm::SmallVector<Region *, 2> regionsOf(clang::FunctionDecl *F) const;
  llvm::SmallVector<Region *, 2> regionsOf(clang::Stmt *S) const;
  std::string describe(const Region &R, const Scope &S, bool IsFunction, clang::SourceLocation Where) const;
  void reportFunction(Region &R, Diag Id, const clang::FunctionDecl *F);
  void reportOther(Region &R, const clang::Decl *D);
  void reportUnattached(const Region &R);
  void findMisplaced(const clang::Decl *D);
  void remark(const Region &R, const Scope &S, clang::SourceLocation Where, llvm::StringRef Description);
  bool generatesCode(const clang::FunctionDecl *F) const;

  clang::CompilerInstance &CI;
  std::shared_ptr<RegionTable> Table;
  bool Remarks;
  std::unique_ptr<MarkerBuilder> Markers;
  JumpFinder JumpsOf;
  llvm::SmallPtrSet<const clang::Decl *, 32> Seen;
  llvm::SmallPtrSet<const clang::Expr *, 8> UsedDefaults; ///< default arguments, each looked at once
  unsigned Found = 0; ///< number of meetings of regions and their constructs
  llvm::SmallVector<clang::ClassTemplateDecl *, 4> Templates; ///< those containing regions
};

} // namespace gpuprof

#endif
