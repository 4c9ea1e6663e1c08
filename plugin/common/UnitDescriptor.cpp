// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/UnitDescriptor.h"

#include "gpuprof/abi.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprof {

// clang may have mangled the name (_ZL14__gpuprof_unit) or, with -fgpu-rdc, appended the unit's id to it.
GlobalVariable *unitDescriptor(Module &M) {
  for (GlobalVariable &Variable : M.globals()) {
    StringRef Name = Variable.getName();
    if (Name.consume_front("_ZL"))
      Name = Name.drop_while([](char C) { return C >= '0' && C <= '9'; });
    if (Name.starts_with(GPUPROF_UNIT_VARIABLE))
      return &Variable;
  }
  return nullptr;
}

bool isRelocatable(Module &M) {
  const GlobalVariable *Descriptor = unitDescriptor(M);
  return Descriptor && !Descriptor->getName().ends_with(GPUPROF_UNIT_VARIABLE);
}

} // namespace gpuprof
