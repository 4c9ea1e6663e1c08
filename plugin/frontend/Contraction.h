// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contractions allowed to the code generator in a compile.
#ifndef GPUPROF_FRONTEND_CONTRACTION_H
#define GPUPROF_FRONTEND_CONTRACTION_H

#include "costs/Contractions.h"

#include "clang/Basic/LangOptions.h"

namespace gpuprof {

/// Clang tells the code generator of -ffp-contract=fast alone; for =on the IR already has its fmas.
inline ContractionMode contractionMode(const clang::LangOptions &Lang) {
  return Lang.getDefaultFPContractMode() == clang::LangOptions::FPM_Fast ? ContractionMode::All
                                                                         : ContractionMode::Flagged;
}

} // namespace gpuprof

#endif
