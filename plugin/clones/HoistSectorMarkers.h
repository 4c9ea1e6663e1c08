// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks of a loop's accesses, taken out of the loop.
#ifndef GPUPROF_CLONES_HOISTSECTORMARKERS_H
#define GPUPROF_CLONES_HOISTSECTORMARKERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprof {

struct SectorMarkers;

/// Joins marks of neighbouring memory in a block, and replaces marks that each turn of a loop makes at even
/// distances by one mark before the loop. What is marked stays the same. Returns whether anything has
/// changed.
bool hoistSectorMarkers(llvm::Function &F, const SectorMarkers &Functions);

} // namespace gpuprof
#endif
