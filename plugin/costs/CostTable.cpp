// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "costs/CostTable.h"

#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace gpuprof {
namespace {

using Rows = StringMap<CostRow>;

const Rows &rowsOf(CostTable Table) {
  static const Rows All[] = {
      {
#define COST_OPCODE(Name, Kind) {Name, {CostKind::Kind, nullptr}},
#define COST_OPCODE_UNCOUNTED(Name, Why) {Name, {CostKind::Uncounted, Why}},
#include "costs/InstructionCosts.def"
      },
      {
#define COST_INTRINSIC(Name, Kind) {Name, {CostKind::Kind, nullptr}},
#define COST_INTRINSIC_UNCOUNTED(Name, Why) {Name, {CostKind::Uncounted, Why}},
#include "costs/InstructionCosts.def"
      },
      {
#define COST_NVVM(Name, Kind) {Name, {CostKind::Kind, nullptr}},
#define COST_NVVM_UNCOUNTED(Name, Why) {Name, {CostKind::Uncounted, Why}},
#include "costs/InstructionCosts.def"
      },
      {
#define COST_PTX(Name, Kind) {Name, {CostKind::Kind, nullptr}},
#define COST_PTX_UNCOUNTED(Name, Why) {Name, {CostKind::Uncounted, Why}},
#include "costs/InstructionCosts.def"
      },
      {
#define COST_CALL(Name, Kind) {Name, {CostKind::Kind, nullptr}},
#include "costs/InstructionCosts.def"
      },
  };
  return All[static_cast<unsigned>(Table)];
}

} // namespace

const CostRow *findCost(CostTable Table, StringRef Name) {
  const Rows &Known = rowsOf(Table);
  for (;;) {
    if (auto Found = Known.find(Name); Found != Known.end())
      return &Found->second;
    const size_t Dot = Name.find_last_of(".:"); // PTX has both: tcgen05.wait::ld
    if (Dot == StringRef::npos)
      return nullptr;
    Name = Name.take_front(Dot);
  }
}

const CostRow *findIntrinsicCost(StringRef Name) {
  Name.consume_front("llvm.");
  if (Name.consume_front("nvvm."))
    return findCost(CostTable::Nvvm, Name);
  // A constrained operation is the operation itself, an intrinsic or an instruction of LLVM.
  const bool Constrained = Name.consume_front("experimental.constrained.");
  const CostRow *Row = findCost(CostTable::Intrinsic, Name);
  return !Row && Constrained ? findCost(CostTable::Opcode, Name) : Row;
}

} // namespace gpuprof
