// Puts the planned counters into kernels.
#ifndef GPUPROF_IR_COUNTERS_H
#define GPUPROF_IR_COUNTERS_H

namespace llvm {
class Module;
}

namespace gpuprof {

struct CountPlan;

/// Changes the kernels of the plan, adds copies of the functions they call, the array of counter addresses and
/// the sheet, and initialises the descriptor of abi.h. ForCpu: no warp operations.
void insertCounters(llvm::Module &M, const CountPlan &Plan, bool ForCpu);

} // namespace gpuprof
#endif
