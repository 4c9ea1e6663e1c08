// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address programs: an address clone as a list of numbers in the sheet, which the runtime executes on the host.
#ifndef GPUPROF_CLONES_ADDRESSPROGRAMS_H
#define GPUPROF_CLONES_ADDRESSPROGRAMS_H

#include <string>

namespace llvm {
class Function;
}

namespace gpuprof {

struct SectorMarkers;

/// The program of a clone that reads ids and arguments only (include/gpuprof/address_program.inc): numbers,
/// with a space between two. Empty if one of its instructions has no counterpart, or if it is too long.
std::string addressProgramOf(const llvm::Function &Clone, const SectorMarkers &Functions);

} // namespace gpuprof
#endif
