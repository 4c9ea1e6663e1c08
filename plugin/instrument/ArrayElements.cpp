// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ArrayElements.h"

using namespace llvm;

namespace gpuprof {
namespace {

// Code for more elements would be longer than a loop over bytes.
constexpr uint64_t MostInPlace = 256;

constexpr uint64_t Bytes = sizeof(uint64_t);

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
    Builder.CreateAlignedStore(
        Builder.CreateAlignedLoad(Builder.getInt64Ty(), element(Builder, From, I), Align(Bytes)),
        element(Builder, To, I), Align(Bytes));
}

} // namespace gpuprof
