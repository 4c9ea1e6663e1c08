// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of one thread in one function: variables that become registers, or elements of an array in its
// memory.
#ifndef GPUPROF_INSTRUMENT_LOCALCOUNTERS_H
#define GPUPROF_INSTRUMENT_LOCALCOUNTERS_H

#include "instrument/Flush.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

class LocalCounters {
public:
  /// Most: what a thread adds at most to each counter. Pack: keep those that count to one as bits of words.
  LocalCounters(llvm::Function &F, llvm::ArrayRef<uint64_t> Most, bool Pack);
  /// In the array, i64[], which is zero from First on: those of these groups.
  LocalCounters(llvm::Function &F, llvm::ArrayRef<unsigned> Groups, llvm::Value &Array,
                llvm::Instruction &First);

  /// How many registers the first way takes at most.
  static unsigned registersFor(llvm::ArrayRef<uint64_t> Most);

  /// Where counting can begin: behind the code that sets all to zero.
  llvm::Instruction &begin() const { return *First; }
  /// Amount: i64, or i1 for one or nothing.
  void add(llvm::IRBuilder<> &Builder, size_t Counter, llvm::Value *Amount);
  void reset(llvm::IRBuilder<> &Builder);
  /// The counts as i64; not of packed ones.
  llvm::SmallVector<llvm::Value *, 16> load(llvm::IRBuilder<> &Builder) const;
  /// What a flush needs.
  llvm::SmallVector<LocalCount, 16> loadForFlush(llvm::IRBuilder<> &Builder) const;
  /// After the last use: makes registers of them.
  void promote();

private:
  llvm::Function &F;
  struct Variable {
    llvm::Value *Memory;
    llvm::Type *T;
    LocalCount Holds; // but for the value
  };
  std::vector<Variable> Variables;
  struct Place {
    size_t Variable;
    unsigned Shift;
  };
  std::vector<Place> Places; // of each counter
  llvm::Instruction *First = nullptr;
  std::vector<llvm::WeakTrackingVH> Sums;
  bool IsInArray = false;
};

} // namespace gpuprof
#endif
