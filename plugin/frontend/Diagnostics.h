// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The front end's diagnostics: the list is Diagnostics.def.
#ifndef GPUPROF_FRONTEND_DIAGNOSTICS_H
#define GPUPROF_FRONTEND_DIAGNOSTICS_H

#include "clang/Basic/Diagnostic.h"

namespace gpuprof {

enum class Diag {
#define GPUPROF_DIAG(identifier, level, text) identifier,
#include "frontend/Diagnostics.def"
};

/// Starts a diagnostic; its arguments follow by <<.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine &Engine, clang::SourceLocation Where, Diag Id);

} // namespace gpuprof

#endif
