// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves, loads and stores.
#ifndef GPUPROF_INLINEPTX_ASMMEMORY_H
#define GPUPROF_INLINEPTX_ASMMEMORY_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Moves, loads, stores and asynchronous copies.
class AsmMemory : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  bool move(Op O, const PtxType &T);
  bool memory(Op O, const PtxType &T);
  bool isSpace(Op O);
  bool asyncCopy(Op O);

private:
  bool moveVector(Op O, const PtxType &T);
  bool vectorMemory(Op O, const PtxType &T, bool IsLoad, llvm::Value *Pointer);
  bool arriveAtOnce(Op O);
};

/// cp.async of 4, 8 or 16 bytes, done at once. `Given` (null: all): the bytes to read; the rest is filled
/// with zeros. False: no such size.
bool copyNow(llvm::IRBuilder<> &B, llvm::Value *To, llvm::Value *From, uint64_t Bytes, llvm::Value *Given);

} // namespace gpuprof::cpu
#endif
