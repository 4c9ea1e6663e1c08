// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/LaunchSizes.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace clang;

namespace gpuprof {
namespace {

using Number = std::optional<uint64_t>;

bool isKernel(const ValueDecl *D) { return isa<FunctionDecl>(D) && D->hasAttr<CUDAGlobalAttr>(); }

/// The variable or function that an expression names, or null.
const ValueDecl *named(const Expr *E) {
  const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Name ? Name->getDecl() : nullptr;
}

/// Notes launches, and how variables and kernels are used elsewhere.
class Launches : public RecursiveASTVisitor<Launches> {
public:
  struct Launch {
    const FunctionDecl *Kernel;
    const Expr *Block;
  };

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitDeclRefExpr(const DeclRefExpr *E) {
    ++Uses[canonical(E->getDecl())];
    return true;
  }

  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *E) {
    const ValueDecl *Kernel = named(E->getCallee());
    const CallExpr *Config = E->getConfig();
    if (Kernel && isKernel(Kernel)) {
      ++Known[canonical(Kernel)];
      All.push_back(
          {cast<FunctionDecl>(Kernel), Config && Config->getNumArgs() > 1 ? Config->getArg(1) : nullptr});
    }
    return true;
  }

  // Uses that leave a variable as it is: its value, a member's value, a copy.
  bool VisitImplicitCastExpr(const ImplicitCastExpr *E) {
    if (E->getCastKind() != CK_LValueToRValue)
      return true;
    const Expr *Of = E->getSubExpr()->IgnoreParens();
    if (const auto *Member = dyn_cast<MemberExpr>(Of))
      Of = Member->isArrow() ? nullptr : Member->getBase()->IgnoreParens();
    if (const auto *Name = dyn_cast_or_null<DeclRefExpr>(Of))
      ++Known[canonical(Name->getDecl())];
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) {
    if (E->getConstructor()->isCopyOrMoveConstructor() && E->getNumArgs() == 1)
      if (const ValueDecl *From = named(E->getArg(0)))
        ++Known[canonical(From)];
    return true;
  }

  ArrayRef<Launch> all() const { return All; }
  bool isUsedAsKnown(const ValueDecl *D) const {
    return Uses.lookup(canonical(D)) == Known.lookup(canonical(D));
  }

private:
  static const Decl *canonical(const ValueDecl *D) { return D->getCanonicalDecl(); }

  std::vector<Launch> All;
  llvm::DenseMap<const Decl *, unsigned> Uses, Known;
};

/// Computes numbers of constants, and of variables that keep the value they begin with.
class Sizes {
public:
  Sizes(const ASTContext &Context, const Launches &Of) : Context(Context), Of(Of) {}

  /// The threads of a block.
  // NOLINTNEXTLINE(misc-no-recursion)
  Number threads(const Expr *E, unsigned Depth = 0) const {
    E = E ? E->IgnoreImplicit()->IgnoreParens() : nullptr;
    if (!E || Depth > MostDepth || E->isValueDependent())
      return std::nullopt;
    if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
      return threads(Cast->getSubExpr(), Depth + 1);
    if (const auto *Made = dyn_cast<CXXConstructExpr>(E))
      return Made->getConstructor()->isCopyOrMoveConstructor() ? threads(Made->getArg(0), Depth + 1)
                                                               : product(*Made, Depth);
    if (const auto *List = dyn_cast<InitListExpr>(E))
      return List->getNumInits() == 1 ? threads(List->getInit(0), Depth + 1) : std::nullopt;
    if (E->getType()->isIntegralOrEnumerationType())
      return number(E, Depth + 1);
    return fromInitialiser(E, [&](const Expr *Begin) { return threads(Begin, Depth + 1); });
  }

private:
  static constexpr unsigned MostDepth = 16;

  // dim3(x, y, z)
  // NOLINTNEXTLINE(misc-no-recursion)
  Number product(const CXXConstructExpr &Made, unsigned Depth) const {
    uint64_t Product = 1;
    for (const Expr *Argument : Made.arguments()) {
      const Number N = number(Argument, Depth + 1);
      if (!N)
        return std::nullopt;
      Product = llvm::SaturatingMultiply(Product, *N);
    }
    return Made.getNumArgs() ? Number(Product) : std::nullopt;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  Number number(const Expr *E, unsigned Depth) const {
    if (const auto *Standard = dyn_cast<CXXDefaultArgExpr>(E))
      E = Standard->getExpr();
    if (Depth > MostDepth || E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    Expr::EvalResult Result;
    if (E->EvaluateAsInt(Result, Context))
      return Result.Val.getInt().isNegative() ? std::nullopt : Number(Result.Val.getInt().getZExtValue());
    E = E->IgnoreParenCasts();
    if (const auto *Both = dyn_cast<BinaryOperator>(E); Both && Both->getOpcode() == BO_Mul) {
      const Number Left = number(Both->getLHS(), Depth + 1), Right = number(Both->getRHS(), Depth + 1);
      return Left && Right ? Number(llvm::SaturatingMultiply(*Left, *Right)) : std::nullopt;
    }
    return fromInitialiser(E, [&](const Expr *Begin) { return number(Begin, Depth + 1); });
  }

  template <class Reader> Number fromInitialiser(const Expr *E, Reader Read) const {
    const auto *Variable = dyn_cast_or_null<VarDecl>(named(E));
    const bool Keeps = Variable && Variable->hasInit() && !Variable->getType()->isReferenceType() &&
                       (Variable->getType().isConstQualified() ||
                        (Variable->hasLocalStorage() && Of.isUsedAsKnown(Variable)));
    return Keeps && !isa<ParmVarDecl>(Variable) ? Read(Variable->getInit()) : std::nullopt;
  }

  const ASTContext &Context;
  const Launches &Of;
};

class LaunchSizes : public ASTConsumer {
public:
  LaunchSizes(CompilerInstance &CI, std::shared_ptr<LargestBlocks> Found) : CI(CI), Found(std::move(Found)) {}

  void HandleTranslationUnit(ASTContext &Context) override {
    Launches All;
    for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
      if (!CI.getSourceManager().isInSystemHeader(D->getLocation()))
        All.TraverseDecl(D);
    const Sizes Of(Context, All);
    ASTNameGenerator Names(Context);
    llvm::DenseSet<const FunctionDecl *> Unknown;
    for (const Launches::Launch &L : All.all()) {
      const FunctionDecl *Kernel = L.Kernel->getCanonicalDecl();
      const Number Threads = Of.threads(L.Block);
      if (!Threads || *Threads > Most || !All.isUsedAsKnown(Kernel) || isOfOthers(*Kernel))
        Unknown.insert(Kernel);
      else if (unsigned &Largest = (*Found)[Names.getName(Kernel)]; Largest < *Threads)
        Largest = static_cast<unsigned>(*Threads);
    }
    for (const FunctionDecl *Kernel : Unknown)
      Found->erase(Names.getName(Kernel));
  }

private:
  static constexpr uint64_t Most = 1024;

  /// True if a header declares a kernel that this file defines: other units may launch it. So may the functions
  /// of a library its own.
  bool isOfOthers(const FunctionDecl &Kernel) const {
    const SourceManager &Sources = CI.getSourceManager();
    const FunctionDecl *Definition = Kernel.getDefinition();
    return !Definition || Sources.isInSystemHeader(Definition->getLocation()) ||
           llvm::any_of(Kernel.redecls(), [&](const FunctionDecl *D) {
             return Sources.getFileID(Sources.getExpansionLoc(D->getLocation())) !=
                    Sources.getFileID(Sources.getExpansionLoc(Definition->getLocation()));
           });
  }

  CompilerInstance &CI;
  std::shared_ptr<LargestBlocks> Found;
};

} // namespace

std::unique_ptr<ASTConsumer> createLaunchSizesConsumer(CompilerInstance &CI,
                                                       std::shared_ptr<LargestBlocks> Found) {
  return std::make_unique<LaunchSizes>(CI, std::move(Found));
}

} // namespace gpuprof
