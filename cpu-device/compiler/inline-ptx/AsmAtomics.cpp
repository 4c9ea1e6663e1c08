// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX changing memory by one operation: atom and red, of single values and vectors. The asynchronous
// forms run at once and notify an mbarrier.
#include "inline-ptx/AsmAtomics.h"
#include "module/Lowering.h"
#include "module/NumericHelpers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr auto Order = AtomicOrdering::SequentiallyConsistent;

Type *widened(IRBuilder<> &B, const PtxType &T) {
  return T.Lanes == 1 ? B.getFloatTy() : static_cast<Type *>(FixedVectorType::get(B.getFloatTy(), T.Lanes));
}

// Every x86-64 processor of CUDA's age has the instruction; compilers use it only on request. An inlined
// function would lose the request.
void compareSixteenBytes(Function &F) {
  F.addFnAttr("target-features", "+cx16");
  F.addFnAttr(Attribute::NoInline);
}

// add, min or max of 16-bit floating-point values, rounded once.
Value *smallFloat(IRBuilder<> &B, const PtxType &T, Type *As, StringRef Operation, Value *X, Value *Y) {
  Type *Wide = widened(B, T);
  X = B.CreateFPExt(X, Wide);
  Y = B.CreateFPExt(Y, Wide);
  Value *Result = Operation == "add"   ? B.CreateFAdd(X, Y)
                  : Operation == "min" ? B.CreateBinaryIntrinsic(Intrinsic::minnum, X, Y)
                                       : B.CreateBinaryIntrinsic(Intrinsic::maxnum, X, Y);
  return T.Letter == 'h' ? truncateToBFloat(B, Result, As) : B.CreateFPTrunc(Result, As);
}

// A function (address, value) replacing the memory's content by the result of `Next`; returns the old
// content. Processors have no such instruction, or, for vectors, older LLVMs lack it.
Function *loopFunction(Lowering &L, const std::string &Name, Type *Bits,
                       function_ref<Value *(IRBuilder<> &, Value *Seen, Value *Given)> Next) {
  if (Function *Known = L.M.getFunction(Name))
    return Known;
  LLVMContext &C = L.M.getContext();
  IRBuilder<> B(C);
  auto *F = Function::Create(FunctionType::get(Bits, {PointerType::get(C, AsGeneric), Bits}, false),
                             GlobalValue::InternalLinkage, Name, L.M);
  auto *Entry = BasicBlock::Create(C, "", F), *Again = BasicBlock::Create(C, "", F),
       *Done = BasicBlock::Create(C, "", F);
  Value *Pointer = F->getArg(0);
  const Align Natural(Bits->getIntegerBitWidth() / 8);
  B.SetInsertPoint(Entry);
  LoadInst *First = B.CreateAlignedLoad(Bits, Pointer, Natural);
  if (Natural.value() <= 8) // wider vectors need a comparison loop anyway
    First->setAtomic(AtomicOrdering::Monotonic);
  B.CreateBr(Again);
  B.SetInsertPoint(Again);
  PHINode *Seen = B.CreatePHI(Bits, 2);
  Seen->addIncoming(First, Entry);
  Value *Pair = B.CreateAtomicCmpXchg(Pointer, Seen, Next(B, Seen, F->getArg(1)), Natural, Order, Order);
  Seen->addIncoming(B.CreateExtractValue(Pair, 0), Again);
  B.CreateCondBr(B.CreateExtractValue(Pair, 1), Done, Again);
  B.SetInsertPoint(Done);
  B.CreateRet(Seen);
  if (Natural.value() > 8)
    compareSixteenBytes(*F);
  return F;
}

std::string typeName(const PtxType &T) {
  return std::string(1, T.Letter) + std::to_string(T.Bits) + "_" + std::to_string(T.Lanes);
}

// The same for 128 bits, by the compare-and-swap instruction of this width.
Function *wideCompareAndSwap(Lowering &L) {
  constexpr const char *Name = "__gpuprof_atomic_cas_b128";
  if (Function *Known = L.M.getFunction(Name))
    return Known;
  LLVMContext &C = L.M.getContext();
  IRBuilder<> B(C);
  Type *Bits = B.getIntNTy(128);
  auto *F = Function::Create(FunctionType::get(Bits, {PointerType::get(C, AsGeneric), Bits, Bits}, false),
                             GlobalValue::InternalLinkage, Name, L.M);
  compareSixteenBytes(*F);
  B.SetInsertPoint(BasicBlock::Create(C, "", F));
  Value *Pair = B.CreateAtomicCmpXchg(F->getArg(0), F->getArg(1), F->getArg(2), Align(16), Order, Order);
  B.CreateRet(B.CreateExtractValue(Pair, 0));
  return F;
}

// The memory's content before add, min, …; null: unknown operation of this type.
Value *update(Lowering &L, IRBuilder<> &B, const ptx::Instruction &O, const PtxType &T, Type *As,
              Value *Pointer, Value *X) {
  LLVMContext &C = As->getContext();
  auto Call = [&](Function *F) {
    Value *Generic = B.CreateAddrSpaceCast(Pointer, PointerType::get(C, AsGeneric));
    return B.CreateBitCast(B.CreateCall(F, {Generic, B.CreateBitCast(X, F->getReturnType())}), As);
  };
  if (T.isFloat() && T.Bits == 16) {
    constexpr const char *Known[] = {"add", "min", "max"};
    const auto *Operation = find_if(Known, [&](const char *Name) { return O.has(Name); });
    if (Operation == std::end(Known))
      return nullptr;
    const std::string Name = "__gpuprof_atomic_" + std::string(*Operation) + "_" + typeName(T);
    return Call(
        loopFunction(L, Name, B.getIntNTy(T.Bits * T.Lanes), [&](IRBuilder<> &In, Value *Seen, Value *Given) {
          Value *Result =
              smallFloat(In, T, As, *Operation, In.CreateBitCast(Seen, As), In.CreateBitCast(Given, As));
          return In.CreateBitCast(Result, Seen->getType());
        }));
  }
  if (T.Bits == 128)
    return O.has("exch") ? Call(loopFunction(L, "__gpuprof_atomic_exch_b128", As,
                                             [](IRBuilder<> &, Value *, Value *Given) { return Given; }))
                         : nullptr;
  const bool S = T.isSigned(), F = T.isFloat();
  const std::pair<const char *, AtomicRMWInst::BinOp> Operations[] = {
      {"add", F ? AtomicRMWInst::FAdd : AtomicRMWInst::Add},
      {"exch", AtomicRMWInst::Xchg},
      {"min", F   ? AtomicRMWInst::FMin
              : S ? AtomicRMWInst::Min
                  : AtomicRMWInst::UMin},
      {"max", F   ? AtomicRMWInst::FMax
              : S ? AtomicRMWInst::Max
                  : AtomicRMWInst::UMax},
      {"and", AtomicRMWInst::And},
      {"or", AtomicRMWInst::Or},
      {"xor", AtomicRMWInst::Xor},
      {"inc", AtomicRMWInst::UIncWrap},
      {"dec", AtomicRMWInst::UDecWrap},
  };
  const auto *Known = find_if(Operations, [&](const auto &Row) { return O.has(Row.first); });
  if (Known == std::end(Operations) || T.Lanes != 1 ||
      (F && Known->second != AtomicRMWInst::Xchg && !AtomicRMWInst::isFPOperation(Known->second)))
    return nullptr;
  return B.CreateAtomicRMW(Known->second, Pointer, X, MaybeAlign(), Order);
}
} // namespace

// atom.global.add.v2.f32 {d, e}, [p], {x, y} and red.…: element by element; PTX leaves the order open.
bool AsmAtomics::atomicVector(Op O, const PtxType &T) {
  const size_t First = O.Opcode[0] == "red" ? 0 : 1;
  Type *As = irType(T);
  SmallVector<Value *> Given, Before;
  Value *Pointer = address(O, O.Operands[First]);
  if (!Pointer || !readList(O.Operands[First + 1], As, Given))
    return false;
  for (unsigned N = 0; N != Given.size(); ++N) {
    Before.push_back(update(L, B, O, T, As, B.CreateConstGEP1_32(As, Pointer, N), Given[N]));
    if (!Before.back())
      return false;
  }
  if (First == 1)
    writeList(O.Operands[0], Before);
  return true;
}

// atom.global.add.u32 d, [p], x; and red.…, without a result.
bool AsmAtomics::atomic(Op O, const PtxType &T) {
  if (O.has("async"))
    return updateLater(O);
  const bool Reduction = O.Opcode[0] == "red";
  const size_t First = Reduction ? 0 : 1; // the address
  const bool Exchange = O.has("cas");
  if (O.Operands.size() != First + (Exchange ? 3 : 2) + O.has("L2::cache_hint"))
    return false;
  if (StringRef(O.Operands[First + 1]).starts_with("{"))
    return !Exchange && atomicVector(O, T);
  Type *As = irType(T);
  Value *Pointer = address(O, O.Operands[First]), *X = read(O.Operands[First + 1], As);
  if (!Pointer || !X)
    return false;
  Value *Old = nullptr;
  if (Exchange) {
    Value *New = read(O.Operands[First + 2], As);
    if (!New || T.isFloat() || T.Lanes != 1)
      return false;
    Old = T.Bits == 128
              ? B.CreateCall(wideCompareAndSwap(L), {B.CreateAddrSpaceCast(Pointer, B.getPtrTy()), X, New})
              : B.CreateExtractValue(B.CreateAtomicCmpXchg(Pointer, X, New, MaybeAlign(), Order, Order), 0);
  } else {
    Old = update(L, B, O, T, As, Pointer, X);
  }
  if (!Reduction && Old)
    write(O.Operands[0], Old);
  return Old;
}

// red.async.….OP.TYPE [p], x, [barrier] and st.async: done at once; the barrier is notified of the bytes.
bool AsmAtomics::updateLater(Op O) {
  PtxType T;
  if (O.Operands.size() != 3 || !typeOf(O, T) || T.Lanes != 1)
    return false;
  Type *As = irType(T);
  SmallVector<Value *> Given;
  Value *Pointer = address(O, O.Operands[0]), *Barrier = address(O.Operands[2], AsGeneric);
  if (!Pointer || !Barrier || !readList(O.Operands[1], As, Given))
    return false;
  for (unsigned N = 0; N != Given.size(); ++N) {
    Value *At = B.CreateConstGEP1_32(As, Pointer, N);
    if (O.Opcode[0] == "st")
      B.CreateStore(Given[N], At);
    else if (!update(L, B, O, T, As, At, Given[N]))
      return false;
  }
  const auto Bytes = static_cast<uint32_t>(Given.size() * T.Bits / 8);
  B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_transact"), {Barrier, B.getInt32(-Bytes)});
  return true;
}

// st.bulk [to], bytes, 0.
bool AsmAtomics::fillBulk(Op O) {
  Value *To = O.Operands.size() == 3 ? address(O, O.Operands[0]) : nullptr;
  Value *Size = To ? read(O.Operands[1], B.getInt64Ty()) : nullptr;
  if (Size)
    B.CreateMemSet(To, B.getInt8(0), Size, Align(8));
  return Size;
}

// cp.reduce.async.bulk.TO.FROM.….OP.TYPE [to], [from], bytes{, [barrier]}: element by element, at once.
bool AsmAtomics::reduceBulk(Op O) {
  PtxType T;
  if (!O.has("bulk") || O.Operands.size() < 3 || !typeOf(O, T) || T.Lanes != 1)
    return false;
  Type *As = irType(T), *Long = B.getInt64Ty();
  Value *To = address(O.Operands[0], AsGeneric), *From = address(O.Operands[1], AsGeneric);
  Value *Size = read(O.Operands[2], B.getInt32Ty());
  if (!To || !From || !Size)
    return false;
  std::string Name = "__gpuprof_reduce_" + typeName(T);
  for (const char *Operation : {"add", "min", "max", "and", "or", "xor", "inc", "dec"})
    if (O.has(Operation))
      Name += std::string("_") + Operation;
  Function *F = L.M.getFunction(Name);
  if (!F) {
    IRBuilder<> In(C);
    F = Function::Create(FunctionType::get(In.getVoidTy(), {In.getPtrTy(), In.getPtrTy(), Long}, false),
                         GlobalValue::InternalLinkage, Name, L.M);
    auto *Entry = BasicBlock::Create(C, "", F), *Each = BasicBlock::Create(C, "", F),
         *Done = BasicBlock::Create(C, "", F);
    In.SetInsertPoint(Done);
    In.CreateRetVoid();
    In.SetInsertPoint(Entry);
    In.CreateCondBr(In.CreateIsNull(F->getArg(2)), Done, Each);
    In.SetInsertPoint(Each);
    PHINode *Index = In.CreatePHI(Long, 2);
    Index->addIncoming(In.getInt64(0), Entry);
    Value *X = In.CreateLoad(As, In.CreateGEP(As, F->getArg(1), {Index}));
    Value *Old = update(L, In, O, T, As, In.CreateGEP(As, F->getArg(0), {Index}), X);
    Value *Next = In.CreateAdd(Index, In.getInt64(1));
    Index->addIncoming(Next, Each);
    In.CreateCondBr(In.CreateICmpEQ(Next, F->getArg(2)), Done, Each);
    if (!Old) {
      F->eraseFromParent();
      return false;
    }
  }
  B.CreateCall(F, {To, From, B.CreateUDiv(B.CreateZExt(Size, Long), B.getInt64(T.Bits / 8))});
  if (O.has("mbarrier::complete_tx::bytes")) {
    Value *Barrier = O.Operands.size() > 3 ? address(O.Operands[3], AsGeneric) : nullptr;
    if (!Barrier)
      return false;
    B.CreateCall(L.entry("__gpuprof_cpu_mbarrier_transact"), {Barrier, B.CreateNeg(Size)});
  }
  return true;
}
} // namespace gpuprof::cpu
