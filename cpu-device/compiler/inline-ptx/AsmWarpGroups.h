// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp groups.
#ifndef GPUPROF_INLINEPTX_ASMWARPGROUPS_H
#define GPUPROF_INLINEPTX_ASMWARPGROUPS_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Matrix products of warp groups (wgmma).
class AsmWarpGroups : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  bool warpGroup(Op O);

private:
  bool groupScales(Op O, size_t Next, bool InRegisters, uint64_t &Flags);
};

} // namespace gpuprof::cpu
#endif
