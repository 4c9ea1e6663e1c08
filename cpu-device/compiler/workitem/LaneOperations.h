// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that have a form for vectors, an element a lane.
#ifndef GPUPROF_WORKITEM_LANEOPERATIONS_H
#define GPUPROF_WORKITEM_LANEOPERATIONS_H

#include "llvm/IR/Instructions.h"

namespace gpuprof::cpu {

/// True for an intrinsic with a vector form for vectors of its operands' types.
bool isLanewise(const llvm::CallInst &Call);
/// True for the type of an element of such vectors.
bool isElement(const llvm::Type *T);

} // namespace gpuprof::cpu
#endif
