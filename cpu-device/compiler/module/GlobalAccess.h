// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One access of global memory.
#ifndef GPUPROF_MODULE_GLOBALACCESS_H
#define GPUPROF_MODULE_GLOBALACCESS_H

#include <cstdint>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace gpuprof::cpu {

struct GlobalAccess {
  llvm::Instruction *At;
  llvm::Value *Pointer;
  uint64_t Bytes = 0;            // 0: Length has it
  llvm::Value *Length = nullptr; // of a memcpy or memset of variable length
  uint64_t Alignment = 1;
  bool IsCopy = false; // memcpy or memset
};

} // namespace gpuprof::cpu
#endif
