// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts skipped by the device compilation inside the host compilation, and the detection of a wrong skip.
#ifndef GPUPROF_FRONTEND_SHORTCUTS_H
#define GPUPROF_FRONTEND_SHORTCUTS_H

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
} // namespace clang

namespace gpuprof {

/// Template instantiations made by a compile.
struct Instantiations {
  unsigned Kernels = 0;
  bool Textures = false; ///< functions reading or writing textures or surfaces
};

/// Writes the instantiations of the compile into `Seen`.
std::unique_ptr<clang::ASTConsumer> createInstantiationWatcher(Instantiations &Seen);

/// Leaves out of the compile:
/// - the bodies of host-only functions in C's, C++'s and CUDA's headers; this needs a consumer of
///   createShortcutWatcher(). Templates used by such a body are then not instantiated: a kernel launched by a
///   function object of the program can be missing;
/// - the special functions of libstdc++'s <cmath> in C++17, a sixth of the time for a small file. Their use is
///   then an error;
/// - clang's header for textures, two fifths of the text read for an empty file, if the host has instantiated
///   none of it. Its use is then an error.
void takeShortcuts(clang::CompilerInvocation &Invocation, const Instantiations &OfHost);

/// Names the bodies to leave out after takeShortcuts(). Fewer kernels than on the host are an error at the
/// end, to prevent code generation.
std::unique_ptr<clang::ASTConsumer> createShortcutWatcher(clang::CompilerInstance &CI,
                                                          const Instantiations &OfHost);

} // namespace gpuprof

#endif
