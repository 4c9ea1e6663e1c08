// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions.
#ifndef GPUPROF_INLINEPTX_ASMVIDEO_H
#define GPUPROF_INLINEPTX_ASMVIDEO_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Video instructions: arithmetic of parts of words.
class AsmVideo : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  llvm::Value *video(Op O);
};

} // namespace gpuprof::cpu
#endif
