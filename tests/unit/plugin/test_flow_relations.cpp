// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts that follow from others by control flow, compared with the counts of random walks through random functions.
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
extern "C" {
#include <cmocka.h>
}

#include "analysis/FlowRelations.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <random>

using namespace llvm;
using namespace gpuprof;

using Blocks = DenseMap<const BasicBlock *, BasicBlock *>;
using Numbers = DenseMap<const BasicBlock *, unsigned>;

static std::unique_ptr<Module> parse(LLVMContext &Context, const std::string &Text) {
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Error, Context);
  assert_non_null(M.get());
  return M;
}

static Blocks eachBlock(Function &F) {
  Blocks Counting;
  for (BasicBlock *BB : depth_first(&F))
    Counting[BB] = BB;
  return Counting;
}

static const BasicBlock *named(const Function &F, StringRef Name) {
  for (const BasicBlock &BB : F)
    if (BB.getName() == Name)
      return &BB;
  return nullptr;
}

static const char Branches[] = R"(
define void @f(i1 %a, i1 %b) {
entry:
  br label %turn
turn:
  br i1 %a, label %yes, label %no
yes:
  br label %join
no:
  br i1 %b, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  br i1 %b, label %turn, label %out
out:
  ret void
}
)";

static Numbers numbersOf(const Function &F, std::initializer_list<const char *> Names) {
  Numbers Of;
  for (const char *Name : Names)
    Of[named(F, Name)] = static_cast<unsigned>(Of.size());
  return Of;
}

// `no' has no counter: its count is that of its sides.
static void test_a_side_follows_from_the_others(void **) {
  LLVMContext Context;
  const auto M = parse(Context, Branches);
  Function &F = *M->getFunction("f");
  const auto Implied = impliedCounts(flowRelations(F, eachBlock(F), numbersOf(F, {"turn", "yes", "left", "right"})), {3});
  assert_int_equal(Implied.size(), 1);
  assert_int_equal(Implied[0].Group, 3);
  assert_true((Implied[0].Is == GroupSum{{0, 1}, {1, -1}, {2, -1}}));
}

static void test_nothing_follows_without_the_other_side(void **) {
  LLVMContext Context;
  const auto M = parse(Context, Branches);
  Function &F = *M->getFunction("f");
  assert_true(impliedCounts(flowRelations(F, eachBlock(F), numbersOf(F, {"turn", "yes", "left"})), {0, 1, 2}).empty());
}

static std::string randomFunction(std::mt19937 &Random, unsigned Size) {
  std::string Text = "define void @f(i1 %c, i32 %n) {\nstart:\n  br label %b0\n";
  auto Any = [&] { return "label %b" + std::to_string(Random() % Size); };
  for (unsigned N = 0; N < Size; ++N) {
    Text += "b" + std::to_string(N) + ":\n";
    const unsigned Kind = Random() % 10;
    if (N + 1 == Size)
      Text += "  ret void\n";
    else if (Kind < 4)
      Text += "  br " + Any() + "\n";
    else if (Kind < 8)
      Text += "  br i1 %c, label %b" + std::to_string(N + 1) + ", " + Any() + "\n";
    else
      Text += "  switch i32 %n, " + Any() + " [i32 0, " + Any() + " i32 1, label %b" + std::to_string(N + 1) + "]\n";
  }
  return Text + "}\n";
}

// False if it does not return soon.
static bool walk(Function &F, std::mt19937 &Random, std::map<const BasicBlock *, int64_t> &Counts) {
  const BasicBlock *BB = &F.getEntryBlock();
  for (unsigned Step = 0; Step < 300; ++Step) {
    ++Counts[BB];
    const unsigned Ways = BB->getTerminator()->getNumSuccessors();
    if (!Ways)
      return true;
    BB = BB->getTerminator()->getSuccessor(Random() % Ways);
  }
  return false;
}

static void check_walk(Function &F, std::mt19937 &Random, const Numbers &Of, ArrayRef<ImpliedCount> Implied) {
  std::map<const BasicBlock *, int64_t> Counts;
  std::map<unsigned, int64_t> OfGroup;
  if (!walk(F, Random, Counts))
    return;
  for (auto [BB, Number] : Of)
    OfGroup[Number] = Counts[BB];
  for (const ImpliedCount &Count : Implied) {
    int64_t Sum = 0;
    for (auto [Group, Factor] : Count.Is)
      Sum += Factor * OfGroup.at(Group);
    assert_int_equal(Sum, OfGroup.at(Count.Group));
  }
}

static size_t check_function(std::mt19937 &Random) {
  LLVMContext Context;
  const auto M = parse(Context, randomFunction(Random, 3 + Random() % 12));
  Function &F = *M->getFunction("f");
  const Blocks Counting = eachBlock(F);
  Numbers Of;
  SmallVector<unsigned, 16> Wanted;
  for (const BasicBlock &BB : F)
    if (Counting.count(&BB) && Random() % 4) {
      Wanted.push_back(static_cast<unsigned>(Of.size()));
      Of[&BB] = Wanted.back();
    }
  const auto Implied = impliedCounts(flowRelations(F, Counting, Of), Wanted);
  for (const ImpliedCount &Count : Implied)
    for (const ImpliedCount &Other : Implied)
      assert_false(Count.Is.count(Other.Group)); // all follow from counters
  for (unsigned Turn = 0; Turn < 20; ++Turn)
    check_walk(F, Random, Of, Implied);
  return Implied.size();
}

static void test_random_functions(void **) {
  std::mt19937 Random(7);
  size_t Implied = 0;
  for (unsigned Turn = 0; Turn < 2000; ++Turn)
    Implied += check_function(Random);
  assert_true(Implied > 100);
}

int main() {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_side_follows_from_the_others),
      cmocka_unit_test(test_nothing_follows_without_the_other_side),
      cmocka_unit_test(test_random_functions),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
