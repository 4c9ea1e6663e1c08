// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The convergent operation at the beginning of a parallel region, in front of its loop over threads.
#ifndef GPUPROF_WORKITEM_REGIONENTRIES_H
#define GPUPROF_WORKITEM_REGIONENTRIES_H

#include "workitem/LowerConvergentOps.h"
#include "workitem/RegionExits.h"

namespace gpuprof::cpu {

class RegionEntries {
public:
  RegionEntries(FormedBody &Body, KeptValues &Values, RegionExits &Exits)
      : Body(Body), Values(Values), Exits(Exits) {}
  /// Lowers the operation, if there is one.
  void lower(ParallelRegion &R);

private:
  void lowerMatrices(const ConvergentSite &Site, llvm::CallInst &First);
  void lowerRun(const ConvergentSite &Site, ParallelRegion &R, llvm::ArrayRef<llvm::Instruction *> Run);
  void shareLanes(ParallelRegion &R, llvm::AllocaInst *Array);

  FormedBody &Body;
  KeptValues &Values;
  RegionExits &Exits;
  llvm::DenseSet<llvm::AllocaInst *> Shuffled; // arrays in which threads read one another's elements
};

} // namespace gpuprof::cpu
#endif
