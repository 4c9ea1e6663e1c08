// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses `#pragma gpuprof …`.
#ifndef GPUPROF_FRONTEND_PRAGMA_H
#define GPUPROF_FRONTEND_PRAGMA_H

#include "frontend/Directive.h"
#include "frontend/Region.h"

namespace clang {
class Preprocessor;
}

namespace gpuprof {

/// Adds the handler of `#pragma gpuprof` and the token watcher to a preprocessor; both fill the tables.
void installPragma(clang::Preprocessor &PP, std::shared_ptr<RegionTable> Table,
                   std::shared_ptr<DirectiveTable> Directives);

} // namespace gpuprof

#endif
