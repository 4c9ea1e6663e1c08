// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps.
#ifndef GPUPROF_INLINEPTX_ASMTENSORMAPS_H
#define GPUPROF_INLINEPTX_ASMTENSORMAPS_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Copies by tensor maps.
class AsmTensorMaps : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  bool tensorCopy(Op O);
  bool tensorMap(Op O);

private:
  bool tensorPlace(llvm::StringRef Text, unsigned Rank, llvm::StringRef Offsets, llvm::Value *&Map,
                   llvm::Value *&Place);
};

} // namespace gpuprof::cpu
#endif
