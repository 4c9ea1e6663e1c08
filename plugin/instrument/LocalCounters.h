// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of one thread in one function: variables promoted to registers, or counters in memory.
#ifndef GPUPROF_INSTRUMENT_LOCALCOUNTERS_H
#define GPUPROF_INSTRUMENT_LOCALCOUNTERS_H

#include "instrument/CounterRow.h"
#include "instrument/Flush.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

#include <cstdint>
#include <map>
#include <vector>

namespace llvm {
class AllocaInst;
class Function;
} // namespace llvm

namespace gpuprof {

class LocalCounters {
public:
  /// The way of keeping counters with a maximum of one: in registers of their own, some in a word, or also, if they are many,
  /// as bits of words.
  enum class Packing { None, Some, Many };
  /// Most: the maximum added by a thread to each counter.
  LocalCounters(llvm::Function &F, llvm::ArrayRef<uint64_t> Most, Packing Pack);
  /// Counters that are neither InRegisters nor bits are added to the row at once, which is known from First on. Groups: their
  /// numbers in it, by counter.
  LocalCounters(llvm::Function &F, llvm::ArrayRef<uint64_t> Most, const llvm::BitVector &InRegisters,
                const CounterRow &Row, llvm::ArrayRef<unsigned> Groups, llvm::Instruction &First);

  /// Maximum number of registers needed by the first way, with bits.
  static unsigned registersFor(llvm::ArrayRef<uint64_t> Most);

  /// The earliest place for counting: behind the code setting all to zero.
  llvm::Instruction &begin() const { return *First; }
  /// Amount: i64, or i1 for one or nothing.
  void add(llvm::IRBuilder<> &Builder, size_t Counter, llvm::Value *Amount);
  void reset(llvm::IRBuilder<> &Builder);
  /// Whether nothing is left to be added for it at the end.
  bool isInMemory(size_t Counter) const { return Variables[Places[Counter].Variable].isInMemory(); }
  /// One count, i64; not of one in memory.
  llvm::Value *value(llvm::IRBuilder<> &Builder, size_t Counter) const;
  /// The counts as i64; not of packed ones.
  llvm::SmallVector<llvm::Value *, 16> load(llvm::IRBuilder<> &Builder) const;
  /// The counts in the form needed by a flush.
  llvm::SmallVector<LocalCount, 16> loadForFlush(llvm::IRBuilder<> &Builder) const;
  /// Call it after the last use: promotes them to registers.
  void promote();

private:
  void addToWord(llvm::IRBuilder<> &Builder, unsigned Group, bool AreBits);

  llvm::Function &F;
  CounterRow Row;
  std::map<unsigned, size_t> Words; // by their first group
  struct Variable {
    llvm::AllocaInst *Memory; // promoted to a register; null: the counter is in the row
    llvm::Type *T;
    LocalCount Holds; // but for the value
    bool isInMemory() const { return !Memory; }
  };
  std::vector<Variable> Variables;
  struct Place {
    size_t Variable;
    unsigned Shift;
  };
  std::vector<Place> Places; // of each counter
  llvm::Instruction *First = nullptr;
  std::vector<llvm::WeakTrackingVH> Sums;
};

} // namespace gpuprof
#endif
