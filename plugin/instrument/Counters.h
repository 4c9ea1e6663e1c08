// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the planned counters into kernels.
#ifndef GPUPROF_INSTRUMENT_COUNTERS_H
#define GPUPROF_INSTRUMENT_COUNTERS_H

#include "clones/Clones.h"

namespace gpuprof {

struct CountPlan;

/// Changes the kernels of the plan or gives them counting clones. Adds instances of the functions called by
/// them, the array of counter addresses and the sheet, and initialises the descriptor of abi.h. ForCpu: no
/// warp operations. Returns the way of counting each kernel of the plan.
std::vector<CountWay> insertCounters(llvm::Module &M, CountPlan &Plan, bool ForCpu, CloneMaker &Clones);

} // namespace gpuprof
#endif
