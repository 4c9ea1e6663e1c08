// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instructions, intrinsics and inline PTX share when they are counted.
#ifndef GPUPROF_COSTS_COSTPARTS_H
#define GPUPROF_COSTS_COSTPARTS_H

#include "costs/CostTable.h"
#include "costs/Costs.h"
#include "costs/Spaces.h"

namespace llvm {
class CallBase;
class Type;
class Use;
class Value;
} // namespace llvm

namespace gpuprof {

/* ---- Arithmetic
 * ---------------------------------------------------------------------------------------------- */

enum class Precision { Integer, Fp16, Bf16, Fp32, Fp64 };

/// A type as intrinsics and PTX spell it: "f", "f32", "bf16x2", "d", "s32", "e4m3x2".
struct TypeName {
  const char *Name;
  Precision P;
  unsigned Elements;
  unsigned Bits; // of one element
};

/// Null if it is no such word.
const TypeName *findTypeName(llvm::StringRef Name);

Precision precisionOf(const llvm::Type &T);
unsigned elementsOf(const llvm::Type &T);

/// Adds what an arithmetic kind, up to Convert, does for that many elements.
void addOperation(InstructionCost &Cost, CostKind Kind, Precision P, uint64_t Elements, bool Approximate);

/// Adds what atomics do to that many elements: an accumulate where they add floats, else an atomic operation.
void addAtomicOperation(InstructionCost &Cost, bool Adds, Precision P, uint64_t Elements);

/* ---- Memory
 * -------------------------------------------------------------------------------------------------- */

enum class Access { Load, Store, Atomic };

CostClass accessClass(Space S, Access A);

/// An access of `Bytes` by each thread. An unknown space is counted as global, and named.
void addAccess(InstructionCost &Cost, Space S, Access A, uint64_t Bytes);

/// The same through a pointer of an instruction: where uniformity proves the address alike in all lanes, so
/// it says.
void addLaneAccess(InstructionCost &Cost, const llvm::Use &Pointer, Access A, uint64_t Bytes,
                   const WarpUniformity *U);

} // namespace gpuprof
#endif
