// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures.
#ifndef GPUPROF_INLINEPTX_ASMTEXTURES_H
#define GPUPROF_INLINEPTX_ASMTEXTURES_H

#include "inline-ptx/AsmContext.h"

namespace gpuprof::cpu {

/// Textures and surfaces.
class AsmTextures : public AsmFamily {
public:
  using AsmFamily::AsmFamily;
  bool texture(Op O);
  /// [object, {coordinates}]
  bool textureAddress(llvm::StringRef Text, unsigned Coordinates, llvm::Value *&Object,
                      llvm::SmallVectorImpl<llvm::Value *> &Place);
};

} // namespace gpuprof::cpu
#endif
