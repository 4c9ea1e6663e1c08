// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Diagnostics.h"

using namespace clang;

namespace gpuprof {

static unsigned idOf(DiagnosticsEngine &Engine, Diag Id) {
  switch (Id) {
#define GPUPROF_DIAG(identifier, level, text)                                                                \
  case Diag::identifier:                                                                                     \
    return Engine.getCustomDiagID(DiagnosticsEngine::level, text);
#include "frontend/Diagnostics.def"
  }
  llvm_unreachable("a diagnostic that Diagnostics.def does not list");
}

DiagnosticBuilder report(DiagnosticsEngine &Engine, SourceLocation Where, Diag Id) {
  return Engine.Report(Where, idOf(Engine, Id));
}

} // namespace gpuprof
