// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions.
#ifndef GPUPROF_INLINEPTX_ASMCONVERSIONS_H
#define GPUPROF_INLINEPTX_ASMCONVERSIONS_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Conversions between types of numbers.
class AsmConversions : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  llvm::Value *convert(Op O);

private:
  llvm::Value *convertFloat8(Op O);
  llvm::Value *pack(Op O);
};

} // namespace gpuprof::cpu
#endif
