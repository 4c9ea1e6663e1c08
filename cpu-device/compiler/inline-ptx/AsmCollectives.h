// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of a warp.
#ifndef GPUPROF_INLINEPTX_ASMCOLLECTIVES_H
#define GPUPROF_INLINEPTX_ASMCOLLECTIVES_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Warp operations and matrix instructions.
class AsmCollectives : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  bool collective(Op O);
  bool matrix(Op O);

private:
  bool extremeOfFloats(Op O);
  bool mma(Op O);
};

} // namespace gpuprof::cpu
#endif
