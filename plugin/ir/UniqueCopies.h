// unique=on: beside each counted kernel a copy that also marks the sectors of global memory it touches.
#ifndef GPUPROF_IR_UNIQUECOPIES_H
#define GPUPROF_IR_UNIQUECOPIES_H

#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

struct Touch;

/// Adds the copies of kernels whose accesses are tagged, with the name and the parameters of abi.h. They are
/// copied as they are: with their counters, if these are in the kernel.
void addUniqueCopies(const std::vector<llvm::Function *> &Kernels, const Touch &Functions);

} // namespace gpuprof
#endif
