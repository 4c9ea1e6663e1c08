// Jumps into and within a statement that is to be a region. Sema checks such jumps before the rewriting, so
// the plugin has to reject those that would enter the region's scope.
#ifndef GPUPROF_FRONTEND_JUMPS_H
#define GPUPROF_FRONTEND_JUMPS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Stmt;
}

namespace gpuprof {

struct BadJump {
  enum Kind { None, Goto, Case, Computed } Why = None;
  clang::SourceLocation Where; ///< the goto, or the case label
};

/// The first jump of function body `Body` that enters `Inner`, a statement in it, or cannot be checked.
BadJump findBadJump(clang::Stmt *Body, clang::Stmt *Inner);

} // namespace gpuprof

#endif
