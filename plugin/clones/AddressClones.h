// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Address clones: beside an unchanged kernel, a clone computing only the addresses of its global accesses,
// and marking their sectors.
#ifndef GPUPROF_CLONES_ADDRESSCLONES_H
#define GPUPROF_CLONES_ADDRESSCLONES_H

#include "clones/CloneSlice.h"

#include "llvm/IR/PassManager.h"

#include <string>
#include <vector>

namespace gpuprof {

struct KernelPlan;
struct SectorMarkers;

/// Bytes of a kernel's parameter read by its address clone.
struct AddressRead : CloneRead {
  bool IsBase; ///< a pointer only added to, and added to nothing else: the marked sectors move with it
};

/// The address clone of a kernel.
struct AddressWay {
  enum Kind {
    None,
    Free, ///< it reads only ids and arguments: its marks can be remembered
    Light ///< it also reads memory not written by the kernel
  } How = None;
  std::string Why;         ///< none: the reason
  unsigned Parameters = 0; ///< of the kernel
  std::vector<AddressRead> Reads;
  std::vector<PointersApart> Apart; ///< light: pointers required to lie apart in a launch
  std::string Formula;              ///< free: the clone for the host (Formula.h), if it can be one
  bool HasClone = false;            ///< the module has the clone too

  /// The fields of the sheet's record `addresses`, after the kernel's index.
  std::string facts() const;
};

/// The permitted kinds of clones: none but those that are formulas for the host, or clones too.
enum class AddressChoice { Formulas, Free, FreeAndLight };

/// Makes the address clone of a kernel with tagged accesses, with the name and the parameters of abi.h.
AddressWay makeAddressClone(const KernelPlan &Plan, const SectorMarkers &Functions,
                            llvm::FunctionAnalysisManager &Analyses, AddressChoice Choice);

} // namespace gpuprof
#endif
