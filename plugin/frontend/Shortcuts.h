// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device compilation inside the host compilation need not read, and how it is noticed that it was
// needed after all.
#ifndef GPUPROF_FRONTEND_SHORTCUTS_H
#define GPUPROF_FRONTEND_SHORTCUTS_H

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
class CompilerInvocation;
} // namespace clang

namespace gpuprof {

/// What a compile has made from templates.
struct Instantiations {
  unsigned Kernels = 0;
  bool Textures = false; ///< functions that read or write textures or surfaces
};

/// Writes into `Seen` what the compile makes.
std::unique_ptr<clang::ASTConsumer> createInstantiationWatcher(Instantiations &Seen);

/// Leaves out of the compile:
/// - the bodies of functions of C's, C++'s and CUDA's headers that are for the host alone, for which a
/// consumer
///   of createShortcutWatcher() is needed. What such a body calls is not made from templates then: a kernel
///   can be missing that a function object of the program would have launched;
/// - clang's header for textures, two fifths of what clang reads for an empty file, where the host has made
///   none of it. Its use is an error then.
void takeShortcuts(clang::CompilerInvocation &Invocation, const Instantiations &OfHost);

/// Names the bodies to leave out where takeShortcuts() was called. Fewer kernels than the host has made are
/// an error in the end, which keeps code from being generated.
std::unique_ptr<clang::ASTConsumer> createShortcutWatcher(clang::CompilerInstance &CI,
                                                          const Instantiations &OfHost);

} // namespace gpuprof

#endif
