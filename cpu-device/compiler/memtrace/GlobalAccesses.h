// The accesses of a function that may touch global memory.
#ifndef GPUPROF_MEMTRACE_GLOBALACCESSES_H
#define GPUPROF_MEMTRACE_GLOBALACCESSES_H

#include "lower/Lowering.h"

namespace gpuprof::cpu {

struct GlobalAccess {
  llvm::Instruction *At;
  llvm::Value *Pointer;
  uint64_t Bytes = 0;            // 0: Length says
  llvm::Value *Length = nullptr; // of a copy or fill whose length is not a constant
  uint64_t Alignment = 1;
  bool IsCopy = false; // or fill
};

/// In the order of the code. gpuprof's own accesses (counters) are not among them.
llvm::SmallVector<GlobalAccess> globalAccesses(const Lowering &L, llvm::Function &F);

} // namespace gpuprof::cpu
#endif
