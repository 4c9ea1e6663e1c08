// Puts the planned counters into kernels.
#ifndef GPUPROF_IR_COUNTERS_H
#define GPUPROF_IR_COUNTERS_H

#include "ir/Clones.h"

namespace gpuprof {

struct CountPlan;

/// Changes the kernels of the plan or gives them clones that count, adds copies of the functions they call, the array
/// of counter addresses and the sheet, and initialises the descriptor of abi.h. ForCpu: no warp operations. Returns how
/// each kernel of the plan is counted.
std::vector<CountWay> insertCounters(llvm::Module &M, CountPlan &Plan, bool ForCpu, CloneMaker &Clones);

} // namespace gpuprof
#endif
