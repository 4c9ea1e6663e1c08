// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Marker.h"
#include "common/AbiLayout.h"
#include "frontend/ClangCompat.h"
#include "frontend/CudaShims.h"
#include "frontend/Directive.h"

#include "gpuprof/abi.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"

using namespace clang;
using llvm::StringRef;

namespace gpuprof {

// The device half initialises the descriptor. clang registers a static device variable, and makes it visible
// to the host, only if host code names it before the variable is emitted. The function does this; the
// variable must not have `used`.
std::string predefinedText(const LangOptions &Language) {
  const char *Where = Language.CUDA ? "__attribute__((host)) __attribute__((device)) " : "";
  std::string Text = "# 1 \"<gpuprof>\" 3\n";
  Text += Language.CPlusPlus ? "extern \"C\" {\n" : "";
  Text += std::string(Where) + "__attribute__((nothrow)) int " GPUPROF_MARK_ENTER "(const char *);\n";
  Text += std::string(Where) + "__attribute__((nothrow)) void " GPUPROF_MARK_EXIT "(int *);\n";
  Text += Language.CPlusPlus ? "}\n" : "";
  Text += directiveDeclarations(Language);
  if (!Language.CUDA)
    return Text;
  Text += Language.CPlusPlus11 ? cudaShims() : "";
  // Cooperative groups ask by this name if the compiler's headers have functions for clusters.
  Text += compat::HasClusterFunctions ? "#define _CG_CLUSTER_INTRINSICS_AVAILABLE 1\n" : "";
  Text += abi::declarationOf<abi::device_unit>("__gpuprof_device_unit") +
          ";\n"
          "static __attribute__((device)) struct __gpuprof_device_unit " GPUPROF_UNIT_VARIABLE ";\n"
          "static __attribute__((host)) __attribute__((used)) void *" GPUPROF_UNIT_VARIABLE "_address()"
          " { return (void *)&" GPUPROF_UNIT_VARIABLE "; }\n";
  return Text;
}

void MarkerBuilder::noticeDeclaration(Decl *D) {
  if (Enter && Exit)
    return;
  if (auto *Linkage = dyn_cast<LinkageSpecDecl>(D)) {
    for (Decl *Inner : Linkage->decls())
      noticeDeclaration(Inner);
    return;
  }
  auto *Function = dyn_cast<FunctionDecl>(D);
  if (!Function || !Function->getIdentifier())
    return;
  if (Function->getName() == GPUPROF_MARK_ENTER)
    Enter = Function;
  else if (Function->getName() == GPUPROF_MARK_EXIT)
    Exit = Function;
}

Stmt *MarkerBuilder::makeScope(StringRef Description, DeclContext *Function, SourceLocation Where) const {
  QualType Int = Context.IntTy;
  QualType TextType = Context.getStringLiteralArrayType(Context.CharTy, Description.size());
  Expr *Text = compat::makeString(Context, Description, TextType, Where);
  QualType Pointer = Enter->getParamDecl(0)->getType();
  Text = ImplicitCastExpr::Create(Context, Context.getArrayDecayedType(TextType), CK_ArrayToPointerDecay,
                                  Text, nullptr, VK_PRValue, FPOptionsOverride());
  if (!Context.hasSameType(Text->getType(), Pointer)) // C: a string literal is char[N]
    Text =
        ImplicitCastExpr::Create(Context, Pointer, CK_NoOp, Text, nullptr, VK_PRValue, FPOptionsOverride());

  Expr *Callee =
      DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(), Enter,
                          /*RefersToEnclosingVariableOrCapture=*/false, Where, Enter->getType(), VK_LValue);
  Callee =
      ImplicitCastExpr::Create(Context, Context.getPointerType(Enter->getType()), CK_FunctionToPointerDecay,
                               Callee, nullptr, VK_PRValue, FPOptionsOverride());
  Expr *Call = CallExpr::Create(Context, Callee, {Text}, Int, VK_PRValue, Where, FPOptionsOverride());

  auto *Scope = VarDecl::Create(Context, Function, Where, Where, &Context.Idents.get("__gpuprof_scope"), Int,
                                Context.getTrivialTypeSourceInfo(Int, Where), SC_None);
  Scope->setInit(Call);
  Scope->setImplicit();
  Scope->setIsUsed();
  Scope->addAttr(CleanupAttr::CreateImplicit(Context, Exit, SourceRange(Where, Where)));
  return new (Context) DeclStmt(DeclGroupRef(Scope), Where, Where);
}

CompoundStmt *MarkerBuilder::wrap(Stmt *S, StringRef Description, DeclContext *Function) const {
  Stmt *Statements[] = {makeScope(Description, Function, S->getBeginLoc()), S};
  return CompoundStmt::Create(Context, Statements, FPOptionsOverride(), S->getBeginLoc(), S->getEndLoc());
}

} // namespace gpuprof
