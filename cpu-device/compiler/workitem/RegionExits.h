// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From one loop over threads to the next: branches between parallel regions, and who is inside a divergent region.
#ifndef GPUPROF_WORKITEM_REGIONEXITS_H
#define GPUPROF_WORKITEM_REGIONEXITS_H

#include "workitem/KeptValues.h"

namespace gpuprof::cpu {

class RegionExits {
public:
  RegionExits(FormedBody &Body, KeptValues &Values) : Body(Body), Values(Values) {}
  /// The masks and ranges of divergent regions.
  void makeDivergentRegions();
  /// Joins the loop to its parallel region, and to the loops that follow.
  void close(ParallelRegion &R);
  /// The mask of threads not yet returned at the start of a divergent region.
  llvm::Value *alive(const DivergentRegion &D, llvm::IRBuilder<> &B);

private:
  void leave(ParallelRegion &R);
  void storeMembership(ParallelRegion &R, DivergentRegion &D);
  llvm::Value *storeRange(ParallelRegion &R, DivergentRegion &D, llvm::IRBuilder<> &B);
  void enter(DivergentRegion &D, llvm::BasicBlock *At, llvm::BasicBlock *Inside);

  FormedBody &Body;
  KeptValues &Values;
  llvm::DenseMap<DivergentRegion *, llvm::Constant *> Places; // of the warp operation in it
};

} // namespace gpuprof::cpu
#endif
