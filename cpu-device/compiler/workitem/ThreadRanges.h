// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent regions with ranges of threadIdx.x, y and z, such as threadIdx.x < width.
#ifndef GPUPROF_WORKITEM_THREADRANGES_H
#define GPUPROF_WORKITEM_THREADRANGES_H

#include "workitem/ThreadVariation.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace gpuprof::cpu {

/// Directions in the order of a loop nest: z, y, x.
enum { AlongX = 2 };

/// A bound of an index or, without a predicate, a uniform condition. With a distance: threads that far apart, as the
/// first lanes of all warps; there is no bound then.
struct RangeTerm {
  llvm::WeakTrackingVH Bound; // uniform
  bool Wanted = true;         // of a value without a predicate
  llvm::CmpInst::Predicate Compare = llvm::CmpInst::BAD_ICMP_PREDICATE;
  unsigned Apart = 1, Rest = 0; // threadIdx.x % Apart == Rest; a power of two
  unsigned Along = AlongX;      // the direction of the index
};
using RangeTerms = llvm::SmallVector<RangeTerm, 2>;
/// The term with a distance, or null.
const RangeTerm *termApart(const RangeTerms &Terms);
/// True if the terms hold for one index of a direction, or for one thread of each warp.
bool holdForFew(const RangeTerms &Terms);
/// Divides a condition, or (not `Wanted`) its negation, into conjuncts, and hands them to `Take` until it
/// refuses one. Values accepted by `IsTerm` are not divided. False: a term was refused.
bool forEachTerm(llvm::Value *Condition, bool Wanted, llvm::function_ref<bool(const llvm::Value *)> IsTerm,
                 llvm::function_ref<bool(llvm::Value *, bool)> Take);
/// The terms of a condition, or of its negation, if it holds for one range of each index, or for threads of it at one
/// distance along x. Empty for any other condition.
RangeTerms rangeOf(llvm::Value *Condition, bool Wanted, const llvm::Argument &State,
                   const ThreadVariation &Variations);
/// Makes two branches of a guard like `threadIdx.x == 0 && other`: the outer one has a range.
void splitGuards(llvm::Function &Body);
/// Low and High, i64, of an index: [Low, High).
struct RangeBounds {
  llvm::Value *Low = nullptr, *High = nullptr;
};
/// Intersects a range with a term and the value of its bound.
RangeBounds narrow(llvm::IRBuilder<> &B, RangeBounds From, const RangeTerm &Term, llvm::Value *Bound);

} // namespace gpuprof::cpu
#endif
