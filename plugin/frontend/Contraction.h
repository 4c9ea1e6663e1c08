// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which contractions a compile allows the code generator.
#ifndef GPUPROF_FRONTEND_CONTRACTION_H
#define GPUPROF_FRONTEND_CONTRACTION_H

#include "costs/Contractions.h"

#include "clang/Basic/LangOptions.h"

namespace gpuprof {

/// Clang tells the code generator of -ffp-contract=fast alone; of =on the IR has its fmas already.
inline ContractionMode contractionMode(const clang::LangOptions &Lang) {
  return Lang.getDefaultFPContractMode() == clang::LangOptions::FPM_Fast ? ContractionMode::All
                                                                         : ContractionMode::Flagged;
}

} // namespace gpuprof

#endif
