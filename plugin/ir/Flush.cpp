#include "ir/Flush.h"

#include "gpuprof/abi.h"
#include "ir/Groups.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprof {
namespace {

constexpr unsigned GlobalSpace = 1;
constexpr unsigned WarpSize = 32;

// redux.sync adds 32-bit values of up to 32 threads: of a count of up to 27 bits the sum is exact.
constexpr unsigned PieceBits = 27;

unsigned architecture(const Function &F) {
  StringRef Name = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  Name.consume_front("sm_");
  Name.consumeInteger(10, Number);
  return Number;
}

class Flush {
public:
  Flush(Instruction &Exit, const FlushPlan &Plan)
      : Plan(Plan), F(*Exit.getFunction()), Builder(&Exit),
        ByWarp(!Plan.ForCpu && architecture(F) >= 80) {}

  void emit() {
    continueIf(Builder.CreateICmpNE(Plan.Base, Builder.getInt64(0)));
    Row = slotRow();
    if (ByWarp)
      findWarp();
    emitRegisters();
    if (Plan.Array)
      emitArray();
  }

private:
  // What is emitted from here on runs only under Condition.
  void continueIf(Value *Condition) {
    Builder.SetInsertPoint(SplitBlockAndInsertIfThen(Condition, &*Builder.GetInsertPoint(), false));
  }

  // The same, and what follows `After` runs again in any case.
  Instruction *onlyIf(Value *Condition) {
    Instruction *After = &*Builder.GetInsertPoint();
    Builder.SetInsertPoint(SplitBlockAndInsertIfThen(Condition, After, false));
    return After;
  }

  Value *read(Intrinsic::ID Register) {
    return Builder.CreateIntrinsic(Register, ArrayRef<Type *>(), ArrayRef<Value *>());
  }

  // Address of the counters of this thread's slot.
  Value *slotRow() {
    Value *Slot = counterSlot(Builder, Plan.ForCpu);
    Value *Offset = Builder.CreateMul(Slot, Builder.getInt32(8 * Plan.RowLength));
    return Builder.CreateIntToPtr(Builder.CreateAdd(Plan.Base, Builder.CreateZExt(Offset, Builder.getInt64Ty())),
                                  Builder.getPtrTy(GlobalSpace));
  }

  // Which threads are here together.
  void findWarp() {
    auto *Type = FunctionType::get(Builder.getInt32Ty(), false);
    auto *Asm = InlineAsm::get(Type, "activemask.b32 $0;", "=r", /*hasSideEffects=*/true);
    CallInst *Active = Builder.CreateCall(Asm);
    Active->addFnAttr(Attribute::Convergent);
    Mask = Active;
    if (Plan.SeveralBases) // a function's threads may have come from different calls
      Mask = Builder.CreateZExtOrTrunc(
          Builder.CreateIntrinsic(Intrinsic::nvvm_match_any_sync_i64, {}, {Mask, Plan.Base}),
          Builder.getInt32Ty());
    Lane = read(Intrinsic::nvvm_read_ptx_sreg_laneid);
  }

  // The lowest of them adds for all.
  Value *isLeader() {
    return Builder.CreateICmpEQ(Builder.CreateBinaryIntrinsic(Intrinsic::cttz, Mask, Builder.getFalse()),
                                Lane);
  }

  // How many of them have counted one.
  Value *ballotSum(Value *Count) {
    Value *One = Builder.CreateICmpNE(Count, Builder.getInt64(0));
    Value *Ballot = Builder.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, ArrayRef<Type *>(), {Mask, One});
    return Builder.CreateZExt(Builder.CreateUnaryIntrinsic(Intrinsic::ctpop, Ballot), Builder.getInt64Ty());
  }

  Value *warpSum(Value *Count, unsigned Shift) {
    Value *Piece = Builder.CreateTrunc(Builder.CreateLShr(Count, Shift), Builder.getInt32Ty());
    Piece = Builder.CreateAnd(Piece, Builder.getInt32((1u << PieceBits) - 1));
    Value *Sum = Builder.CreateIntrinsic(Intrinsic::nvvm_redux_sync_add, {}, {Piece, Mask});
    return Builder.CreateShl(Builder.CreateZExt(Sum, Builder.getInt64Ty()), Shift);
  }

  // Sums over the threads that are here together. One look at all counts says whether any needs more than its
  // lowest piece, which is rare.
  void sumOverWarp(MutableArrayRef<Value *> Counts) {
    Value *Any = Counts[0];
    for (Value *Count : Counts.drop_front())
      Any = Builder.CreateOr(Any, Count);
    Value *Large = Builder.CreateZExt(Builder.CreateICmpUGE(Any, Builder.getInt64(uint64_t(1) << PieceBits)),
                                      Builder.getInt32Ty());
    Value *AnyLarge = Builder.CreateICmpNE(Builder.CreateIntrinsic(Intrinsic::nvvm_redux_sync_or, {}, {Large, Mask}),
                                           Builder.getInt32(0));
    SmallVector<Value *, 16> Low;
    for (Value *Count : Counts)
      Low.push_back(warpSum(Count, 0));
    BasicBlock *Before = Builder.GetInsertBlock();
    Instruction *After = onlyIf(AnyLarge);
    SmallVector<Value *, 16> Full;
    for (auto [Count, Sum] : zip(Counts, Low))
      Full.push_back(Builder.CreateAdd(
          Sum, Builder.CreateAdd(warpSum(Count, PieceBits), warpSum(Count, 2 * PieceBits))));
    BasicBlock *Then = Builder.GetInsertBlock();
    Builder.SetInsertPoint(After);
    for (auto [Count, Sum, FullSum] : zip(Counts, Low, Full)) {
      PHINode *Result = Builder.CreatePHI(Builder.getInt64Ty(), 2);
      Result->addIncoming(Sum, Before);
      Result->addIncoming(FullSum, Then);
      Count = Result;
    }
  }

  void add(Value *Count, Value *Group) {
    Value *Address = Builder.CreateInBoundsGEP(Builder.getInt64Ty(), Row, Group);
    if (Plan.ForCpu) { // one worker owns the slot
      Value *Old = Builder.CreateLoad(Builder.getInt64Ty(), Address);
      Builder.CreateStore(Builder.CreateAdd(Old, Count), Address);
      return;
    }
    Instruction *After = onlyIf(Builder.CreateICmpNE(Count, Builder.getInt64(0)));
    Builder.CreateAtomicRMW(AtomicRMWInst::Add, Address, Count, MaybeAlign(8), AtomicOrdering::Monotonic);
    Builder.SetInsertPoint(After);
  }

  // A whole warp adds 32 neighbouring counters by one instruction: lane i the i-th. Memory takes them by the
  // sector, several counters at once.
  void addByLanes(ArrayRef<Value *> Sums) {
    for (size_t First = 0; First < Sums.size(); First += WarpSize) {
      ArrayRef<Value *> Some = Sums.slice(First, std::min<size_t>(WarpSize, Sums.size() - First));
      Value *Mine = Builder.getInt64(0);
      for (auto [I, Sum] : enumerate(Some))
        Mine = Builder.CreateSelect(Builder.CreateICmpEQ(Lane, Builder.getInt32(I)), Sum, Mine);
      add(Mine, Builder.CreateAdd(Builder.CreateZExt(Lane, Builder.getInt64Ty()), Builder.getInt64(First)));
    }
  }

  void addEach(ArrayRef<Value *> Counts) {
    for (auto [Group, Count] : enumerate(Counts))
      add(Count, Builder.getInt64(Group));
  }

  void emitRegisters() {
    SmallVector<Value *, 16> Counts, Repeated;
    for (const FlushCount &C : Plan.Counts)
      Counts.push_back(C.Count);
    if (!ByWarp)
      return addEach(Counts);
    for (auto [Planned, Count] : zip(Plan.Counts, Counts))
      if (Planned.AtMostOne)
        Count = ballotSum(Count);
      else
        Repeated.push_back(Count);
    if (!Repeated.empty())
      sumOverWarp(Repeated);
    Value **Sum = Repeated.begin();
    for (auto [Planned, Count] : zip(Plan.Counts, Counts))
      if (!Planned.AtMostOne)
        Count = *Sum++;
    Instruction *After = &*Builder.GetInsertPoint(), *Whole, *Part;
    SplitBlockAndInsertIfThenElse(Builder.CreateICmpEQ(Mask, Builder.getInt32(~0u)), After, &Whole, &Part);
    Builder.SetInsertPoint(Whole);
    addByLanes(Counts);
    Builder.SetInsertPoint(Part);
    continueIf(isLeader());
    addEach(Counts);
    Builder.SetInsertPoint(After);
  }

  // for (group = 0; group < groups; ++group) add(array[group], group)
  void emitArray() {
    LLVMContext &Context = F.getContext();
    BasicBlock *Before = Builder.GetInsertBlock();
    BasicBlock *After = SplitBlock(Before, &*Builder.GetInsertPoint());
    BasicBlock *Body = BasicBlock::Create(Context, "gpuprof.flush", &F, After);
    Before->getTerminator()->setSuccessor(0, Body);
    Builder.SetInsertPoint(Body);
    PHINode *Group = Builder.CreatePHI(Builder.getInt64Ty(), 2);
    Group->addIncoming(Builder.getInt64(0), Before);
    Value *Next = Builder.CreateAdd(Group, Builder.getInt64(1));
    Instruction *Branch =
        Builder.CreateCondBr(Builder.CreateICmpEQ(Next, Builder.getInt64(Plan.Groups)), After, Body);
    Builder.SetInsertPoint(Branch);
    Value *Element = Builder.CreateInBoundsGEP(Builder.getInt64Ty(), Plan.Array, Group);
    Value *Count[] = {Builder.CreateLoad(Builder.getInt64Ty(), Element)};
    Instruction *Rest = nullptr;
    if (ByWarp) {
      sumOverWarp(Count);
      Rest = onlyIf(isLeader());
    }
    add(Count[0], Group);
    if (Rest)
      Builder.SetInsertPoint(Rest);
    Group->addIncoming(Next, Branch->getParent());
    Builder.SetInsertPoint(After, After->begin());
  }

  const FlushPlan &Plan;
  Function &F;
  IRBuilder<> Builder;
  bool ByWarp;
  Value *Row = nullptr, *Mask = nullptr, *Lane = nullptr;
};

bool mayWait(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->isConvergent();
}

} // namespace

SmallVector<Instruction *, 4> exitsOf(Function &F) {
  SmallVector<Instruction *, 4> Exits;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (isa<ReturnInst>(I) || isThreadExit(I))
        Exits.push_back(&I);
  return Exits;
}

void separateReturns(Function &F) {
  bool Waits = false;
  SmallVector<BasicBlock *, 2> Returns;
  for (BasicBlock &BB : F) {
    for (Instruction &I : BB)
      Waits |= mayWait(I);
    if (isa<ReturnInst>(BB.front()))
      Returns.push_back(&BB);
  }
  if (!Waits)
    return;
  for (BasicBlock *Return : Returns) {
    SmallSetVector<BasicBlock *, 8> Predecessors(pred_begin(Return), pred_end(Return));
    while (Predecessors.size() > 1) {
      BasicBlock *Predecessor = Predecessors.pop_back_val();
      BasicBlock *Own = BasicBlock::Create(F.getContext(), "gpuprof.return", &F);
      ReturnInst::Create(F.getContext(), Own);
      Predecessor->getTerminator()->replaceSuccessorWith(Return, Own);
    }
  }
}

Value *counterSlot(IRBuilder<> &Builder, bool ForCpu) {
  if (ForCpu) {
    Module &M = *Builder.GetInsertBlock()->getModule();
    return Builder.CreateCall(M.getOrInsertFunction("__gpuprof_counter_slot", Builder.getInt32Ty()));
  }
  Value *Multiprocessor =
      Builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_smid, ArrayRef<Type *>(), ArrayRef<Value *>());
  return Builder.CreateAnd(Multiprocessor, Builder.getInt32(GPUPROF_COUNTER_SLOTS - 1));
}

void emitFlush(Instruction &Exit, const FlushPlan &Plan) { Flush(Exit, Plan).emit(); }

} // namespace gpuprof
