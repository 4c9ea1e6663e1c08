// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves marks of a loop's accesses out of the loop.
#ifndef GPUPROF_CLONES_HOISTSECTORMARKERS_H
#define GPUPROF_CLONES_HOISTSECTORMARKERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

struct SectorMarkers;

/// Joins marks of neighbouring memory in a block. Replaces marks made by each iteration of a loop at equal
/// distances by one mark before the loop. The marked sectors stay the same. Returns true if anything has
/// changed.
bool hoistSectorMarkers(llvm::Function &F, const SectorMarkers &Functions);

} // namespace gpuprof
#endif
