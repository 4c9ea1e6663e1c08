// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lop3: any function of three bits, given by a table, as few operations on whole words.
#include "inline-ptx/AsmLogic.h"
#include "inline-ptx/AsmLowering.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// The truth table of a function of `Count` variables: bit i is its value for variable k = bit k of i.
struct Table {
  unsigned Bits, Count;

  unsigned full() const { return (1u << (1u << Count)) - 1; }
  bool isConstant() const { return Bits == 0 || Bits == full(); }
  // The remaining table for a known value of one variable.
  Table where(unsigned Variable, bool IsSet) const {
    Table Rest{0, Count - 1};
    for (unsigned I = 0, To = 0; I != 1u << Count; ++I)
      if ((I >> Variable & 1) == IsSet)
        Rest.Bits |= (Bits >> I & 1) << To++;
    return Rest;
  }
};

// A function as a choice by one variable: Clear for 0, Set for 1.
struct Choice {
  Table Clear, Set;
  Choice(const Table &T, unsigned Variable) : Clear(T.where(Variable, false)), Set(T.where(Variable, true)) {}
  Table difference() const { return {Clear.Bits ^ Set.Bits, Clear.Count}; }
  unsigned operations() const;
  Value *emit(IRBuilder<> &B, Value *Variable, ArrayRef<Value *> Others) const;
};

// The best variable for the first choice, and the number of operations.
std::pair<unsigned, unsigned> best(const Table &T) {
  std::pair<unsigned, unsigned> Found{0, ~0u};
  for (unsigned V = 0; V != T.Count; ++V)
    if (const unsigned Operations = Choice(T, V).operations(); Operations < Found.second)
      Found = {V, Operations};
  return Found;
}

unsigned operations(const Table &T) { return T.isConstant() ? 0 : best(T).second; }

Value *emit(IRBuilder<> &B, const Table &T, ArrayRef<Value *> Variables, Type *As) {
  if (T.isConstant())
    return T.Bits ? Constant::getAllOnesValue(As) : Constant::getNullValue(As);
  const unsigned By = best(T).first;
  SmallVector<Value *> Others(Variables);
  Others.erase(Others.begin() + By);
  return Choice(T, By).emit(B, Variables[By], Others);
}

unsigned Choice::operations() const {
  const unsigned All = Clear.full(), Difference = difference().Bits;
  if (Difference == 0)
    return cpu::operations(Clear);
  if (Clear.isConstant() && Set.isConstant())
    return Set.Bits ? 0 : 1;
  if (Difference == All || Set.Bits == All)
    return cpu::operations(Clear) + 1;
  if (Clear.Bits == 0)
    return cpu::operations(Set) + 1;
  if (Set.Bits == 0)
    return cpu::operations(Clear) + 2;
  if (Clear.Bits == All)
    return cpu::operations(Set) + 2;
  return cpu::operations(Clear) + cpu::operations(difference()) + 2;
}

Value *Choice::emit(IRBuilder<> &B, Value *Variable, ArrayRef<Value *> Others) const {
  const unsigned All = Clear.full(), Difference = difference().Bits;
  auto Part = [&](const Table &T) { return cpu::emit(B, T, Others, Variable->getType()); };
  if (Difference == 0)
    return Part(Clear);
  if (Clear.isConstant() && Set.isConstant())
    return Set.Bits ? Variable : B.CreateNot(Variable);
  if (Difference == All)
    return B.CreateXor(Part(Clear), Variable);
  if (Set.Bits == All)
    return B.CreateOr(Part(Clear), Variable);
  if (Clear.Bits == 0)
    return B.CreateAnd(Part(Set), Variable);
  if (Set.Bits == 0)
    return B.CreateAnd(Part(Clear), B.CreateNot(Variable));
  if (Clear.Bits == All)
    return B.CreateOr(Part(Set), B.CreateNot(Variable));
  return B.CreateXor(Part(Clear), B.CreateAnd(Part(difference()), Variable));
}
} // namespace

Value *logicOfThree(IRBuilder<> &B, Value *X, Value *Y, Value *Z, uint64_t Lookup) {
  return emit(B, {static_cast<unsigned>(Lookup & 255), 3}, {Z, Y, X}, X->getType());
}
} // namespace gpuprof::cpu
