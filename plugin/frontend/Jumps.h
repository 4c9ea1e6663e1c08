// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jumps into and within a statement about to become a region. Sema checks jumps before the rewriting: the
// plugin has to reject those entering the region's scope.
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

/// The jumps of a function's body possibly entering a statement.
struct Jumps {
  explicit Jumps(clang::Stmt *Body);
  std::vector<clang::Stmt *> InOrder; ///< gotos and computed jumps
};

/// Examines each body once, whatever its number of regions.
class JumpFinder {
public:
  /// The first jump of function body `Body` entering the contained statement `Inner`, or impossible to check.
  BadJump findBad(clang::Stmt *Body, clang::Stmt *Inner);

private:
  const Jumps &in(clang::Stmt *Body);

  llvm::DenseMap<clang::Stmt *, std::unique_ptr<Jumps>> Bodies;
};

} // namespace gpuprof

#endif
