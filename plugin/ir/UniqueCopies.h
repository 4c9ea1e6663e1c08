// unique=on: beside each counted kernel a copy that also marks the sectors of global memory it touches.
#ifndef GPUPROF_IR_UNIQUECOPIES_H
#define GPUPROF_IR_UNIQUECOPIES_H

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprof {

struct CountPlan;

/// Before counters are inserted: tags the accesses of global memory. Returns the kernels of which every
/// access can be marked; the others get no copy, and their unique bytes stay unknown.
std::vector<llvm::Function *> tagGlobalAccesses(const CountPlan &Plan);

/// After: adds the copies, with the table and the function of abi.h, and takes the tags off again.
void addUniqueCopies(llvm::Module &M, const std::vector<llvm::Function *> &Kernels);

} // namespace gpuprof
#endif
