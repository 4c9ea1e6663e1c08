// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ArrayElements.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/ModRef.h"

#include <cassert>

using namespace llvm;

namespace gpuprof {
namespace {

// Code for more elements would be longer than a loop over bytes.
constexpr uint64_t MostInPlace = 256;

constexpr uint64_t Bytes = sizeof(uint64_t);
constexpr unsigned LocalSpace = 5;

Value *element(IRBuilder<> &Builder, Value *Array, uint64_t Index) {
  return Builder.CreateConstInBoundsGEP1_64(Builder.getInt64Ty(), Array, Index);
}

} // namespace

void setToZero(IRBuilder<> &Builder, Value *Array, uint64_t Elements, bool ForCpu, Align Alignment) {
  if (ForCpu || Elements > MostInPlace) {
    Builder.CreateMemSet(Array, Builder.getInt8(0), Bytes * Elements, Align(Bytes));
    return;
  }
  const uint64_t Pairs = Alignment >= ArrayAlignment ? Elements / 2 : 0;
  auto *Pair = FixedVectorType::get(Builder.getInt64Ty(), 2);
  for (uint64_t I = 0; I < Pairs; ++I)
    Builder.CreateAlignedStore(Constant::getNullValue(Pair), element(Builder, Array, 2 * I), ArrayAlignment);
  for (uint64_t I = 2 * Pairs; I < Elements; ++I)
    Builder.CreateAlignedStore(Builder.getInt64(0), element(Builder, Array, I), Align(Bytes));
}

void copyElements(IRBuilder<> &Builder, Value *To, Value *From, uint64_t Elements, bool ForCpu) {
  if (ForCpu || Elements > MostInPlace) {
    Builder.CreateMemCpy(To, Align(Bytes), From, Align(Bytes), Bytes * Elements);
    return;
  }
  for (uint64_t I = 0; I < Elements; ++I)
    Builder.CreateAlignedStore(Builder.CreateAlignedLoad(Builder.getInt64Ty(), element(Builder, From, I), Align(Bytes)),
                               element(Builder, To, I), Align(Bytes));
}

void addToElements(IRBuilder<> &Builder, Value *Array, uint64_t First, ArrayRef<Value *> Counts) {
  assert((Counts.size() == 1 || (Counts.size() == 2 && First % 2 == 0)) && "there are instructions for one and for two elements");
  const bool IsPair = Counts.size() == 2;
  Type *T = Counts[0]->getType();
  const char *Bits = T->isIntegerTy(32) ? "32" : "64";
  assert((T->isIntegerTy(32) || T->isIntegerTy(64)) && (!IsPair || Counts[1]->getType() == T) && "the elements are i64");
  Value *Local = Builder.CreateAddrSpaceCast(Array, PointerType::get(Builder.getContext(), LocalSpace));
  SmallVector<Value *, 3> Operands = {Builder.CreatePtrToInt(Local, Builder.getInt64Ty())};
  append_range(Operands, Counts);
  SmallVector<Type *, 3> Types;
  for (const Value *Operand : Operands)
    Types.push_back(Operand->getType());
  const std::string Access = std::string(".local") + (IsPair ? ".v2" : "") + ".b" + Bits;
  const std::string Place = ("[$0+" + Twine(Bytes * First) + "]").str();
  const std::string Sums = IsPair ? "{sum0, sum1}" : "sum0";
  std::string Text = (Twine("{\n\t.reg .b") + Bits + " sum<2>;\n\tld" + Access + " " + Sums + ", " + Place + ";\n\t").str();
  for (size_t I = 0; I < Counts.size(); ++I)
    Text += (Twine("add.s") + Bits + " sum" + Twine(I) + ", sum" + Twine(I) + ", $" + Twine(I + 1) + ";\n\t").str();
  Text += (Twine("st") + Access + " " + Place + ", " + Sums + ";\n\t}").str();
  const char *Constraints = IsPair ? "l,l,l" : T->isIntegerTy(32) ? "l,r" : "l,l";
  auto *Type = FunctionType::get(Builder.getVoidTy(), Types, false);
  CallInst *Call = Builder.CreateCall(InlineAsm::get(Type, Text, Constraints, /*hasSideEffects=*/true), Operands);
  // The kernel's own accesses may be moved past it.
  Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  Call->addFnAttr(Attribute::NoUnwind);
  Call->addFnAttr(Attribute::WillReturn);
}

} // namespace gpuprof
