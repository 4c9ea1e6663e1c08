// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers.
#ifndef GPUPROF_INLINEPTX_ASMBARRIERS_H
#define GPUPROF_INLINEPTX_ASMBARRIERS_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Barriers, mbarrier objects, clusters and bulk copies.
class AsmBarriers : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  bool barrierObject(Op O);
  bool blockBarrier(Op O);
  bool cluster(Op O);
  bool bulkCopy(Op O);
  bool elect(Op O);
  bool advice(Op O);

private:
  bool multicast(Op O, llvm::Value *To, llvm::Value *From, llvm::Value *Size, llvm::Value *Barrier);
};

} // namespace gpuprof::cpu
#endif
