// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code of a compilation for both devices, handed from the device compile to the host compile of the same run of
// the driver: the host compile need not read the source a second time.
#ifndef GPUPROF_FRONTEND_HANDEDMODULE_H
#define GPUPROF_FRONTEND_HANDEDMODULE_H

#include <memory>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
} // namespace clang

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace gpuprof {
struct Options;

/// In a device compile: writes its module, as code generation makes it, for the host compile that follows. Does nothing
/// where none follows. Call it before code generation begins, and before passes are added.
void handModuleToHost(clang::CompilerInstance &CI, const Options &O);

/// In a host compile: the module that a device compile with the options of `Device` has left for it, as bitcode; null
/// without one. Nobody finds it again.
std::unique_ptr<llvm::MemoryBuffer> takeHandedModule(const clang::CompilerInstance &Host,
                                                     clang::CompilerInvocation &Device,
                                                     const Options &O);

} // namespace gpuprof
#endif
