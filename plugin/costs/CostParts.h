// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common parts of the costs of instructions, intrinsics and inline PTX.
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

/* ---- Arithmetic ---- */

enum class Precision { Integer, Fp16, Bf16, Fp32, Fp64 };

/// A type as intrinsics and PTX spell it: "f", "f32", "bf16x2", "d", "s32", "e4m3x2".
struct TypeName {
  const char *Name;
  Precision P;
  unsigned Elements;
  unsigned Bits; // of one element
};

/// Null for any other word.
const TypeName *findTypeName(llvm::StringRef Name);

Precision precisionOf(const llvm::Type &T);
unsigned elementsOf(const llvm::Type &T);

/// Adds the work of an arithmetic kind, up to Convert, on so many elements.
void addOperation(InstructionCost &Cost, CostKind Kind, Precision P, uint64_t Elements, bool Approximate);

/// Adds the work of atomics on so many elements: an accumulate for additions of floats, otherwise an atomic
/// operation.
void addAtomicOperation(InstructionCost &Cost, bool Adds, Precision P, uint64_t Elements);

/* ---- Memory ---- */

enum class Access { Load, Store, Atomic };

CostClass accessClass(Space S, Access A);

/// An access of `Bytes` by each thread. An unknown space is counted as global, and named.
void addAccess(InstructionCost &Cost, Space S, Access A, uint64_t Bytes);

/// The same through a pointer of an instruction. Records a uniform address if uniformity proves it.
void addLaneAccess(InstructionCost &Cost, const llvm::Use &Pointer, Access A, uint64_t Bytes,
                   const WarpUniformity *U);

} // namespace gpuprof
#endif
