// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences between the clang majors supported by the front end.
#ifndef GPUPROF_FRONTEND_CLANGCOMPAT_H
#define GPUPROF_FRONTEND_CLANGCOMPAT_H

#include "common/Compat.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"

#include <functional>
#include <vector>
#if !GPUPROF_LLVM_AT_LEAST(18)
#include <dlfcn.h>
#endif

namespace gpuprof::compat {

inline clang::StringLiteral *makeString(const clang::ASTContext &Context, llvm::StringRef Text, clang::QualType Type,
                                        clang::SourceLocation Where) {
#if GPUPROF_LLVM_AT_LEAST(18)
  constexpr auto Ordinary = clang::StringLiteralKind::Ordinary;
#else
  constexpr auto Ordinary = clang::StringLiteral::Ordinary;
#endif
  return clang::StringLiteral::Create(Context, Text, Ordinary, /*Pascal=*/false, Type, Where);
}

/// Adds passes to this compile. CodeGenOptions has a member for it since 18. Before, the plugin's own file is
/// named as a pass plugin; its entry point (in Plugin.cpp) runs the callbacks collected here.
using PassBuilderFn = std::function<void(llvm::PassBuilder &)>;
#if GPUPROF_LLVM_AT_LEAST(18)
inline void onPassBuilder(clang::CodeGenOptions &Options, PassBuilderFn Callback) {
  Options.PassBuilderCallbacks.push_back(std::move(Callback));
}
#else
inline std::vector<PassBuilderFn> &collectedPassBuilderFns() {
  static std::vector<PassBuilderFn> Collected;
  return Collected;
}
inline void onPassBuilder(clang::CodeGenOptions &Options, PassBuilderFn Callback) {
  Dl_info Self;
  if (collectedPassBuilderFns().empty() && dladdr(reinterpret_cast<void *>(&collectedPassBuilderFns), &Self))
    Options.PassPlugins.push_back(Self.dli_fname);
  collectedPassBuilderFns().push_back(std::move(Callback));
}
#endif

/// Removes the passes requested by another compile with these options.
inline void clearPassBuilders(clang::CodeGenOptions &Options) {
  Options.PassPlugins.clear();
#if GPUPROF_LLVM_AT_LEAST(18)
  Options.PassBuilderCallbacks.clear();
#endif
}

/// Lives while another compile runs in this process, with passes of its own. If passes are not among the
/// options, those of the outer compile are set aside.
class OtherCompile {
public:
#if GPUPROF_LLVM_AT_LEAST(18)
  OtherCompile() {} // not defaulted: a variable of this type is used
#else
  OtherCompile() { Outer.swap(collectedPassBuilderFns()); }
  ~OtherCompile() { Outer.swap(collectedPassBuilderFns()); }
  OtherCompile(const OtherCompile &) = delete;

private:
  std::vector<PassBuilderFn> Outer;
#endif
};

/// The sizes given to a function by __cluster_dims__: up to three, null for an omitted one; none without the
/// attribute. Clang up to 21 does not know the attribute. It is then one of the plugin
/// (frontend/ClusterDims.cpp), kept as an annotation.
constexpr char ClusterDimsNote[] = "cluster_dims";
inline llvm::SmallVector<const clang::Expr *, 3> clusterDims(const clang::FunctionDecl &F) {
#if GPUPROF_LLVM_AT_LEAST(22)
  if (const auto *Dims = F.getAttr<clang::CUDAClusterDimsAttr>())
    return {Dims->getX(), Dims->getY(), Dims->getZ()};
#else
  for (const auto *Note : F.specific_attrs<clang::AnnotateAttr>())
    if (Note->getAnnotation() == ClusterDimsNote)
      return llvm::SmallVector<const clang::Expr *, 3>(Note->args_begin(), Note->args_end());
#endif
  return {};
}

/// No profile instrumentation; the enumeration has moved twice.
inline auto noProfile() {
#if GPUPROF_LLVM_AT_LEAST(21)
  return llvm::driver::ProfileInstrKind::ProfileNone;
#else
  return clang::CodeGenOptions::ProfileNone;
#endif
}

#if GPUPROF_LLVM_AT_LEAST(17)
namespace debug_kinds = llvm::codegenoptions;
#else
namespace debug_kinds = clang::codegenoptions;
#endif
inline bool hasDebugInfo(const clang::CodeGenOptions &Options) {
  return Options.getDebugInfo() != debug_kinds::NoDebugInfo;
}
/// Line tables at least.
inline void wantLineTables(clang::CodeGenOptions &Options) {
  if (Options.getDebugInfo() >= debug_kinds::DebugLineTablesOnly)
    return;
  Options.setDebugInfo(debug_kinds::DebugLineTablesOnly);
  Options.DwarfVersion = Options.DwarfVersion ? Options.DwarfVersion : 4;
}

/// A reference; a pointer up to clang 17.
inline clang::LangOptions &languageOf(clang::CompilerInvocation &Invocation) {
#if GPUPROF_LLVM_AT_LEAST(18)
  return Invocation.getLangOpts();
#else
  return *Invocation.getLangOpts();
#endif
}

/// True if a mere declaration with __float128 is an error in a device compile.
constexpr bool RefusesQuadDeclarations = !GPUPROF_LLVM_AT_LEAST(19);

/// A name among an attribute's arguments and its location; functions of the class since clang 21.
template <typename Name> auto identifierOf(const Name *N, int) -> decltype(N->getIdentifierInfo()) {
  return N->getIdentifierInfo();
}
template <typename Name> auto identifierOf(const Name *N, long) -> decltype(N->Ident) { return N->Ident; }
template <typename Name> auto locationOf(const Name *N, int) -> decltype(N->getLoc()) { return N->getLoc(); }
template <typename Name> auto locationOf(const Name *N, long) -> decltype(N->Loc) { return N->Loc; }

/// True if clang's headers have __cluster_barrier_arrive() and its like.
constexpr bool HasClusterFunctions = GPUPROF_LLVM_AT_LEAST(19);

/// The effect of -ffast-math on device code.
inline void setApproximateFunctions(clang::LangOptions &Lang) {
#if GPUPROF_LLVM_AT_LEAST(18)
  Lang.GPUDeviceApproxTranscendentals = true;
#else
  Lang.CUDADeviceApproxTranscendentals = true;
#endif
}

/// A compiler for another invocation, reading files through the same file manager; diagnostics go to
/// `Client`.
inline std::unique_ptr<clang::CompilerInstance> makeNested(std::shared_ptr<clang::CompilerInvocation> Invocation,
                                                           clang::CompilerInstance &Host,
                                                           clang::DiagnosticConsumer &Client) {
#if GPUPROF_LLVM_AT_LEAST(22)
  auto Nested =
      std::make_unique<clang::CompilerInstance>(std::move(Invocation), Host.getPCHContainerOperations());
  Nested->setVirtualFileSystem(Host.getVirtualFileSystemPtr());
  Nested->createDiagnostics(&Client, /*ShouldOwnClient=*/false);
  Nested->setFileManager(Host.getFileManagerPtr());
  Nested->createSourceManager();
#else
#if GPUPROF_LLVM_AT_LEAST(21)
  auto Nested =
      std::make_unique<clang::CompilerInstance>(std::move(Invocation), Host.getPCHContainerOperations());
#else
  auto Nested = std::make_unique<clang::CompilerInstance>(Host.getPCHContainerOperations());
  Nested->setInvocation(std::move(Invocation));
#endif
#if GPUPROF_LLVM_AT_LEAST(20)
  Nested->createDiagnostics(Host.getVirtualFileSystem(), &Client, /*ShouldOwnClient=*/false);
#else
  Nested->createDiagnostics(&Client, /*ShouldOwnClient=*/false);
#endif
  Nested->setFileManager(&Host.getFileManager());
  Nested->createSourceManager(Host.getFileManager());
#endif
  return Nested;
}

} // namespace gpuprof::compat

#endif
