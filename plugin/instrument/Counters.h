// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the planned counters into kernels.
#ifndef GPUPROF_INSTRUMENT_COUNTERS_H
#define GPUPROF_INSTRUMENT_COUNTERS_H

#include "clones/Clones.h"

namespace gpuprof {

struct CountPlan;

/// Whether the unit is compiled separately (-fgpu-rdc), so that device functions may call those of other units.
bool isRelocatable(llvm::Module &M);

/// Changes the kernels of the plan or gives them clones that count, adds copies of the functions they call, the array
/// of counter addresses and the sheet, and initialises the descriptor of abi.h. ForCpu: no warp operations. Returns how
/// each kernel of the plan is counted.
std::vector<CountWay> insertCounters(llvm::Module &M, CountPlan &Plan, bool ForCpu, CloneMaker &Clones);

} // namespace gpuprof
#endif
