// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/FrontEnd.h"
#include "frontend/Diagnostics.h"
#include "frontend/FastMath.h"
#include "frontend/NvccVersion.h"
#include "frontend/Pragma.h"
#include "frontend/RegionAttachment.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace gpuprof {
namespace {

/// Sees each declaration before code is generated for it.
class RegionConsumer : public ASTConsumer {
public:
  RegionConsumer(CompilerInstance &CI, std::shared_ptr<RegionTable> Table,
                 std::shared_ptr<DirectiveTable> Directives, const Options &O)
      : CI(CI), Table(std::move(Table)), Directives(std::move(Directives)), Given(O) {}

  void Initialize(ASTContext &) override {
    Place = std::make_unique<RegionAttachment>(CI, Table, Given.Remarks);
    // Before everything else: files given with -include may have regions. Not earlier: using a precompiled
    // header sets the predefined text anew. A precompiled header being made must not contain declarations
    // repeated in its users.
    Preprocessor &PP = CI.getPreprocessor();
    PP.setPredefines(nvccVersionText(CI) + fastMathText(CI, Given) + PP.getPredefines());
    if (!isPrecompiling())
      PP.setPredefines(predefinedText(CI.getLangOpts()) + PP.getPredefines());
  }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Place->visit(D);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override { Place->visit(F); }
  /// An instantiated static member or variable template; its initialiser may have lambdas.
  void HandleCXXStaticMemberVarInstantiation(VarDecl *V) override { Place->visit(V); }
  void HandleTranslationUnit(ASTContext &) override {
    // After an error of the user's, the construct behind a pragma may be missing from the AST.
    if (!CI.getDiagnostics().hasErrorOccurred()) {
      Place->finish();
      Directives->check(*Table);
    }
    reportPrecompiled();
  }

private:
  /// Records live in this process only: a region in a precompiled header would be lost silently.
  void reportPrecompiled() {
    if (isPrecompiling())
      for (const std::unique_ptr<Region> &R : Table->all())
        report(CI.getDiagnostics(), R->Pragma, Diag::InPrecompiledHeader) << R->directive();
  }

  bool isPrecompiling() const {
    return CI.getLangOpts().isCompilingModule() ||
           CI.getFrontendOpts().ProgramAction == frontend::GeneratePCH;
  }

  CompilerInstance &CI;
  std::shared_ptr<RegionTable> Table;
  std::shared_ptr<DirectiveTable> Directives;
  Options Given;
  std::unique_ptr<RegionAttachment> Place;
};

} // namespace

std::unique_ptr<ASTConsumer> createRegionConsumer(CompilerInstance &CI, const Options &O) {
  auto Table = std::make_shared<RegionTable>(O.NoWarnings);
  auto Directives = std::make_shared<DirectiveTable>(CI);
  installPragma(CI.getPreprocessor(), Table, Directives);
  return std::make_unique<RegionConsumer>(CI, Table, Directives, O);
}

} // namespace gpuprof
