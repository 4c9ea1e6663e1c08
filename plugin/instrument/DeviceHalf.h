// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device half: gpuprof's additions to the optimisation pipeline of CUDA device code.
#ifndef GPUPROF_INSTRUMENT_DEVICEHALF_H
#define GPUPROF_INSTRUMENT_DEVICEHALF_H

#include "analysis/DeviceOptions.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace gpuprof {

/// Adds both steps to a pipeline: markers become debug scopes at its start, counters are inserted at its end.
void addDevicePasses(llvm::PassBuilder &PB, const DeviceOptions &O);

/// Makes the passes known by name to `opt`: gpuprof-expect, gpuprof-regions, gpuprof-count,
/// print<gpuprof-regions>, print<gpuprof-lanes>, print<gpuprof-costs>, print<gpuprof-expansions>,
/// print<gpuprof-contractions>. The last three also exist for -ffp-contract=fast
/// (print<gpuprof-costs;contract=all>). gpuprof-count takes parameters:
/// gpuprof-count<cpu;annotated;filter=REGEX;remarks;check;unique;unique=auto;contract=all;count=WORD>.
void registerDevicePasses(llvm::PassBuilder &PB);

} // namespace gpuprof
#endif
