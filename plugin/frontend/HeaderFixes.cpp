#include "frontend/HeaderFixes.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;
using llvm::StringRef;

namespace gpuprof {
namespace {

/// The call of a builtin with this prefix in a function of one statement, through returns and conversions.
CallExpr *findCall(Stmt *S, StringRef Prefix) {
  if (!S)
    return nullptr;
  if (auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return Callee && Callee->getIdentifier() && Callee->getName().starts_with(Prefix) ? Call : nullptr;
  }
  for (Stmt *Child : S->children())
    if (CallExpr *Call = findCall(Child, Prefix))
      return Call;
  return nullptr;
}

/// The header of clang 19 gives the builtins of __reduce_add_sync(mask, value) and its like the mask as the value: the
/// builtin wants the value first.
void mendReduction(FunctionDecl *F) {
  CallExpr *Call = F->getNumParams() == 2 ? findCall(F->getBody(), "__nvvm_redux_sync_") : nullptr;
  if (!Call || Call->getNumArgs() != 2)
    return;
  const auto *First = dyn_cast<DeclRefExpr>(Call->getArg(0)->IgnoreParenImpCasts());
  if (!First || First->getDecl() != F->getParamDecl(0))
    return;
  Expr *Mask = Call->getArg(0);
  Call->setArg(0, Call->getArg(1));
  Call->setArg(1, Mask);
}

class HeaderFixer : public ASTConsumer {
public:
  explicit HeaderFixer(CompilerInstance &CI) : CI(CI) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      if (auto *F = dyn_cast<FunctionDecl>(D); F && F->getIdentifier() && F->doesThisDeclarationHaveABody())
        mend(F);
    return true;
  }

private:
  void mend(FunctionDecl *F) const {
    const StringRef Name = F->getName();
    if (Name.starts_with("__reduce_") && Name.ends_with("_sync") &&
        CI.getSourceManager().isInSystemHeader(F->getLocation()))
      mendReduction(F);
  }

  CompilerInstance &CI;
};

} // namespace

std::unique_ptr<ASTConsumer> createHeaderFixer(CompilerInstance &CI) { return std::make_unique<HeaderFixer>(CI); }

} // namespace gpuprof
