// Counts of a block: what each thread would add to the counters in memory is added up in variables, and to
// the counters once.
#include "cpu/Split.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <map>

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// counters[slot][group] += count, as plugin/ir/Flush.cpp emits it.
struct Addition {
  LoadInst *Old = nullptr;
  StoreInst *New = nullptr;
  uint64_t Group = 0;
};

// Address of a slot's counters: Base + slot * RowBytes.
struct CounterRow {
  Instruction *Address = nullptr;
  LoadInst *Base = nullptr;
  uint64_t RowBytes = 0;
};

CounterRow counterRow(Instruction &I) {
  auto *Sum = isa<IntToPtrInst>(I) ? dyn_cast<BinaryOperator>(I.getOperand(0)) : nullptr;
  auto *Base = Sum ? dyn_cast<LoadInst>(Sum->getOperand(0)) : nullptr;
  auto *Offset = Sum ? dyn_cast<ZExtInst>(Sum->getOperand(1)) : nullptr;
  auto *Product = Offset ? dyn_cast<BinaryOperator>(Offset->getOperand(0)) : nullptr;
  auto *RowBytes = Product ? dyn_cast<ConstantInt>(Product->getOperand(1)) : nullptr;
  if (!Base || !RowBytes || Product->getOpcode() != Instruction::Mul ||
      !isa<Constant>(Base->getPointerOperand()))
    return {};
  const Value *Variable = getUnderlyingObject(Base->getPointerOperand());
  if (!Variable->getName().contains("__gpuprof_counters"))
    return {};
  return {&I, Base, RowBytes->getZExtValue()};
}

// All uses of a row are additions; none: it is used in another way.
bool additionsTo(const CounterRow &Row, SmallVectorImpl<Addition> &Found) {
  for (User *U : Row.Address->users()) {
    auto *Element = dyn_cast<GetElementPtrInst>(U);
    auto *Group =
        Element && Element->getNumIndices() == 1 ? dyn_cast<ConstantInt>(Element->getOperand(1)) : nullptr;
    if (!Group)
      return false;
    Addition A;
    A.Group = Group->getZExtValue();
    for (User *Access : Element->users())
      if (auto *Load = dyn_cast<LoadInst>(Access))
        A.Old = Load;
      else if (auto *Store = dyn_cast<StoreInst>(Access); Store && Store->getPointerOperand() == Element)
        A.New = Store;
    auto *Sum = A.New ? dyn_cast<BinaryOperator>(A.New->getValueOperand()) : nullptr;
    if (!A.Old || !Sum || !Element->hasNUses(2) || !Sum->hasOneUse() || !A.Old->hasOneUse() ||
        Sum->getOpcode() != Instruction::Add || Sum->getOperand(0) != A.Old)
      return false;
    Found.push_back(A);
  }
  return true;
}

// Threads add whether anybody counts or not: that is asked at the end.
void addAlways(const CounterRow &Row) {
  BasicBlock *Before = Row.Address->getParent()->getSinglePredecessor();
  auto *Branch = Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  auto *Asked = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (Asked && Asked->getOperand(0) == Row.Base && Branch->getSuccessor(0) == Row.Address->getParent())
    Branch->setCondition(ConstantInt::getTrue(Row.Address->getContext()));
}

// Can a thread's count be no more than this? Sums over a block of such counts fit 32 bits, of which the
// optimiser works on twice as many at a time.
constexpr uint64_t SmallCount = uint64_t(1) << 20;
bool isSmall(const Value *Count, SmallPtrSetImpl<const Value *> &Seen) {
  if (const auto *Known = dyn_cast<ConstantInt>(Count))
    return Known->getValue().ule(SmallCount);
  if (!Seen.insert(Count).second)
    return true;
  if (const auto *Phi = dyn_cast<PHINode>(Count))
    return all_of(Phi->incoming_values(), [&](const Use &U) { return isSmall(U, Seen); });
  if (const auto *Select = dyn_cast<SelectInst>(Count))
    return isSmall(Select->getTrueValue(), Seen) && isSmall(Select->getFalseValue(), Seen);
  const auto *Wider = dyn_cast<ZExtInst>(Count);
  return Wider && Wider->getSrcTy()->getScalarSizeInBits() <= 16;
}

bool isSmall(const Addition &A) {
  SmallPtrSet<const Value *, 8> Seen;
  return isSmall(cast<BinaryOperator>(A.New->getValueOperand())->getOperand(1), Seen);
}

// The addition goes to a variable of the block.
void addTo(AllocaInst *Sum, const Addition &A) {
  IRBuilder<> B(A.New);
  Type *T = Sum->getAllocatedType();
  Value *Count = cast<BinaryOperator>(A.New->getValueOperand())->getOperand(1);
  B.CreateStore(B.CreateAdd(B.CreateLoad(T, Sum), B.CreateZExtOrTrunc(Count, T)), Sum);
  auto *Element = cast<Instruction>(A.New->getPointerOperand());
  auto *Old = cast<Instruction>(A.New->getValueOperand());
  A.New->eraseFromParent();
  Old->eraseFromParent();
  A.Old->eraseFromParent();
  Element->eraseFromParent();
}

ReturnInst *onlyReturn(Function &F) {
  ReturnInst *Found = nullptr;
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
      if (Found)
        return nullptr;
      Found = Return;
    }
  return Found;
}
} // namespace

void gatherCounts(Lowering &L, Function &F) {
  SmallVector<CounterRow> Rows;
  SmallVector<Addition> Additions;
  for (Instruction &I : instructions(F))
    if (const CounterRow Row = counterRow(I); Row.Address)
      Rows.push_back(Row);
  ReturnInst *Return = onlyReturn(F);
  if (Rows.empty() || !Return)
    return;
  for (const CounterRow &Row : Rows)
    if (Row.Base->getPointerOperand() != Rows[0].Base->getPointerOperand() || !additionsTo(Row, Additions))
      return;
  DenseMap<uint64_t, bool> Small;
  for (const Addition &A : Additions) {
    auto [Known, New] = Small.try_emplace(A.Group, true);
    Known->second &= isSmall(A);
  }
  std::map<uint64_t, AllocaInst *> Sums; // in the order of groups
  Instruction *Start = &*F.getEntryBlock().begin();
  for (const Addition &A : Additions) {
    AllocaInst *&Sum = Sums[A.Group];
    if (!Sum) {
      Type *T = Small[A.Group] ? Type::getInt32Ty(F.getContext()) : A.Old->getType();
      Sum = IRBuilder<>(Start).CreateAlloca(T);
      IRBuilder<>(F.getEntryBlock().getTerminator()).CreateStore(ConstantInt::get(T, 0), Sum);
    }
    addTo(Sum, A);
  }
  for (const CounterRow &Row : Rows)
    addAlways(Row);

  IRBuilder<> B(Return);
  Value *Base = B.CreateLoad(B.getInt64Ty(), Rows[0].Base->getPointerOperand());
  Value *Slot = L.load(B, Field::slot);
  B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateICmpNE(Base, B.getInt64(0)), Return, false));
  Value *Offset = B.CreateMul(B.CreateZExt(Slot, B.getInt64Ty()), B.getInt64(Rows[0].RowBytes));
  Value *Row = B.CreateIntToPtr(B.CreateAdd(Base, Offset), B.getPtrTy());
  for (auto [Group, Sum] : Sums) {
    Value *Counter = B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Row, Group);
    Value *Old = B.CreateLoad(B.getInt64Ty(), Counter);
    Value *Added = B.CreateZExt(B.CreateLoad(Sum->getAllocatedType(), Sum), B.getInt64Ty());
    B.CreateStore(B.CreateAdd(Old, Added), Counter);
  }
}
} // namespace gpuprof::cpu
