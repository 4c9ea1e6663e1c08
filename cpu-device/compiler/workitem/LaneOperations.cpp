// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/LaneOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Intrinsics of one type with a vector form in LLVM.
constexpr Intrinsic::ID Lanewise[] = {
    Intrinsic::fma,      Intrinsic::fmuladd,    Intrinsic::sqrt,      Intrinsic::fabs,      Intrinsic::minnum,
    Intrinsic::maxnum,   Intrinsic::minimum,    Intrinsic::maximum,   Intrinsic::floor,     Intrinsic::ceil,
    Intrinsic::trunc,    Intrinsic::rint,       Intrinsic::nearbyint, Intrinsic::roundeven, Intrinsic::round,
    Intrinsic::copysign, Intrinsic::smin,       Intrinsic::smax,      Intrinsic::umin,      Intrinsic::umax,
    Intrinsic::ctpop,    Intrinsic::bitreverse, Intrinsic::bswap,     Intrinsic::fshl,      Intrinsic::fshr,
    Intrinsic::sadd_sat, Intrinsic::uadd_sat,   Intrinsic::ssub_sat,  Intrinsic::usub_sat,
};
} // namespace

bool isLanewise(const CallInst &Call) { return is_contained(Lanewise, Call.getIntrinsicID()); }

bool isElement(const Type *T) {
  if (const auto *Number = dyn_cast<IntegerType>(T))
    return is_contained({1u, 8u, 16u, 32u, 64u}, Number->getBitWidth());
  return T->isHalfTy() || T->isBFloatTy() || T->isFloatTy() || T->isDoubleTy() || T->isPointerTy();
}
} // namespace gpuprof::cpu
