// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address clones: beside a kernel that stays as it is, a clone that computes only the addresses of its
// accesses of global memory, and marks them.
#ifndef GPUPROF_CLONES_ADDRESSCLONES_H
#define GPUPROF_CLONES_ADDRESSCLONES_H

#include "clones/CloneSlice.h"

#include "llvm/IR/PassManager.h"

#include <string>
#include <vector>

namespace gpuprof {

struct KernelPlan;
struct SectorMarkers;

/// Bytes of a kernel's parameter that its address clone reads.
struct AddressRead : CloneRead {
  bool IsBase; ///< a pointer to which the clone only adds, and to nothing else: what it touches moves with it
};

/// What a kernel's address clone is.
struct AddressWay {
  enum Kind {
    None,
    Free, ///< it reads nothing but ids and arguments: what it marks can be remembered
    Light ///< it also reads memory, which the kernel does not write
  } How = None;
  std::string Why;         ///< none: why not
  unsigned Parameters = 0; ///< of the kernel
  std::vector<AddressRead> Reads;
  std::vector<PointersApart> Apart; ///< light: pointers that must lie apart in a launch

  /// The fields of the sheet's record `addresses`, after the kernel's index.
  std::string facts() const;
};

/// Which clones are made.
enum class AddressChoice { None, Free, FreeAndLight };

/// Makes the address clone of a kernel whose accesses are tagged, with the name and the parameters of abi.h.
AddressWay makeAddressClone(const KernelPlan &Plan, const SectorMarkers &Functions,
                            llvm::FunctionAnalysisManager &Analyses, AddressChoice Choice);

} // namespace gpuprof
#endif
