// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix instructions in work-item loops. One is a single call for all warps. It finds each register in an
// array of one element a thread and leaves its results in such arrays. Consecutive ones need no loops between
// them: they are moved together first, as far as their operands are known.
#include "workitem/MatrixRuns.h"
#include "gpuprof/cpu_matrix.h"
#include "module/Matrix.h"
#include "workitem/ConvergentOps.h"
#include "workitem/ThreadArray.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
bool isMatrix(const Instruction &I) { return convergentOp(I) == ConvergentOp::Matrix; }

// A register of the results of a matrix instruction.
bool isResult(const Instruction &I) {
  const auto *Register = dyn_cast<ExtractValueInst>(&I);
  const auto *Of = Register ? dyn_cast<Instruction>(Register->getAggregateOperand()) : nullptr;
  return Of && isMatrix(*Of) && Of->getParent() == I.getParent();
}

// Matrix instructions neither read nor write a thread's own variables and its state.
bool touchesMemory(const Instruction &I) {
  if (!I.mayReadOrWriteMemory())
    return false;
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return !Call->onlyAccessesInaccessibleMemory();
  const Value *Pointer = getLoadStorePointerOperand(&I);
  const Value *Object = Pointer ? getUnderlyingObject(Pointer) : nullptr;
  return !Object || !(isa<AllocaInst>(Object) || Object == I.getFunction()->getArg(0));
}

// Adjacent matrix instructions, with only their results between them.
class Run {
public:
  bool isEmpty() const { return Calls.empty(); }
  void clear() { Calls.clear(); }
  void begin(Instruction &I) {
    Calls.assign({&I});
    takeResults(I);
  }
  // Moves a later `I` to the end of the run; false: it has to stay in place.
  bool join(Instruction &I);

private:
  bool find(Instruction &I, SmallSetVector<Instruction *, 16> &Needed) const;
  bool mayPass(const Instruction &I) const;
  void takeResults(Instruction &I);
  Instruction *end() const;

  SmallVector<Instruction *> Calls;
};

Instruction *Run::end() const {
  Instruction *Next = Calls.back()->getNextNode();
  while (isResult(*Next))
    Next = Next->getNextNode();
  return Next;
}

void Run::takeResults(Instruction &I) {
  for (User *U : I.users())
    if (auto *Register = dyn_cast<ExtractValueInst>(U); Register && Register->getParent() == I.getParent())
      Register->moveBefore(*I.getParent(), std::next(I.getIterator()));
}

// Collects the computations `I` needs ahead of the run. False: they depend on results of the run, or on
// memory.
bool Run::find(Instruction &I, SmallSetVector<Instruction *, 16> &Needed) const {
  SmallVector<Instruction *> Work{&I};
  while (!Work.empty()) {
    Instruction *User = Work.pop_back_val();
    for (Value *V : User->operands()) {
      auto *Operand = dyn_cast<Instruction>(V);
      if (!Operand || Operand->getParent() != I.getParent() || !Calls.front()->comesBefore(Operand))
        continue;
      if (isResult(*Operand) && is_contained(Calls, Operand->getOperand(0))) {
        if (User == &I)
          continue;
        return false;
      }
      if (isa<PHINode>(Operand) || isMatrix(*Operand) || Operand->mayReadOrWriteMemory() ||
          Operand->mayHaveSideEffects())
        return false;
      if (Needed.insert(Operand))
        Work.push_back(Operand);
    }
  }
  return true;
}

// True if no thread accesses the memory of `I` between the run and `I`.
bool Run::mayPass(const Instruction &I) const {
  const uint64_t Operation = warpMatrix(cast<CallInst>(I))->Operation;
  if (Operation != GPUPROF_MATRIX_LOAD && Operation != GPUPROF_MATRIX_STORE)
    return true;
  for (const Instruction *Between = end(); Between != &I; Between = Between->getNextNode())
    if (touchesMemory(*Between) && (Operation == GPUPROF_MATRIX_STORE || Between->mayWriteToMemory()))
      return false;
  return true;
}

bool Run::join(Instruction &I) {
  SmallSetVector<Instruction *, 16> Needed;
  if (!find(I, Needed) || !mayPass(I))
    return false;
  SmallVector<Instruction *> Order(Needed.begin(), Needed.end());
  sort(Order, [](const Instruction *A, const Instruction *B) { return A->comesBefore(B); });
  for (Instruction *Early : Order)
    Early->moveBefore(*I.getParent(), Calls.front()->getIterator());
  I.moveBefore(*I.getParent(), end()->getIterator());
  takeResults(I);
  Calls.push_back(&I);
  return true;
}

// The operands of one instruction for the emulator: {elements, or the uniform value} each.
class OperandTable {
public:
  OperandTable(const ConvergentSite &Site, unsigned Count)
      : Site(Site), C(Site.L.M.getContext()),
        Row(StructType::get(C, {PointerType::get(C, 0), Type::getInt64Ty(C)})),
        Table(ArrayType::get(Row, Count)) {
    BasicBlock &Entry = Site.Loop.Head->getParent()->getEntryBlock();
    Memory = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Table);
  }
  void add(Value *V) {
    AllocaInst *Array = Site.Elements(V);
    Value *Same = Array ? nullptr : Site.Here(V);
    IRBuilder<> B(Site.Loop.Head->getTerminator());
    if (Same && Same->getType()->isPointerTy())
      Same = B.CreatePtrToInt(Same, B.getInt64Ty());
    put(B, Array, Same ? B.CreateZExtOrTrunc(asNumber(B, Same), B.getInt64Ty()) : B.getInt64(0));
  }
  void addResult(AllocaInst *Array) {
    IRBuilder<> B(Site.Loop.Head->getTerminator());
    put(B, Array, B.getInt64(0));
  }
  Value *address() const { return Memory; }

private:
  static Value *asNumber(IRBuilder<> &B, Value *V) {
    return V->getType()->isIntegerTy()
               ? V
               : B.CreateBitCast(V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits().getFixedValue()));
  }
  void put(IRBuilder<> &B, AllocaInst *Array, Value *Same) {
    Value *Values = ConstantPointerNull::get(B.getPtrTy());
    if (Array)
      Values = elementOf(B, Array, B.getInt64(0));
    B.CreateStore(Values, at(B, 0));
    B.CreateStore(Same, at(B, 1));
    ++Next;
  }
  Value *at(IRBuilder<> &B, unsigned Field) {
    return B.CreateInBoundsGEP(Table, Memory, {B.getInt32(0), B.getInt32(Next), B.getInt32(Field)});
  }

  const ConvergentSite &Site;
  LLVMContext &C;
  StructType *Row;
  ArrayType *Table;
  AllocaInst *Memory;
  unsigned Next = 0;
};
} // namespace

void joinMatrices(Function &F) {
  for (BasicBlock &Block : F) {
    SmallVector<Instruction *> Ops;
    for (Instruction &I : Block)
      if (convergentOp(I) != ConvergentOp::None)
        Ops.push_back(&I);
    Run R;
    for (Instruction *I : Ops)
      if (!isMatrix(*I))
        R.clear();
      else if (R.isEmpty() || !R.join(*I))
        R.begin(*I);
  }
}

bool continuesRun(const Instruction &I) {
  const Instruction *Before = I.getPrevNode();
  while (Before && isResult(*Before))
    Before = Before->getPrevNode();
  return isMatrix(I) && Before && isMatrix(*Before);
}

SmallVector<CallInst *> runOf(CallInst &First) {
  SmallVector<CallInst *> Calls;
  for (Instruction *I = &First; isMatrix(*I) || isResult(*I); I = I->getNextNode())
    if (isMatrix(*I))
      Calls.push_back(cast<CallInst>(I));
  return Calls;
}

SmallVector<MatrixResult> lowerMatrix(const ConvergentSite &Site, CallInst &I) {
  const WarpMatrix Of = *warpMatrix(I);
  const auto *Registers = dyn_cast<ArrayType>(I.getType());
  const auto Results = static_cast<unsigned>(Registers ? Registers->getNumElements() : 0);
  OperandTable Table(Site, I.arg_size() - 1 + Results);
  for (Value *V : drop_begin(I.args()))
    Table.add(V);
  SmallVector<MatrixResult> Found;
  IRBuilder<> Here(&I);
  for (unsigned N = 0; N != Results; ++N) {
    Type *Register = Registers->getElementType();
    AllocaInst *Array = Site.NewArray(Register);
    Table.addResult(Array);
    Found.push_back({Here.CreateLoad(Register, elementOf(Here, Array, Site.Loop.Index)), Array});
  }
  IRBuilder<> B(Site.Loop.Head->getTerminator());
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  B.CreateCall(Site.L.entry("__gpuprof_cpu_matrix_warps"),
               {B.getInt32(static_cast<uint32_t>(Of.Operation)), B.getInt64(Of.Form),
                B.getInt32(static_cast<uint32_t>(Of.Counts)), Table.address(), Site.Mask ? Site.Mask : None,
                Site.Alive ? Site.Alive : None, B.getInt32(Site.Returned), Site.Threads});
  return Found;
}
} // namespace gpuprof::cpu
