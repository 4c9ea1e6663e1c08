// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent regions with adjacent threads in each row, such as threadIdx.x < width.
#ifndef GPUPROF_WORKITEM_THREADRANGES_H
#define GPUPROF_WORKITEM_THREADRANGES_H

#include "workitem/ThreadVariation.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace gpuprof::cpu {

/// A bound of threadIdx.x or, without a predicate, a uniform condition. With a distance: threads that far apart, as the
/// first lanes of all warps; there is no bound then.
struct RangeTerm {
  llvm::WeakTrackingVH Bound; // uniform
  bool Wanted = true;         // of a value without a predicate
  llvm::CmpInst::Predicate Compare = llvm::CmpInst::BAD_ICMP_PREDICATE;
  unsigned Apart = 1, Rest = 0; // threadIdx.x % Apart == Rest; a power of two
};
using RangeTerms = llvm::SmallVector<RangeTerm, 2>;
/// The term with a distance, or null.
const RangeTerm *termApart(const RangeTerms &Terms);
/// True if the terms hold for one thread of a row, or for one of each warp.
bool holdForFew(const RangeTerms &Terms);
/// Divides a condition, or (not `Wanted`) its negation, into conjuncts, and hands them to `Take` until it
/// refuses one. Values accepted by `IsTerm` are not divided. False: a term was refused.
bool forEachTerm(llvm::Value *Condition, bool Wanted, llvm::function_ref<bool(const llvm::Value *)> IsTerm,
                 llvm::function_ref<bool(llvm::Value *, bool)> Take);
/// The terms of a condition, or of its negation, if it holds for one range of threadIdx.x in each row, or for threads of
/// it at one distance. Empty for any other condition.
RangeTerms rangeOf(llvm::Value *Condition, bool Wanted, const llvm::Argument &State,
                   const ThreadVariation &Variations);
/// Low and High, i64, of threadIdx.x: [Low, High).
struct RangeBounds {
  llvm::Value *Low = nullptr, *High = nullptr;
};
/// Intersects a range with a term and the value of its bound.
RangeBounds narrow(llvm::IRBuilder<> &B, RangeBounds From, const RangeTerm &Term, llvm::Value *Bound);

} // namespace gpuprof::cpu
#endif
