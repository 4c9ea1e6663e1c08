// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values equal in all lanes of a warp, and branches making them diverge.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
extern "C" {
#include <cmocka.h>
}

#include "costs/WarpUniformity.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>

using namespace llvm;

static const char Text[] = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @kernel(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %same = add i32 %block, %n
  %differs = add i32 %tid, %n
  %c = icmp slt i32 %same, 7
  br i1 %c, label %inside, label %behind
inside:
  %d = icmp slt i32 %differs, 7
  br i1 %d, label %parted, label %behind
parted:
  store i32 %same, ptr %p
  br label %behind
behind:
  ret void
}
)";

static Instruction &named(Function &F, StringRef Name) {
  for (Instruction &I : instructions(F))
    if (I.getName() == Name)
      return I;
  fail_msg("no value %s", Name.str().c_str());
  abort();
}

static std::unique_ptr<Module> read(LLVMContext &Context) {
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  if (!M)
    fail_msg("%s", Problem.getMessage().str().c_str());
  return M;
}

static void valuesOfTheThreadDiffer(void **) {
  LLVMContext Context;
  std::unique_ptr<Module> M = read(Context);
  Function &F = *M->getFunction("kernel");
  gpuprof::WarpUniformity U(F);
  assert_true(U.isUniform(named(F, "c").getOperandUse(0)));
  assert_true(U.isUniform(named(F, "same").getOperandUse(1)));
  assert_false(U.isUniform(named(F, "d").getOperandUse(0)));
}

static void branchesOnThemPartLanes(void **) {
  LLVMContext Context;
  std::unique_ptr<Module> M = read(Context);
  Function &F = *M->getFunction("kernel");
  gpuprof::WarpUniformity U(F);
  assert_false(U.mayDiverge(*named(F, "c").getParent()));
  assert_true(U.mayDiverge(*named(F, "d").getParent()));
}

int main() {
  const CMUnitTest Tests[] = {
      cmocka_unit_test(valuesOfTheThreadDiffer),
      cmocka_unit_test(branchesOnThemPartLanes),
  };
  return cmocka_run_group_tests(Tests, nullptr, nullptr);
}
