// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jumps into and within a statement that is to be a region. Sema checks such jumps before the rewriting, so
// the plugin has to reject those that would enter the region's scope.
#ifndef GPUPROF_FRONTEND_JUMPS_H
#define GPUPROF_FRONTEND_JUMPS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <vector>

namespace clang {
class Stmt;
}

namespace gpuprof {

struct BadJump {
  enum Kind { None, Goto, Case, Computed } Why = None;
  clang::SourceLocation Where; ///< the goto, or the case label
};

/// The jumps of a function's body that may enter a statement.
struct Jumps {
  explicit Jumps(clang::Stmt *Body);
  std::vector<clang::Stmt *> InOrder; ///< gotos and computed jumps
};

/// Looks through each body once, however many regions stand in it.
class JumpFinder {
public:
  /// The first jump of function body `Body` that enters `Inner`, a statement in it, or cannot be checked.
  BadJump findBad(clang::Stmt *Body, clang::Stmt *Inner);

private:
  const Jumps &in(clang::Stmt *Body);

  llvm::DenseMap<clang::Stmt *, std::unique_ptr<Jumps>> Bodies;
};

} // namespace gpuprof

#endif
