// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/HeaderFixes.h"
#include "frontend/ClangCompat.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

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

/// The header of clang 19 passes the mask of __reduce_add_sync(mask, value) and its like as the value: the
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

/// cuda::barrier<thread_scope_block>, in any inline namespace.
bool isBlockBarrier(const CXXRecordDecl *Class) {
  const auto *Specialization = dyn_cast<ClassTemplateSpecializationDecl>(Class);
  if (!Specialization || !Specialization->isExplicitSpecialization() || Class->getName() != "barrier")
    return false;
  const DeclContext *Scope = Class->getDeclContext()->getEnclosingNamespaceContext();
  while (Scope->isInlineNamespace())
    Scope = Scope->getParent();
  const auto *Namespace = dyn_cast<NamespaceDecl>(Scope);
  return Namespace && Namespace->getName() == "cuda";
}

/// nvcc warns of a __shared__ variable with a constructor or destructor to run, and runs neither; clang
/// refuses it. One class of CUDA's headers is meant for such variables, alone and as a member of
/// cuda::pipeline_shared_state. Its destructor ends the barrier, but a block has no time to run it. The
/// destructor is therefore dropped: a barrier no longer used needs none.
void dropDestructor(CXXRecordDecl *Class) {
  CXXDestructorDecl *Destructor = Class->getDestructor();
  if (!Destructor || !Destructor->isUserProvided())
    return;
  Destructor->setDefaulted();
  Destructor->setExplicitlyDefaulted();
  Destructor->setTrivial(true);
  Class->finishedDefaultedOrDeletedMember(Destructor);
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

  void HandleTagDeclDefinition(TagDecl *D) override {
    auto *Class = dyn_cast<CXXRecordDecl>(D);
    if (Class && Class->getIdentifier() && isBlockBarrier(Class) &&
        CI.getSourceManager().isInSystemHeader(Class->getLocation()))
      dropDestructor(Class);
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

/// In a device compile clang up to 18 refuses each declaration with __float128, even in host system headers
/// unused by device code. Newer C and C++ libraries have them in <math.h> and <limits>. While a system header
/// is read, the target therefore claims to have the type. In the user's own files it is refused as before.
class QuadDeclarations : public PPCallbacks {
public:
  explicit QuadDeclarations(TargetInfo &Target) : Target(Target) {}

  static bool areNeeded(const CompilerInstance &CI) {
    return compat::RefusesQuadDeclarations && CI.getLangOpts().CUDAIsDevice && CI.getAuxTarget() &&
           CI.getAuxTarget()->hasFloat128Type() && !CI.getTarget().hasFloat128Type();
  }

  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind Kind, FileID) override {
    Target.*Access::member() = SrcMgr::isSystem(Kind);
  }

private:
  struct Access : TargetInfo { // the member is protected
    static bool TargetInfo::*member() { return &Access::HasFloat128; }
  };

  TargetInfo &Target;
};

/// CUDA's __managed__ is an attribute clang has for HIP only. If kernels run on the CPU device alone, it
/// becomes the annotation for cpu-device/compiler/lower/Managed.h. Otherwise clang reports that kernels
/// cannot use the variable.
class ManagedMacro : public PPCallbacks {
public:
  explicit ManagedMacro(Preprocessor &PP) : PP(PP) {}

  void MacroDefined(const Token &Name, const MacroDirective *) override {
    if (!Name.getIdentifierInfo() || !Name.getIdentifierInfo()->isStr("__managed__"))
      return;
    if (MacroInfo *Ours = PP.getMacroInfo(PP.getIdentifierInfo("__gpuprof_managed")))
      PP.appendDefMacroDirective(Name.getIdentifierInfo(), Ours);
  }

private:
  Preprocessor &PP;
};

} // namespace

std::unique_ptr<ASTConsumer> createHeaderFixer(CompilerInstance &CI, bool CpuOnly) {
  if (CpuOnly && CI.getLangOpts().CUDA)
    CI.getPreprocessor().addPPCallbacks(std::make_unique<ManagedMacro>(CI.getPreprocessor()));
  if (QuadDeclarations::areNeeded(CI))
    CI.getPreprocessor().addPPCallbacks(std::make_unique<QuadDeclarations>(CI.getTarget()));
  return std::make_unique<HeaderFixer>(CI);
}

} // namespace gpuprof
