// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of costs, InstructionCosts.def, by name.
#ifndef GPUPROF_COSTS_COSTTABLE_H
#define GPUPROF_COSTS_COSTTABLE_H

#include "llvm/ADT/StringRef.h"

namespace gpuprof {

/// The work counted by a row. In the element's precision: Add to Sqrt (for an integer type: Integer, Fma
/// twice).
enum class CostKind {
  Add,
  Mul,
  Fma,
  Div,
  Sqrt,
  Reciprocal, // Div if correctly rounded, Special if approximate
  Special,    // the special-function unit: no FLOP
  Integer,
  Compare,
  Convert,
  Load, // bytes, by the space of the address
  Store,
  Atomic,
  Copy, // a load and a store
  Fill,
  AsyncCopy,  // from global to shared memory, by each thread
  BulkCopy,   // between global and shared memory, by one thread
  TensorCopy, // likewise, by a tensor map: the barrier is told its bytes
  ExpectedBytes, // the bytes of such copies, where a barrier expects no others
  Matrix,     // product, load or store of a whole warp or more
  MatrixRows, // ldmatrix and stmatrix
  Call,       // the tables of calls decide
  Free,       // moves, address arithmetic, control, synchronisation
  Uncounted,  // deliberately; Why has the reason
};

struct CostRow {
  CostKind Kind;
  const char *Why; // of Uncounted
};

enum class CostTable { Opcode, Intrinsic, Nvvm, Ptx, Call };

/// The row for a name without its prefix ("add.rn.f" of llvm.nvvm.add.rn.f); null if there is none. It is the
/// longest row equal to the name or to a part before one of its dots.
const CostRow *findCost(CostTable Table, llvm::StringRef Name);

/// The row of an intrinsic, by its whole name ("llvm.nvvm.add.rn.f",
/// "llvm.experimental.constrained.fadd.f32").
const CostRow *findIntrinsicCost(llvm::StringRef Name);

} // namespace gpuprof
#endif
