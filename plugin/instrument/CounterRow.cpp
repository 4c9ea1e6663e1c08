// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/CounterRow.h"

#include "common/Architecture.h"
#include "instrument/Flush.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/ModRef.h"

#include <string>

using namespace llvm;

namespace gpuprof {
namespace {

Value *offsetOfSlot(IRBuilder<> &Builder, const CounterTable &Table) {
  auto Read = [&](Intrinsic::ID Register) {
    return Builder.CreateIntrinsic(Register, ArrayRef<Type *>(), ArrayRef<Value *>());
  };
  Value *Block = Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
  if (!Table.IsLine) { // neighbours in every dimension have different slots
    constexpr unsigned InY = 23, InZ = 177;
    Block = Builder.CreateAdd(
        Block, Builder.CreateMul(Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_y), Builder.getInt32(InY)));
    Block = Builder.CreateAdd(
        Block, Builder.CreateMul(Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_z), Builder.getInt32(InZ)));
  }
  Value *Slot = Builder.CreateAnd(Block, Builder.getInt32(Table.Slots - 1));
  return Builder.CreateMul(Builder.CreateZExt(Slot, Builder.getInt64Ty()),
                           Builder.getInt64(sizeof(uint64_t) * Table.RowLength));
}

Value *unlessZero(IRBuilder<> &Builder, Value *Address, Value *Moved) {
  return Builder.CreateSelect(Builder.CreateICmpEQ(Address, Builder.getInt64(0)), Address, Moved);
}

class AdditionText {
public:
  AdditionText(IRBuilder<> &Builder, const CounterRow &Row)
      : Builder(Builder), Row(Row), Operands{Row.Address} {}

  void addConstants(ArrayRef<RowCount> Counts) {
    if (Row.IsShared)
      findTogether();
    else
      line("setp.ne.b64 one, $0, 0");
    for (const RowCount &C : Counts)
      addConstant(C);
    emit();
  }

  // A whole warp sums. In parts of warps `redux.sync` is not safe (FlushText.cpp): there each thread adds its own.
  void addVariables(ArrayRef<RowCount> Counts) {
    const bool MaySum =
        Row.IsShared && architectureOf(*Builder.GetInsertBlock()->getParent()) >= FirstWithRedux;
    if (MaySum)
      findWholeWarp();
    for (const RowCount &C : Counts)
      addVariable(C, MaySum);
    emit();
  }

private:
  void emit() {
    const SmallVector<Type *, 8> Types(Operands.size(), Builder.getInt64Ty());
    std::string Constraints = "l";
    for (size_t I = 1; I < Operands.size(); ++I)
      Constraints += ",l";
    auto *Type = FunctionType::get(Builder.getVoidTy(), Types, false);
    CallInst *Call =
        Builder.CreateCall(InlineAsm::get(Type, Text + "}", Constraints, /*hasSideEffects=*/true), Operands);
    // The kernel's own accesses may be moved past it. It is not convergent: threads that come apart add apart.
    Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    Call->addFnAttr(Attribute::NoUnwind);
    Call->addFnAttr(Attribute::WillReturn);
  }

  void line(const Twine &Instruction) { Text += (Instruction + ";\n\t").str(); }

  // The number of threads here in `sum`, and whether this one is the first of them in `one`.
  void findTogether() {
    line("activemask.b32 here");
    line("mov.u32 below, %lanemask_lt");
    line("and.b32 below, below, here");
    line("popc.b32 here, here");
    line("cvt.u64.u32 sum, here");
    line("setp.eq.b32 one, below, 0");
    line("setp.ne.and.b64 one, $0, 0, one");
  }

  // Whether all threads of the warp are here in `all`, and whether this one is to add their sum in `one`.
  void findWholeWarp() {
    line("activemask.b32 here");
    line("mov.u32 below, %lanemask_lt");
    line("setp.eq.b32 all, here, -1");
    line("setp.eq.and.b32 one, below, 0, all");
    line("setp.ne.and.b64 one, $0, 0, one");
  }

  void addConstant(const RowCount &C) {
    const uint64_t Count = cast<ConstantInt>(C.Count)->getZExtValue();
    if (!Row.IsShared)
      line("mov.b64 wide, " + Twine(Count));
    else if (Count != 1)
      line("mul.lo.u64 wide, sum, " + Twine(Count));
    line("@one red.global.add.u64 " + place(C) + ", " + (Row.IsShared && Count == 1 ? "sum" : "wide"));
  }

  void addVariable(const RowCount &C, bool MaySum) {
    const std::string Operand = "$" + std::to_string(Operands.size());
    Operands.push_back(Builder.CreateZExt(C.Count, Builder.getInt64Ty()));
    line("mov.b64 wide, " + Operand);
    if (MaySum) {
      line("cvt.u32.u64 here, wide");
      line("and.b32 here, here, " + Twine(SummedMask));
      line("@all redux.sync.add.u32 here, here, -1");
      line("cvt.u64.u32 sum, here");
      line("@one red.global.add.u64 " + place(C) + ", sum");
      line("@all and.b64 wide, wide, " + Twine(~SummedMask));
    }
    line("setp.ne.b64 some, wide, 0");
    line("setp.ne.and.b64 some, $0, 0, some");
    line("@some red.global.add.u64 " + place(C) + ", wide");
  }

  static std::string place(const RowCount &C) {
    return "[$0+" + std::to_string(sizeof(uint64_t) * C.Group) + "]";
  }

  IRBuilder<> &Builder;
  const CounterRow &Row;
  SmallVector<Value *, 8> Operands;
  std::string Text = "{\n\t.reg .pred all, one, some;\n\t.reg .b32 here, below;\n\t.reg .b64 sum, wide;\n\t";
};

} // namespace

Value *rowAddress(IRBuilder<> &Builder, Value *Base, const CounterTable &Table) {
  return unlessZero(Builder, Base, Builder.CreateAdd(Base, offsetOfSlot(Builder, Table)));
}

Value *partOfRow(IRBuilder<> &Builder, Value *Row, unsigned First) {
  return unlessZero(Builder, Row, Builder.CreateAdd(Row, Builder.getInt64(sizeof(uint64_t) * First)));
}

Value *baseOfRow(IRBuilder<> &Builder, Value *Row, const CounterTable &Table) {
  return unlessZero(Builder, Row, Builder.CreateSub(Row, offsetOfSlot(Builder, Table)));
}

void addToRow(IRBuilder<> &Builder, const CounterRow &Row, ArrayRef<RowCount> Counts) {
  constexpr size_t MostVariables = 4; // each is a register until the statement
  SmallVector<RowCount, 16> Constants, Variables;
  for (const RowCount &C : Counts) {
    const auto *Known = dyn_cast<ConstantInt>(C.Count);
    if (!Known)
      Variables.push_back(C);
    else if (!Known->isZero())
      Constants.push_back(C);
  }
  if (!Constants.empty())
    AdditionText(Builder, Row).addConstants(Constants);
  for (ArrayRef<RowCount> Rest = Variables; !Rest.empty();
       Rest = Rest.drop_front(std::min(MostVariables, Rest.size())))
    AdditionText(Builder, Row).addVariables(Rest.take_front(MostVariables));
}

} // namespace gpuprof
