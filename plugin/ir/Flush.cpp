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
constexpr unsigned WholeWarp = ~0u;

// Of up to 32 counts of up to 27 bits the sum has 32.
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
      : Plan(Plan), F(*Exit.getFunction()), Builder(&Exit), HasRedux(architecture(F) >= 80) {
    for (const LocalCount &C : Plan.Counts)
      if (const auto *Known = dyn_cast<Constant>(C.Count); !Known || !Known->isNullValue()) {
        Counts.push_back(C);
        Counts.back().IsUniform |= Known != nullptr;
      }
  }

  void emit() {
    if (Counts.empty() && !Plan.Array)
      return;
    continueIf(Builder.CreateICmpNE(Plan.Base, Builder.getInt64(0)));
    Row = slotRow();
    if (Plan.ForCpu) {
      for (const LocalCount &C : Counts)
        addAlone(C.Count, Builder.getInt64(C.Group));
    } else {
      findWarp();
      emitRegisters();
    }
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

  Value *call(Intrinsic::ID Name, ArrayRef<Value *> Arguments = {}) {
    return Builder.CreateIntrinsic(Name, ArrayRef<Type *>(), Arguments);
  }

  Value *asLong(Value *V) { return Builder.CreateZExt(V, Builder.getInt64Ty()); }
  Value *isIndex(Value *Index, unsigned Group) {
    return Builder.CreateICmpEQ(Index, Builder.getInt32(Group));
  }

  // Address of the counters of this thread's slot.
  Value *slotRow() {
    Value *Slot = counterSlot(Builder, Plan.ForCpu);
    Value *Offset = Builder.CreateMul(Slot, Builder.getInt32(8 * Plan.RowLength));
    return Builder.CreateIntToPtr(Builder.CreateAdd(Plan.Base, asLong(Offset)),
                                  Builder.getPtrTy(GlobalSpace));
  }

  // Which of the groups this thread adds: the first Begin, then every Stride. Only a whole warp adds
  // together. The threads of a part may not stay together: ptxas keeps what all active threads share in one
  // register of the warp, where other parts, which are here at the same time after a call that calls itself,
  // overwrite it.
  void findWarp() {
    auto *Type = FunctionType::get(Builder.getInt32Ty(), false);
    auto *Asm = InlineAsm::get(Type, "activemask.b32 $0;", "=r", /*hasSideEffects=*/true);
    CallInst *Active = Builder.CreateCall(Asm);
    Active->addFnAttr(Attribute::Convergent);
    // A function's threads may have come from different calls.
    IsWhole = Plan.SeveralBases ? Builder.getFalse() : isIndex(Active, WholeWarp);
    Stride = Builder.CreateSelect(IsWhole, Builder.getInt32(WarpSize), Builder.getInt32(1));
    Begin = Builder.CreateSelect(IsWhole, call(Intrinsic::nvvm_read_ptx_sreg_laneid), Builder.getInt32(0));
  }

  /* ---- Sums ---- */

  Value *sumOf(Value *Count) {
    Value *Mask = Builder.getInt32(WholeWarp);
    if (HasRedux)
      return call(Intrinsic::nvvm_redux_sync_add, {Count, Mask});
    for (unsigned Distance = WarpSize / 2; Distance > 0; Distance /= 2)
      Count = Builder.CreateAdd(
          Count, call(Intrinsic::nvvm_shfl_sync_bfly_i32,
                      {Mask, Count, Builder.getInt32(Distance), Builder.getInt32(WarpSize - 1)}));
    return Count;
  }

  // Of i32 values whose sum over a warp is one too, over the threads that add together.
  void sumOverWarp(MutableArrayRef<Value *> Values) {
    if (Values.empty())
      return;
    BasicBlock *Before = Builder.GetInsertBlock();
    Instruction *After = onlyIf(IsWhole);
    SmallVector<Value *, 16> Sums(Values);
    for (Value *&Sum : Sums)
      Sum = sumOf(Sum);
    BasicBlock *Then = Builder.GetInsertBlock();
    Builder.SetInsertPoint(After);
    for (auto [V, Sum] : zip(Values, Sums)) {
      PHINode *Result = Builder.CreatePHI(Builder.getInt32Ty(), 2);
      Result->addIncoming(V, Before);
      Result->addIncoming(Sum, Then);
      V = Result;
    }
  }

  // What of a count is left for this thread alone to add, as i64: a part that is nearly always zero.
  Value *highPart(Value *Count) {
    const unsigned Bits = Count->getType()->getIntegerBitWidth();
    return Builder.CreateAnd(Count, Builder.getInt(APInt::getHighBitsSet(Bits, Bits - PieceBits)));
  }

  static bool isSmall(const LocalCount &C) { return C.Most < uint64_t(1) << PieceBits; }

  // Replaces each count by its sum: i32 of those that differ, i64 of the uniform ones that are no packed
  // words.
  void sumCounts() {
    SmallVector<Value *, 16> Pieces;
    SmallVector<std::pair<unsigned, Value *>, 8> High; // group, i64
    for (LocalCount &C : Counts) {
      if (C.IsUniform) {
        C.Count = C.IsPacked
                      ? Builder.CreateMul(C.Count, Stride)
                      : Builder.CreateMul(Builder.CreateZExt(C.Count, Builder.getInt64Ty()), asLong(Stride));
        continue;
      }
      if (!C.IsPacked && !isSmall(C))
        High.push_back({C.Group, highPart(C.Count)});
      Value *Piece = Builder.CreateTrunc(C.Count, Builder.getInt32Ty());
      Pieces.push_back(C.IsPacked || isSmall(C)
                           ? Piece
                           : Builder.CreateAnd(Piece, Builder.getInt32((1u << PieceBits) - 1)));
    }
    sumOverWarp(Pieces);
    Value **Piece = Pieces.begin();
    for (LocalCount &C : Counts)
      if (!C.IsUniform)
        C.Count = *Piece++;
    addHigh(High);
  }

  // if (any is not zero) add each
  void addHigh(MutableArrayRef<std::pair<unsigned, Value *>> High) {
    if (High.empty())
      return;
    Value *Any = nullptr;
    for (auto &[Group, Part] : High) {
      Part = Builder.CreateZExt(Part, Builder.getInt64Ty());
      Any = Any ? Builder.CreateOr(Any, Part) : Part;
    }
    Instruction *After = onlyIf(Builder.CreateICmpNE(Any, Builder.getInt64(0)));
    for (auto [Group, Part] : High)
      addAtomically(Part, Builder.getInt64(Group));
    Builder.SetInsertPoint(After);
  }

  /* ---- Additions ---- */

  Value *addressOf(Value *Group) { return Builder.CreateInBoundsGEP(Builder.getInt64Ty(), Row, Group); }

  // One worker owns the slot.
  void addAlone(Value *Count, Value *Group) {
    Value *Address = addressOf(Group);
    Value *Old = Builder.CreateLoad(Builder.getInt64Ty(), Address);
    Builder.CreateStore(Builder.CreateAdd(Old, Count), Address);
  }

  void addAtomically(Value *Count, Value *Group) {
    Builder.CreateAtomicRMW(AtomicRMWInst::Add, addressOf(Group), Count, MaybeAlign(8),
                            AtomicOrdering::Monotonic);
  }

  void addIfAny(Value *Count, Value *Group) {
    Instruction *After = onlyIf(Builder.CreateICmpNE(Count, Builder.getInt64(0)));
    addAtomically(Count, Group);
    Builder.SetInsertPoint(After);
  }

  // The sum of the group of this number, i64; zero if there is none.
  Value *select(Value *Group) {
    Value *Sum = selectPacked(Group);
    for (const LocalCount &C : Counts)
      if (!C.IsPacked && C.Count->getType()->isIntegerTy(32))
        Sum = Builder.CreateSelect(isIndex(Group, C.Group), C.Count, Sum);
    Sum = asLong(Sum);
    for (const LocalCount &C : Counts)
      if (!C.IsPacked && C.Count->getType()->isIntegerTy(64))
        Sum = Builder.CreateSelect(isIndex(Group, C.Group), C.Count, Sum);
    return Sum;
  }

  Value *selectPacked(Value *Group) {
    Value *Word = nullptr, *First = nullptr;
    for (const LocalCount &C : Counts) {
      if (!C.IsPacked)
        continue;
      Value *Start = Builder.getInt32(C.Group);
      Value *IsIn = Word ? Builder.CreateICmpUGE(Group, Start) : nullptr;
      Word = Word ? Builder.CreateSelect(IsIn, C.Count, Word) : C.Count;
      First = First ? Builder.CreateSelect(IsIn, Start, First) : Start;
    }
    if (!Word)
      return Builder.getInt32(0);
    Value *Shift = Builder.CreateMul(Builder.CreateSub(Group, First), Builder.getInt32(PackedBits));
    if (end() > PackedGroups) // groups before and behind the words find the unused bits at their end
      Shift = Builder.CreateBinaryIntrinsic(Intrinsic::umin, Shift, Builder.getInt32(31));
    return Builder.CreateAnd(Builder.CreateLShr(Word, Shift), Builder.getInt32((1u << PackedBits) - 1));
  }

  // One more than the highest group.
  unsigned end() const {
    unsigned End = 0;
    for (const LocalCount &C : Counts)
      End = std::max(End, C.Group + (C.IsPacked ? PackedGroups : 1));
    return std::min(End, Plan.Groups);
  }

  // for (group = begin; group < end; group += stride) if (sum of the group) add it. Neighbouring threads add
  // neighbouring counters, which memory takes by the sector, and a whole warp adds up to 32 by one
  // instruction.
  void emitRegisters() {
    if (Counts.empty())
      return;
    sumCounts();
    loop(Begin, Stride, end(), [&](Value *Group) { addIfAny(select(Group), asLong(Group)); });
  }

  // for (group = 0; group < groups; ++group) add(array[group], group)
  void emitArray() {
    loop(Builder.getInt32(0), Builder.getInt32(1), Plan.Groups, [&](Value *Number) {
      Value *Group = asLong(Number);
      Value *Element = Builder.CreateInBoundsGEP(Builder.getInt64Ty(), Plan.Array, Group);
      Value *Count = Builder.CreateLoad(Builder.getInt64Ty(), Element);
      if (Plan.Resets)
        Builder.CreateStore(Builder.getInt64(0), Element);
      if (Plan.ForCpu)
        return addAlone(Count, Group);
      if (HasRedux) { // the lowest thread adds what the sum holds, each the rest of its own
        Value *Piece[] = {Builder.CreateTrunc(Builder.CreateAnd(Count, (uint64_t(1) << PieceBits) - 1),
                                              Builder.getInt32Ty())};
        sumOverWarp(Piece);
        Value *Sum = Builder.CreateSelect(isIndex(Begin, 0), asLong(Piece[0]), Builder.getInt64(0));
        Count = Builder.CreateAdd(highPart(Count), Sum);
      }
      addIfAny(Count, Group);
    });
  }

  // for (number = Begin; number < End; number += Stride) Body(number)
  void loop(Value *From, Value *By, unsigned End, function_ref<void(Value *)> Body) {
    BasicBlock *Before = Builder.GetInsertBlock();
    BasicBlock *After = SplitBlock(Before, &*Builder.GetInsertPoint());
    BasicBlock *Turn = BasicBlock::Create(F.getContext(), "gpuprof.flush", &F, After);
    Before->getTerminator()->eraseFromParent();
    Builder.SetInsertPoint(Before);
    Builder.CreateCondBr(Builder.CreateICmpULT(From, Builder.getInt32(End)), Turn, After);
    Builder.SetInsertPoint(Turn);
    PHINode *Number = Builder.CreatePHI(Builder.getInt32Ty(), 2);
    Number->addIncoming(From, Before);
    Value *Next = Plan.ForCpu ? Builder.CreateAdd(Number, By) : addUnseen(Number, By);
    BranchInst *Branch =
        Builder.CreateCondBr(Builder.CreateICmpULT(Next, Builder.getInt32(End)), Turn, After);
    neverUnroll(*Branch);
    Builder.SetInsertPoint(Branch);
    Body(Number);
    Number->addIncoming(Next, Branch->getParent());
    Builder.SetInsertPoint(After, After->begin());
  }

  // An addition that LLVM does not know: what its passes do with the variable of a loop took more time than
  // all else that is compiled for a flush.
  Value *addUnseen(Value *A, Value *B) {
    Type *Word = Builder.getInt32Ty();
    auto *Add = InlineAsm::get(FunctionType::get(Word, {Word, Word}, false), "add.u32 $0, $1, $2;", "=r,r,r",
                               /*hasSideEffects=*/false);
    return Builder.CreateCall(Add, {A, B});
  }

  // It nearly always turns once, and ptxas would make several times its code of it.
  static void neverUnroll(BranchInst &Branch) {
    LLVMContext &Context = Branch.getContext();
    MDNode *Disable = MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.disable"));
    MDNode *Loop = MDNode::getDistinct(Context, {nullptr, Disable});
    Loop->replaceOperandWith(0, Loop);
    Branch.setMetadata(LLVMContext::MD_loop, Loop);
  }

  const FlushPlan &Plan;
  Function &F;
  IRBuilder<> Builder;
  bool HasRedux;
  SmallVector<LocalCount, 16> Counts;
  Value *Row = nullptr, *IsWhole = nullptr, *Begin = nullptr, *Stride = nullptr;
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
  auto Read = [&](Intrinsic::ID Register) {
    return Builder.CreateIntrinsic(Register, ArrayRef<Type *>(), ArrayRef<Value *>());
  };
  // A multiprocessor has several slots, which its blocks take in turn.
  Value *First =
      Builder.CreateMul(Read(Intrinsic::nvvm_read_ptx_sreg_smid), Builder.getInt32(GPUPROF_SLOTS_OF_SM));
  Value *Own = Builder.CreateAnd(Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                                 Builder.getInt32(GPUPROF_SLOTS_OF_SM - 1));
  return Builder.CreateAnd(Builder.CreateOr(First, Own), Builder.getInt32(GPUPROF_COUNTER_SLOTS - 1));
}

void emitFlush(Instruction &Exit, const FlushPlan &Plan) { Flush(Exit, Plan).emit(); }

} // namespace gpuprof
