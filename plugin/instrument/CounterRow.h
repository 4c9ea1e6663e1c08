// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The row of counters in memory that a thread adds to, and additions to it before the thread's end. Counts that have no register
// are added where their blocks run: by one thread for all that run there together.
#ifndef GPUPROF_INSTRUMENT_COUNTERROW_H
#define GPUPROF_INSTRUMENT_COUNTERROW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuprof {

struct CounterRow {
  llvm::Value *Address = nullptr; // i64; 0: nothing is counted
  bool IsShared = true;           // by all threads that run together
};

struct RowCount {
  unsigned Group;
  llvm::Value *Count; // i64 or i1
};

/// The counters of one kernel.
struct CounterTable {
  unsigned Slots;     // a power of two
  unsigned RowLength; // counters of a slot
  bool IsLine;        // block indices differ in one dimension only
};

/// The row of the running thread's block. Base: address of the table, i64; 0: nothing is counted.
llvm::Value *rowAddress(llvm::IRBuilder<> &Builder, llvm::Value *Base, const CounterTable &Table);
/// The counters of a row from a group on.
llvm::Value *partOfRow(llvm::IRBuilder<> &Builder, llvm::Value *Row, unsigned First);
llvm::Value *baseOfRow(llvm::IRBuilder<> &Builder, llvm::Value *Row, const CounterTable &Table);

/// Adds counts at Builder's position, by PTX. Constants are added by one thread for all that are there, and other counts by one
/// thread of a whole warp. In a part of a warp each thread adds its own.
void addToRow(llvm::IRBuilder<> &Builder, const CounterRow &Row, llvm::ArrayRef<RowCount> Counts);

} // namespace gpuprof
#endif
