// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics.
#ifndef GPUPROF_INLINEPTX_ASMATOMICS_H
#define GPUPROF_INLINEPTX_ASMATOMICS_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Atomics, reductions and asynchronous stores.
class AsmAtomics : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  bool atomic(Op O, const PtxType &T);
  bool updateLater(Op O);
  bool reduceBulk(Op O);
  bool fillBulk(Op O);

private:
  bool atomicVector(Op O, const PtxType &T);
};

} // namespace gpuprof::cpu
#endif
