// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Shortcuts.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"

using namespace clang;

namespace gpuprof {
namespace {

class InstantiationWatcher : public ASTConsumer {
public:
  explicit InstantiationWatcher(Instantiations &Seen) : Seen(Seen) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (const Decl *D : Group)
      if (const auto *F = dyn_cast<FunctionDecl>(D); F && F->isTemplateInstantiation())
        notice(F);
    return true;
  }

private:
  void notice(const FunctionDecl *F) {
    Seen.Kernels += F->hasAttr<CUDAGlobalAttr>();
    Seen.Textures |= F->getIdentifier() && F->getName() == "__tex_fetch";
  }

  Instantiations &Seen;
};

/// Libraries of kernels have namespaces of their own (thrust, cub, cuda): their host functions launch
/// kernels.
bool isOfLanguageLibrary(const FunctionDecl *F) {
  const DeclContext *Outermost = nullptr;
  for (const DeclContext *C = F->getDeclContext(); C && !C->isTranslationUnit(); C = C->getParent())
    if (C->isNamespace())
      Outermost = C;
  if (!Outermost)
    return true;
  const auto *Space = cast<NamespaceDecl>(Outermost);
  return Space->getIdentifier() && (Space->getName() == "std" || Space->getName() == "__gnu_cxx");
}

class ShortcutWatcher : public ASTConsumer {
public:
  ShortcutWatcher(CompilerInstance &CI, const Instantiations &OfHost)
      : CI(CI), OfHost(OfHost), Watcher(createInstantiationWatcher(Seen)) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override { return Watcher->HandleTopLevelDecl(Group); }

  bool shouldSkipFunctionBody(Decl *D) override {
    const FunctionDecl *F = D->getAsFunction();
    return F && !F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAGlobalAttr>() && isOfLanguageLibrary(F) &&
           isInHeader(F->getLocation());
  }

  void HandleTranslationUnit(ASTContext &) override {
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    if (CI.getFrontendOpts().SkipFunctionBodies && Seen.Kernels < OfHost.Kernels)
      Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "kernels are missing"));
  }

private:
  /// Excludes gpuprof's own text before the file: its host functions keep device variables.
  bool isInHeader(SourceLocation Where) const {
    const SourceManager &Sources = CI.getSourceManager();
    return Sources.isInSystemHeader(Where) &&
           Sources.getFileID(Sources.getExpansionLoc(Where)) != CI.getPreprocessor().getPredefinesFileID();
  }

  CompilerInstance &CI;
  const Instantiations OfHost;
  Instantiations Seen;
  std::unique_ptr<ASTConsumer> Watcher;
};

} // namespace

std::unique_ptr<ASTConsumer> createInstantiationWatcher(Instantiations &Seen) {
  return std::make_unique<InstantiationWatcher>(Seen);
}

void takeShortcuts(CompilerInvocation &Invocation, const Instantiations &OfHost) {
  Invocation.getFrontendOpts().SkipFunctionBodies = true;
  // Guards of headers: as if they had been read.
  PreprocessorOptions &Preprocessor = Invocation.getPreprocessorOpts();
  Preprocessor.addMacroDef("_GLIBCXX_BITS_SPECFUN_H");
  if (!OfHost.Textures)
    Preprocessor.addMacroDef("__CLANG_CUDA_TEXTURE_INTRINSICS_H__");
}

std::unique_ptr<ASTConsumer> createShortcutWatcher(CompilerInstance &CI, const Instantiations &OfHost) {
  return std::make_unique<ShortcutWatcher>(CI, OfHost);
}

} // namespace gpuprof
