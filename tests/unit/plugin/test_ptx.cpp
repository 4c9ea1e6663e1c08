// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader of inline PTX: instructions, operands, labels, branches, and truncated texts.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
extern "C" {
#include <cmocka.h>
}

#include "ptx/Ptx.h"

using namespace gpuprof::ptx;

static void instructionsHaveOpcodesOperandsAndPredicates(void **) {
  const Program P = parse("{ .reg .pred p; .reg .f16 low, high; setp.ne.b32 p, $1, 0; @!p fma.rn.f32 $0, "
                          "[$2+4], {low,high}, 0f3f800000; }");
  assert_string_equal(P.Error.c_str(), "");
  assert_int_equal(P.Registers.size(), 3);
  assert_string_equal(P.Registers[2].Type.c_str(), "f16");
  assert_string_equal(P.Registers[2].Name.c_str(), "high");
  assert_int_equal(P.Instructions.size(), 2);
  const Instruction &I = P.Instructions[1];
  assert_string_equal(I.Predicate.c_str(), "!p");
  assert_string_equal(I.text().c_str(), "fma.rn.f32");
  assert_true(I.has("rn") && !I.has("rz"));
  assert_int_equal(I.Operands.size(), 4);
  assert_string_equal(I.Operands[1].c_str(), "[$2+4]");
  assert_string_equal(I.Operands[2].c_str(), "{low,high}");
}

static void blanksMayStandBeforeTypesAndPredicates(void **) {
  const Program P = parse("add .rn .f32 $0, $1, $2; @ p mov\n.b32 $0, 1; @ ! p prmt .b32 $0, $1, $2, 3;");
  assert_string_equal(P.Error.c_str(), "");
  assert_int_equal(P.Instructions.size(), 3);
  assert_string_equal(P.Instructions[0].text().c_str(), "add.rn.f32");
  assert_int_equal(P.Instructions[0].Operands.size(), 3);
  assert_string_equal(P.Instructions[1].Predicate.c_str(), "p");
  assert_string_equal(P.Instructions[1].text().c_str(), "mov.b32");
  assert_string_equal(P.Instructions[2].Predicate.c_str(), "!p");
  assert_int_equal(P.Instructions[2].Operands.size(), 4);
}

static void operandsKeepLlvmsSpelling(void **) {
  const Program P = parse("mov.u32 ${0:c}, %%laneid; mov.u32 $1, $$5;");
  assert_int_equal(P.Instructions.size(), 2);
  assert_string_equal(P.Instructions[0].Operands[0].c_str(), "$0");
  assert_string_equal(P.Instructions[1].Operands[1].c_str(), "$5");
}

static void commentsAreLeftOut(void **) {
  const Program P = parse("add.s32 $0, $1, 1; // */ min.s32 $0, $1, 2;\nmad.lo.s32 $0, $1, 2, 3; /* "
                          "mul.lo.s32 $0,\n $1, 3; */ sub.s32 $0, $0, 4;");
  assert_int_equal(P.Instructions.size(), 3);
  assert_string_equal(P.Instructions[1].text().c_str(), "mad.lo.s32");
  assert_string_equal(P.Instructions[2].text().c_str(), "sub.s32");
}

static void branchesAreToldFromStraightLines(void **) {
  assert_string_equal(parse("add.s32 $0, $1, 1;").Branch.c_str(), "");
  const Program P = parse("AGAIN: add.s32 $0, $0, 1; @p bra AGAIN;");
  assert_string_not_equal(P.Branch.c_str(), "");
  assert_int_equal(P.Labels.size(), 1);
  assert_string_equal(P.Labels[0].Name.c_str(), "AGAIN");
  assert_int_equal(P.Labels[0].Before, 0);
}

static void piecesThatAreMissingReadAsEmpty(void **) {
  const Program P = parse("add.s32 $0;");
  assert_int_equal(P.Instructions.size(), 1);
  assert_string_equal(P.Instructions[0].Operands[7].c_str(), "");
  assert_string_equal(Pieces().back().c_str(), "");
}

int main() {
  const CMUnitTest Tests[] = {
      cmocka_unit_test(instructionsHaveOpcodesOperandsAndPredicates),
      cmocka_unit_test(blanksMayStandBeforeTypesAndPredicates),
      cmocka_unit_test(operandsKeepLlvmsSpelling),
      cmocka_unit_test(commentsAreLeftOut),
      cmocka_unit_test(branchesAreToldFromStraightLines),
      cmocka_unit_test(piecesThatAreMissingReadAsEmpty),
  };
  return cmocka_run_group_tests(Tests, nullptr, nullptr);
}
