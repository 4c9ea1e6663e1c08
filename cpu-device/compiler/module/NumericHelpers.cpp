// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values used by both intrinsics and inline PTX.
#include "module/NumericHelpers.h"
#include "module/Lowering.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
struct RegisterRow {
  const char *Name;
  Field Which;
};
constexpr RegisterRow Registers[] = {
    {"tid.x", Field::tid_x},
    {"tid.y", Field::tid_y},
    {"tid.z", Field::tid_z},
    {"ntid.x", Field::ntid_x},
    {"ntid.y", Field::ntid_y},
    {"ntid.z", Field::ntid_z},
    {"ctaid.x", Field::ctaid_x},
    {"ctaid.y", Field::ctaid_y},
    {"ctaid.z", Field::ctaid_z},
    {"nctaid.x", Field::nctaid_x},
    {"nctaid.y", Field::nctaid_y},
    {"nctaid.z", Field::nctaid_z},
    {"cluster.nctaid.x", Field::cluster_x},
    {"cluster.nctaid.y", Field::cluster_y},
    {"cluster.nctaid.z", Field::cluster_z},
    {"is_explicit_cluster", Field::explicit_cluster},
    {"laneid", Field::laneid},
    {"warpid", Field::warpid},
    {"smid", Field::slot},
    {"dynamic.smem.size", Field::dynamic_shared_bytes},
    {"dynamic_smem_size", Field::dynamic_shared_bytes},
};

struct ConstantRow {
  const char *Name;
  uint32_t Value;
};
constexpr ConstantRow Constants[] = {
    {"WARP_SZ", 32},  {"current_graph_exec", 0}, {"envreg0", 0},
    {"warpsize", 32}, {"nwarpid", 64},           {"nsmid", 128},
    {"gridid", 0},
};

// The position of a block in its cluster, and of the cluster in the grid; null: no such register.
Value *ofCluster(Lowering &L, IRBuilder<> &B, StringRef Name) {
  constexpr Field Blocks[] = {Field::ctaid_x, Field::ctaid_y, Field::ctaid_z};
  constexpr Field Grid[] = {Field::nctaid_x, Field::nctaid_y, Field::nctaid_z};
  constexpr Field Cluster[] = {Field::cluster_x, Field::cluster_y, Field::cluster_z};
  auto Inside = [&](size_t N) { return B.CreateURem(L.load(B, Blocks[N]), L.load(B, Cluster[N])); };
  auto Size = [&](size_t N) { return L.load(B, Cluster[N]); };
  if (Name == "cluster.ctarank") // x runs fastest
    return B.CreateAdd(Inside(0),
                       B.CreateMul(Size(0), B.CreateAdd(Inside(1), B.CreateMul(Size(1), Inside(2)))));
  if (Name == "cluster.nctarank")
    return B.CreateMul(Size(0), B.CreateMul(Size(1), Size(2)));
  const size_t N = Name.empty() ? 3 : static_cast<size_t>(Name.back() - 'x');
  if (N > 2)
    return nullptr;
  StringRef Register = Name.drop_back();
  return Register == "cluster.ctaid." ? Inside(N)
         : Register == "clusterid."   ? B.CreateUDiv(L.load(B, Blocks[N]), Size(N))
         : Register == "nclusterid."  ? B.CreateUDiv(L.load(B, Grid[N]), Size(N))
                                      : nullptr;
}

// lanemask.lt and its relatives: the lanes before, at or behind this one.
Value *laneMask(Lowering &L, IRBuilder<> &B, StringRef Relation) {
  Value *Own = B.CreateShl(B.getInt32(1), L.load(B, Field::laneid));
  Value *Before = B.CreateSub(Own, B.getInt32(1));
  return StringSwitch<Value *>(Relation)
      .Case("eq", Own)
      .Case("lt", Before)
      .Case("le", B.CreateOr(Before, Own))
      .Case("ge", B.CreateNot(Before))
      .Case("gt", B.CreateNot(B.CreateOr(Before, Own)))
      .Default(nullptr);
}
} // namespace

Value *specialRegister(Lowering &L, IRBuilder<> &B, StringRef Name) {
  const std::string Dotted = Name.starts_with("cluster_") ? "cluster." + Name.drop_front(8).str() : "";
  if (!Dotted.empty()) // PTX writes cluster_ where intrinsics write cluster.
    Name = Dotted;
  for (const RegisterRow &Row : Registers)
    if (Name == Row.Name)
      return L.load(B, Row.Which);
  for (const ConstantRow &Row : Constants)
    if (Name == Row.Name)
      return B.getInt32(Row.Value);
  if (Value *V = ofCluster(L, B, Name))
    return V;
  // the memory of cooperative groups; the emulator keeps it below the block's
  if (Name == "reserved_smem_offset_1") {
    Value *Shared = B.CreatePtrToInt(L.load(B, Field::shared), B.getInt64Ty());
    return B.CreateTrunc(B.CreateSub(Shared, B.getInt64(1024)), B.getInt32Ty());
  }
  if (Name == "envreg1" || Name == "envreg2") { // the halves of an address: cooperative groups' grid barrier
    Value *Workspace = B.CreateCall(L.entry("__gpuprof_cpu_grid_workspace"));
    return Name == "envreg1" ? B.CreateLShr(Workspace, 32) : B.CreateTrunc(Workspace, B.getInt32Ty());
  }
  if (Name == "total_smem_size" || Name == "aggr_smem_size") { // static and dynamic
    Function *F = B.GetInsertBlock()->getParent();
    for (const Kernel &K : L.Kernels)
      if (K.Body == F)
        return B.CreateAdd(L.load(B, Field::dynamic_shared_bytes), B.getInt32(K.StaticShared));
    return nullptr;
  }
  // the driver's registers, and registers without an extent
  if (Name.starts_with("envreg") || Name.ends_with(".w"))
    return B.getInt32(0);
  if (Name.starts_with("lanemask"))
    return laneMask(L, B, Name.take_back(2));
  if (Name.starts_with("globaltimer"))
    return B.CreateCall(L.entry("__gpuprof_cpu_globaltimer"));
  if (Name == "clock_hi")
    return B.CreateLShr(B.CreateCall(L.entry("__gpuprof_cpu_clock")), 32);
  return Name.starts_with("clock") ? B.CreateCall(L.entry("__gpuprof_cpu_clock")) : nullptr;
}

Value *truncateToBFloat(IRBuilder<> &B, Value *V, Type *To) {
  auto *Vector = dyn_cast<FixedVectorType>(To);
  auto Shape = [&](Type *Scalar) {
    return Vector ? static_cast<Type *>(FixedVectorType::get(Scalar, Vector->getNumElements())) : Scalar;
  };
  Value *Single = B.CreateFPCast(V, Shape(B.getFloatTy()));
  Value *Bits = B.CreateBitCast(Single, Shape(B.getInt32Ty()));
  auto Number = [&](uint32_t N) { return ConstantInt::get(Bits->getType(), N); };
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, Number(16)), Number(1));
  Value *Rounded = B.CreateAdd(Bits, B.CreateAdd(Odd, Number(0x7fff)));
  Value *IsNaN = B.CreateFCmpUNO(Single, Single);
  Value *Upper = B.CreateLShr(B.CreateSelect(IsNaN, Number(0x7fff0000), Rounded), Number(16));
  return B.CreateBitCast(B.CreateTrunc(Upper, Shape(B.getInt16Ty())), To);
}

// No cast exists between half and bfloat: both are 16 bits wide.
Value *castFloat(IRBuilder<> &B, Value *V, Type *To) {
  if (To->getScalarType()->isBFloatTy() && !V->getType()->getScalarType()->isBFloatTy())
    return truncateToBFloat(B, V, To);
  if (V->getType()->getScalarType()->isBFloatTy() && To->getScalarType()->isHalfTy()) {
    auto *Vector = dyn_cast<FixedVectorType>(To);
    Type *Single = B.getFloatTy();
    V = B.CreateFPExt(V, Vector ? FixedVectorType::get(Single, Vector->getNumElements()) : Single);
  }
  return B.CreateFPCast(V, To);
}

Value *isInSpace(Lowering &L, IRBuilder<> &B, Value *Address, StringRef Space) {
  Value *Thread = L.thread(*B.GetInsertBlock()->getParent());
  auto Ask = [&](StringRef Entry) {
    return B.CreateICmpNE(B.CreateCall(L.entry(Entry), {Thread, Address}), B.getInt32(0));
  };
  if (Space == "shared" || Space == "shared::cta")
    return Ask("__gpuprof_cpu_is_shared");
  if (Space == "shared::cluster")
    return Ask("__gpuprof_cpu_is_shared_of_cluster");
  if (Space == "global")
    return Ask("__gpuprof_cpu_is_global");
  if (Space == "local")
    return B.CreateNot(B.CreateOr(Ask("__gpuprof_cpu_is_shared_of_cluster"), Ask("__gpuprof_cpu_is_global")));
  return Space == "const" || Space == "param" ? B.getFalse() : nullptr;
}

// The values are an H200's; PTX leaves them open.
Value *divide(IRBuilder<> &B, bool Remainder, bool Signed, Value *X, Value *Y) {
  Type *T = X->getType();
  Constant *Zero = Constant::getNullValue(T), *Ones = Constant::getAllOnesValue(T);
  Value *ByZero = B.CreateICmpEQ(Y, Zero), *Never = ByZero;
  if (Signed) { // the least number by -1: the quotient is the number itself, the remainder 0
    Constant *Least = ConstantInt::get(T, APInt::getSignedMinValue(T->getScalarSizeInBits()));
    Never = B.CreateOr(Never, B.CreateAnd(B.CreateICmpEQ(X, Least), B.CreateICmpEQ(Y, Ones)));
  }
  Value *By = B.CreateSelect(Never, ConstantInt::get(T, 1), Y);
  Value *Result = Remainder ? (Signed ? B.CreateSRem(X, By) : B.CreateURem(X, By))
                            : (Signed ? B.CreateSDiv(X, By) : B.CreateUDiv(X, By));
  Value *Undefined = Ones;
  if (T->getScalarSizeInBits() == 64) { // clang divides numbers fitting 32 bits in 32 bits
    Value *Fits = B.CreateIsNull(B.CreateLShr(X, 32));
    Undefined = B.CreateSelect(Fits, ConstantInt::get(T, ~0u), Ones);
  }
  return B.CreateSelect(ByZero, Undefined, Result);
}

Value *hyperbolicTangent(Lowering &L, IRBuilder<> &B, Value *V) {
  if (!V || V->getType()->getScalarType()->isDoubleTy())
    return nullptr;
  Type *T = V->getType(), *Float = B.getFloatTy();
  FunctionCallee Function = L.M.getOrInsertFunction("tanhf", Float, Float); // no intrinsic in older LLVMs
  auto One = [&](Value *X) {
    return castFloat(B, B.CreateCall(Function, {castFloat(B, X, Float)}), T->getScalarType());
  };
  auto *Vector = dyn_cast<FixedVectorType>(T);
  if (!Vector)
    return One(V);
  Value *Result = PoisonValue::get(T);
  for (uint64_t N = 0; N != Vector->getNumElements(); ++N)
    Result = B.CreateInsertElement(Result, One(B.CreateExtractElement(V, N)), N);
  return Result;
}

Value *toInteger(IRBuilder<> &B, Value *V, Type *To, bool Signed, StringRef Rounding) {
  const Intrinsic::ID Round = StringSwitch<Intrinsic::ID>(Rounding)
                                  .StartsWith("rn", Intrinsic::rint)
                                  .StartsWith("rm", Intrinsic::floor)
                                  .StartsWith("rp", Intrinsic::ceil)
                                  .Default(Intrinsic::not_intrinsic);
  if (Round != Intrinsic::not_intrinsic)
    V = B.CreateIntrinsic(Round, {V->getType()}, {V});
  return B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {To, V->getType()}, {V});
}
} // namespace gpuprof::cpu
