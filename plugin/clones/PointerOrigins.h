// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the pointers of a kernel's accesses come from.
#ifndef GPUPROF_CLONES_POINTERORIGINS_H
#define GPUPROF_CLONES_POINTERORIGINS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Function;
class Instruction;
class LoopInfo;
class Value;
} // namespace llvm

namespace gpuprof {

/// A pointer among a kernel's arguments: its parameter and its offset there.
struct PointerPlace {
  unsigned Parameter;
  uint64_t Offset;
  bool operator==(const PointerPlace &Other) const {
    return Parameter == Other.Parameter && Offset == Other.Offset;
  }
};

/// The pointers among the arguments used to compute a pointer; an access through it reaches their allocations
/// only. Nothing if it may come from elsewhere.
using PointerOrigins = std::optional<llvm::SmallVector<PointerPlace, 2>>;

PointerOrigins originsOf(const llvm::Value &Pointer, llvm::LoopInfo &Loops, const llvm::DataLayout &Layout);
/// The targets of an instruction possibly writing to global memory.
PointerOrigins originsOfWrite(const llvm::Instruction &I, llvm::LoopInfo &Loops, const llvm::DataLayout &Layout);
/// The pointers behind which a kernel may write, in all its instructions; nothing if it may write elsewhere. Functions
/// that it calls are not followed.
PointerOrigins storesOf(llvm::Function &Kernel, llvm::LoopInfo &Loops);

/// True if an instruction may write to global memory of the program.
bool mayWriteGlobal(const llvm::Instruction &I);
/// True if nothing writes to a by-value parameter's memory.
bool isOnlyRead(const llvm::Value &Pointer);

/// Adds those that are missing.
void addPlaces(llvm::SmallVectorImpl<PointerPlace> &To, llvm::ArrayRef<PointerPlace> Places);

} // namespace gpuprof
#endif
