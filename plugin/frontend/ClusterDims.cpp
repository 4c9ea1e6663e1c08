// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ClusterDims.h"
#include "frontend/ClangCompat.h"
#include "frontend/Diagnostics.h"
#include "instrument/ClusterSizes.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaDiagnostic.h"

#include <optional>

using namespace clang;

namespace gpuprof {
namespace {

/// "x,y,z"; none: the function has no clusters, or no size known as a number yet.
std::optional<std::string> sizeOf(const FunctionDecl &F, const ASTContext &Context) {
  constexpr size_t Axes = 3;
  const llvm::SmallVector<const Expr *, Axes> Given = compat::clusterDims(F);
  if (Given.empty())
    return std::nullopt;
  std::string Text;
  for (size_t N = 0; N < Axes; ++N) {
    const Expr *Size = N < Given.size() ? Given[N] : nullptr;
    std::optional<llvm::APSInt> Value;
    if (Size && (Size->isValueDependent() || !(Value = Size->getIntegerConstantExpr(Context))))
      return std::nullopt;
    Text += (N ? "," : "") + (Value ? std::to_string(Value->getZExtValue()) : "1");
  }
  return Text;
}

class ClusterDimsConsumer : public ASTConsumer {
public:
  ClusterDimsConsumer(CompilerInstance &CI, bool IsForGpu) : CI(CI), IsForGpu(IsForGpu) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      visit(D);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override { visit(F); }

private:
  void visit(Decl *D) {
    if (auto *F = dyn_cast<FunctionDecl>(D))
      annotate(*F);
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
      for (Decl *Inner : cast<DeclContext>(D)->decls())
        visit(Inner);
  }

  void annotate(FunctionDecl &F) {
    if (!F.hasAttr<CUDAGlobalAttr>() || F.isDependentContext() || !F.doesThisDeclarationHaveABody())
      return;
    ASTContext &Context = CI.getASTContext();
    const std::optional<std::string> Size = sizeOf(F, Context);
    if (!Size)
      return;
    if (!compat::WritesClusterSizes && IsForGpu)
      report(CI.getDiagnostics(), F.getLocation(), Diag::ClusterSizeLost) << &F << compat::Major;
    F.addAttr(AnnotateAttr::CreateImplicit(Context, ClusterSizeAnnotation + *Size, nullptr, 0));
  }

  CompilerInstance &CI;
  bool IsForGpu;
};

#if !GPUPROF_LLVM_AT_LEAST(22)
/// The attribute itself, for a clang without it.
struct ClusterDimsAttribute : public ParsedAttrInfo {
  ClusterDimsAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "cluster_dims"},
                                         {ParsedAttr::AS_Declspec, "cluster_dims"}};
    Spellings = Names;
    NumArgs = 1;
    OptArgs = 2;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attr, const Decl *D) const override {
    if (isa<FunctionDecl>(D))
      return true;
    S.Diag(Attr.getLoc(), diag::warn_attribute_ignored) << Attr;
    return false;
  }

  /// The parser does not know the attribute and takes a lone name for a name: returns the named expression.
  static Expr *argument(Sema &S, const ParsedAttr &Attr, unsigned N) {
    if (Attr.isArgExpr(N))
      return Attr.getArgAsExpr(N);
    const IdentifierLoc *Name = Attr.getArgAsIdent(N);
    UnqualifiedId Id;
    CXXScopeSpec Scope;
    Id.setIdentifier(compat::identifierOf(Name, 0), compat::locationOf(Name, 0));
    return S.ActOnIdExpression(S.getCurScope(), Scope, SourceLocation(), Id, false, false).get();
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &Attr) const override {
    SmallVector<Expr *, 3> Sizes;
    for (unsigned N = 0; N < Attr.getNumArgs(); ++N)
      if (Expr *Size = argument(S, Attr, N))
        Sizes.push_back(Size);
    if (Sizes.size() != Attr.getNumArgs() || !S.ConstantFoldAttrArgs(Attr, Sizes))
      return AttributeNotApplied;
    D->addAttr(AnnotateAttr::Create(S.Context, compat::ClusterDimsNote, Sizes.data(),
                                    static_cast<unsigned>(Sizes.size()), Attr));
    return AttributeApplied;
  }
};

ParsedAttrInfoRegistry::Add<ClusterDimsAttribute> RegisterClusterDims("cluster_dims",
                                                                      "how many blocks a cluster has");
#endif

} // namespace

std::unique_ptr<ASTConsumer> createClusterDimsConsumer(CompilerInstance &CI, bool IsForGpu) {
  return std::make_unique<ClusterDimsConsumer>(CI, IsForGpu);
}

} // namespace gpuprof
