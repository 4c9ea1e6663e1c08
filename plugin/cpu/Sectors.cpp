// Unique bytes: marks the sectors of global memory before each access, as abi.h says at gpuprof_cpu_sectors.
#include "cpu/Lowering.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr uint64_t SectorBytes = 32;

struct Access {
  Instruction *At;
  Value *Pointer;
  uint64_t Bytes = 0; // 0: Length says
  Value *Length = nullptr;
  uint64_t Alignment = 1;
};

class Marker {
public:
  Marker(Lowering &L, Function &F) : L(L), F(F) {}
  void run();

private:
  bool mayBeGlobal(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const;
  bool mayBeGlobal(const Value *V) const {
    SmallPtrSet<const Value *, 8> Seen;
    return mayBeGlobal(V, Seen);
  }
  bool ownNumber(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const;
  void collect(Instruction &I);
  void add(Instruction &I, Value *Pointer, Type *T, Align A);
  void addBlock(Instruction &I, Value *Pointer, Value *Length);
  void mark(const Access &A);
  void loadTable();

  Lowering &L;
  Function &F;
  SmallVector<Access> Accesses;
  Value *Base = nullptr, *Size = nullptr, *Sectors = nullptr;
};

bool ownVariable(const Value *V) {
  const auto *G = dyn_cast<GlobalVariable>(V->stripPointerCasts());
  return G && G->getName().contains("__gpuprof_");
}

// A number read from gpuprof's own variables: the address of a kernel's counters.
bool Marker::ownNumber(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const {
  if (!Seen.insert(V).second)
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return ownVariable(getUnderlyingObject(Load->getPointerOperand()));
  if (const auto *Op = dyn_cast<BinaryOperator>(V))
    return ownNumber(Op->getOperand(0), Seen) || ownNumber(Op->getOperand(1), Seen);
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return any_of(Phi->incoming_values(), [&](const Use &U) { return ownNumber(U, Seen); });
  return false;
}

bool Marker::mayBeGlobal(const Value *V, SmallPtrSetImpl<const Value *> &Seen) const {
  for (;;) {
    if (!Seen.insert(V).second)
      return false;
    const unsigned Space = V->getType()->getPointerAddressSpace();
    if (Space == AsShared || Space == AsConstant || Space == AsLocal || L.isThread(V))
      return false;
    if (const auto *Gep = dyn_cast<GEPOperator>(V))
      V = Gep->getPointerOperand();
    else if (Operator::getOpcode(V) == Instruction::AddrSpaceCast ||
             Operator::getOpcode(V) == Instruction::BitCast)
      V = cast<Operator>(V)->getOperand(0);
    else
      break;
  }
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return any_of(Phi->incoming_values(), [&](const Use &U) { return mayBeGlobal(U, Seen); });
  if (const auto *Select = dyn_cast<SelectInst>(V))
    return mayBeGlobal(Select->getTrueValue(), Seen) || mayBeGlobal(Select->getFalseValue(), Seen);
  if (const auto *G = dyn_cast<GlobalVariable>(V))
    return !G->isConstant() && !ownVariable(G);
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return !L.isThread(getUnderlyingObject(Load->getPointerOperand())) &&
           !ownVariable(getUnderlyingObject(Load->getPointerOperand()));
  if (Operator::getOpcode(V) == Instruction::IntToPtr)
    return !ownNumber(cast<Operator>(V)->getOperand(0), Seen);
  return !isa<AllocaInst>(V) && !isa<ConstantPointerNull>(V) && !isa<UndefValue>(V) &&
         !L.ParameterPointers.contains(V);
}

void Marker::add(Instruction &I, Value *Pointer, Type *T, Align A) {
  if (!mayBeGlobal(Pointer))
    return;
  Access New{&I, Pointer};
  New.Bytes = F.getParent()->getDataLayout().getTypeStoreSize(T).getFixedValue();
  New.Alignment = A.value();
  // Marked already by an earlier access of this block?
  for (const Access &Old : Accesses)
    if (Old.At->getParent() == I.getParent() && Old.Pointer == Pointer && Old.Bytes >= New.Bytes)
      return;
  if (New.Bytes)
    Accesses.push_back(New);
}

void Marker::addBlock(Instruction &I, Value *Pointer, Value *Length) {
  if (mayBeGlobal(Pointer))
    Accesses.push_back({&I, Pointer, 0, Length, 1});
}

void Marker::collect(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    add(I, Load->getPointerOperand(), Load->getType(), Load->getAlign());
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    add(I, Store->getPointerOperand(), Store->getValueOperand()->getType(), Store->getAlign());
  else if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    add(I, Update->getPointerOperand(), Update->getValOperand()->getType(), Update->getAlign());
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    add(I, Exchange->getPointerOperand(), Exchange->getNewValOperand()->getType(), Exchange->getAlign());
  else if (auto *Fill = dyn_cast<MemIntrinsic>(&I)) {
    addBlock(I, Fill->getRawDest(), Fill->getLength());
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      addBlock(I, Copy->getRawSource(), Copy->getLength());
  }
}

// Read once a function: the table does not change while a kernel runs.
void Marker::loadTable() {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  StructType *T = StructType::get(C, {B.getInt64Ty(), B.getInt64Ty(), PointerType::get(C, 0)});
  Constant *Table = F.getParent()->getOrInsertGlobal("__gpuprof_cpu_sectors", T);
  auto Read = [&](Type *Field, unsigned Index) {
    LoadInst *Load = B.CreateLoad(Field, B.CreateStructGEP(T, Table, Index), "sectors");
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(C, {}));
    return Load;
  };
  Base = Read(B.getInt64Ty(), 0);
  Size = Read(B.getInt64Ty(), 1);
  Sectors = Read(B.getPtrTy(), 2);
}

void Marker::mark(const Access &A) {
  IRBuilder<> B(A.At);
  Value *Address = B.CreatePtrToInt(A.Pointer, B.getInt64Ty());
  FunctionCallee Slow = L.entry("__gpuprof_cpu_touch_slow");
  if (!A.Bytes || A.Bytes > SectorBytes) {
    Value *Length = A.Length ? B.CreateZExtOrTrunc(A.Length, B.getInt64Ty()) : B.getInt64(A.Bytes);
    B.CreateCall(Slow, {B.CreateIntToPtr(Address, B.getPtrTy()), Length});
    return;
  }
  Value *Offset = B.CreateSub(Address, Base);
  Instruction *Fast, *Other;
  SplitBlockAndInsertIfThenElse(B.CreateICmpULT(Offset, Size), A.At, &Fast, &Other,
                                MDBuilder(F.getContext()).createBranchWeights(1u << 20, 1));
  B.SetInsertPoint(Fast);
  auto Touch = [&](Value *At) {
    B.CreateStore(B.getInt8(1), B.CreateInBoundsGEP(B.getInt8Ty(), Sectors, B.CreateLShr(At, 5)));
  };
  Touch(Offset);
  if (A.Alignment < A.Bytes) // else the access cannot straddle two sectors
    Touch(B.CreateAdd(Offset, B.getInt64(A.Bytes - 1)));
  B.SetInsertPoint(Other);
  B.CreateCall(Slow, {B.CreateIntToPtr(Address, B.getPtrTy()), B.getInt64(A.Bytes)});
}

void Marker::run() {
  for (Instruction &I : instructions(F))
    collect(I);
  if (Accesses.empty())
    return;
  loadTable();
  for (const Access &A : Accesses)
    mark(A);
}
} // namespace

void markSectors(Lowering &L) {
  for (Function &F : L.M)
    if (!F.isDeclaration() && !F.getName().contains("__gpuprof_")) // our own function's memory is ours
      Marker(L, F).run();
}
} // namespace gpuprof::cpu
