// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics of one PTX instruction each.
#ifndef GPUPROF_LOWER_INTRINSICTEXTS_H
#define GPUPROF_LOWER_INTRINSICTEXTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallInst;
} // namespace llvm

namespace gpuprof::cpu {
struct Lowering;

/// Lowers an intrinsic by the text of its PTX instruction; false: not known. `Parts`: its name behind llvm.nvvm.,
/// split at dots.
bool lowerIntrinsicByText(Lowering &L, llvm::CallInst &I, llvm::ArrayRef<llvm::StringRef> Parts);
} // namespace gpuprof::cpu
#endif
