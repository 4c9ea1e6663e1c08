// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-ups in the table of costs: the longest row at the start of a name, in whole pieces between dots.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
extern "C" {
#include <cmocka.h>
}

#include "costs/CostTable.h"

using namespace gpuprof;

static void expectKind(CostTable Table, llvm::StringRef Name, CostKind Kind) {
  const CostRow *Row = findCost(Table, Name);
  if (!Row)
    fail_msg("no row for %s", Name.str().c_str());
  if (Row->Kind != Kind)
    fail_msg("%s is of kind %d, not %d", Name.str().c_str(), int(Row->Kind), int(Kind));
}

static void opcodesHaveTheirKind(void **) {
  expectKind(CostTable::Opcode, "fadd", CostKind::Add);
  expectKind(CostTable::Opcode, "fmul", CostKind::Mul);
  expectKind(CostTable::Opcode, "fdiv", CostKind::Div);
  expectKind(CostTable::Opcode, "load", CostKind::Load);
  expectKind(CostTable::Opcode, "store", CostKind::Store);
}

static void theLongestRowCounts(void **) {
  expectKind(CostTable::Ptx, "fma.rn.f32", CostKind::Fma);
  expectKind(CostTable::Ptx, "add.rn.f32", CostKind::Add);
  expectKind(CostTable::Ptx, "ld.global.f32", CostKind::Load);
  expectKind(CostTable::Ptx, "cp.async.ca.shared.global", CostKind::AsyncCopy);
}

static void rowsEndBeforeADot(void **) {
  assert_null(findCost(CostTable::Opcode, "faddition"));
  assert_null(findCost(CostTable::Opcode, ""));
  assert_null(findCost(CostTable::Ptx, "nosuch.f32"));
}

static void intrinsicsAreFoundByTheirWholeName(void **) {
  const CostRow *Nvvm = findIntrinsicCost("llvm.nvvm.add.rn.f"), *Fma = findIntrinsicCost("llvm.fma.f32");
  const CostRow *Constrained = findIntrinsicCost("llvm.experimental.constrained.fadd.f32");
  assert_true(Nvvm && Nvvm->Kind == CostKind::Add);
  assert_true(Fma && Fma->Kind == CostKind::Fma);
  assert_true(Constrained && Constrained->Kind == CostKind::Add);
  assert_null(findIntrinsicCost("llvm.nosuch"));
}

int main() {
  const CMUnitTest Tests[] = {
      cmocka_unit_test(opcodesHaveTheirKind),
      cmocka_unit_test(theLongestRowCounts),
      cmocka_unit_test(rowsEndBeforeADot),
      cmocka_unit_test(intrinsicsAreFoundByTheirWholeName),
  };
  return cmocka_run_group_tests(Tests, nullptr, nullptr);
}
