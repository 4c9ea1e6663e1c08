// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/Flush.h"

#include "analysis/Groups.h"
#include "common/Architecture.h"
#include "gpuprof/abi.h"
#include "instrument/FlushText.h"

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

/* ---- On the CPU ---- */

class CpuFlush {
public:
  CpuFlush(Instruction &Exit, const FlushPlan &Plan)
      : Plan(Plan), F(*Exit.getFunction()), Builder(&Exit), Long(Builder.getInt64Ty()) {}

  void emit(ArrayRef<LocalCount> Counts) {
    Value *On = Builder.CreateICmpNE(Plan.Base, Builder.getInt64(0));
    Builder.SetInsertPoint(SplitBlockAndInsertIfThen(On, &*Builder.GetInsertPoint(), false));
    Value *Offset = Builder.CreateMul(counterSlot(Builder, true), Builder.getInt32(8 * Plan.RowLength));
    Row = Builder.CreateIntToPtr(Builder.CreateAdd(Plan.Base, Builder.CreateZExt(Offset, Long)),
                                 Builder.getPtrTy(GlobalSpace));
    for (const LocalCount &C : Counts)
      add(C.Count, Builder.getInt64(C.Group));
    if (Plan.Array)
      addArray();
  }

private:
  // One worker owns the slot.
  void add(Value *Count, Value *Group) {
    Value *Address = Builder.CreateInBoundsGEP(Long, Row, Group);
    Builder.CreateStore(Builder.CreateAdd(Builder.CreateLoad(Long, Address), Count), Address);
  }

  // for (group = 0; group < groups; ++group) add(array[group], group)
  void addArray() {
    BasicBlock *Before = Builder.GetInsertBlock();
    BasicBlock *After = SplitBlock(Before, &*Builder.GetInsertPoint());
    BasicBlock *Turn = BasicBlock::Create(F.getContext(), "gpuprof.flush", &F, After);
    Before->getTerminator()->setSuccessor(0, Turn);
    Builder.SetInsertPoint(Turn);
    PHINode *Group = Builder.CreatePHI(Long, 2);
    Value *Element = Builder.CreateInBoundsGEP(Long, Plan.Array, Group);
    Value *Count = Builder.CreateLoad(Long, Element);
    if (Plan.Resets)
      Builder.CreateStore(Builder.getInt64(0), Element);
    add(Count, Group);
    Value *Next = Builder.CreateAdd(Group, Builder.getInt64(1));
    Group->addIncoming(Builder.getInt64(0), Before);
    Group->addIncoming(Next, Turn);
    Builder.CreateCondBr(Builder.CreateICmpULT(Next, Builder.getInt64(Plan.Groups)), Turn, After);
  }

  const FlushPlan &Plan;
  Function &F;
  IRBuilder<> Builder;
  Type *Long;
  Value *Row = nullptr;
};

/* ---- On a GPU ---- */

// The text is one statement of inline assembly: compiled from IR, it took most of the time added by counting
// to a compilation.
void emitText(Instruction &Exit, const FlushPlan &Plan, ArrayRef<LocalCount> Counts) {
  IRBuilder<> Builder(&Exit);
  SmallVector<Value *, 16> Operands = {Plan.Base};
  for (const LocalCount &C : Counts)
    Operands.push_back(C.Count);
  if (Plan.Array)
    Operands.push_back(Builder.CreatePtrToInt(Plan.Array, Builder.getInt64Ty()));
  if (Plan.Bound)
    Operands.push_back(Plan.Bound);
  SmallVector<Type *, 16> Types;
  std::string Constraints;
  for (const Value *Operand : Operands) {
    Types.push_back(Operand->getType());
    Constraints += Operand->getType()->isIntegerTy(32) ? "r," : "l,";
  }
  Constraints.pop_back();
  auto *Type = FunctionType::get(Builder.getVoidTy(), Types, false);
  const std::string Text = flushText(Plan, Counts, architectureOf(*Exit.getFunction()));
  CallInst *Call =
      Builder.CreateCall(InlineAsm::get(Type, Text, Constraints, /*hasSideEffects=*/true), Operands);
  Call->addFnAttr(Attribute::Convergent);
  Call->addFnAttr(Attribute::NoUnwind);
}

} // namespace

Value *counterSlot(IRBuilder<> &Builder, bool ForCpu) {
  if (ForCpu) {
    Module &M = *Builder.GetInsertBlock()->getModule();
    return Builder.CreateCall(M.getOrInsertFunction("__gpuprof_counter_slot", Builder.getInt32Ty()));
  }
  auto Read = [&](Intrinsic::ID Register) {
    return Builder.CreateIntrinsic(Register, ArrayRef<Type *>(), ArrayRef<Value *>());
  };
  // A multiprocessor has several slots, used by its blocks in turn.
  Value *First =
      Builder.CreateMul(Read(Intrinsic::nvvm_read_ptx_sreg_smid), Builder.getInt32(GPUPROF_SLOTS_OF_SM));
  Value *Own = Builder.CreateAnd(Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                                 Builder.getInt32(GPUPROF_SLOTS_OF_SM - 1));
  return Builder.CreateAnd(Builder.CreateOr(First, Own), Builder.getInt32(GPUPROF_COUNTER_SLOTS - 1));
}

void emitFlush(Instruction &Exit, const FlushPlan &Plan) {
  SmallVector<LocalCount, 16> Counts;
  for (const LocalCount &C : Plan.Counts)
    if (const auto *Known = dyn_cast<Constant>(C.Count); !Known || !Known->isNullValue()) {
      Counts.push_back(C);
      Counts.back().IsUniform = !C.IsBits && (C.IsUniform || Known);
    }
  if (Counts.empty() && !Plan.Array)
    return;
  if (Plan.ForCpu)
    CpuFlush(Exit, Plan).emit(Counts);
  else
    emitText(Exit, Plan, Counts);
}

} // namespace gpuprof
