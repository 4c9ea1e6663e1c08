// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inline-ptx/AsmLowering.h"
#include "common/Compat.h"
#include "inline-ptx/AsmArithmetic.h"
#include "inline-ptx/AsmAtomics.h"
#include "inline-ptx/AsmBarriers.h"
#include "inline-ptx/AsmCollectives.h"
#include "inline-ptx/AsmMemory.h"
#include "inline-ptx/AsmTensorMaps.h"
#include "inline-ptx/AsmTextures.h"
#include "inline-ptx/AsmWarpGroups.h"
#include "module/SourceLocations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
/// One statement of inline PTX on its way to IR: control flow and predicates; families lower the
/// instructions.
class AsmLowering : public AsmContext {
public:
  using AsmContext::AsmContext;
  bool run();

private:
  bool straight(const ptx::Program &Program);
  bool branching(const ptx::Program &Program);
  bool makeSlots(const ptx::Program &Program);
  void promoteSlots(Function &F);
  bool lowerBlocks(const ptx::Program &Program, BasicBlock *Tail);
  bool lower(Op O);
  bool always(Op O);
  bool underPredicate(Op O);
  bool control(Op O);
  void finish();
};
} // namespace

bool AsmLowering::control(Op O) {
  const StringRef Name = O.Opcode[0];
  if (Name == "exit") {
    B.CreateCall(L.entry("__gpuprof_cpu_exit"), {L.thread(*I.getFunction())});
    return true;
  }
  if (Name == "membar" || Name == "fence") {
    B.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return true;
  }
  if (Name == "trap" || Name == "brkpt") {
    stopLaunch(L, B, Name == "trap" ? TrapInstruction : Breakpoint, I.getDebugLoc());
    return true;
  }
  if (Name == "nanosleep" && O.Operands.size() == 1) {
    Value *Time = read(O.Operands[0], B.getInt32Ty());
    if (Time)
      B.CreateCall(L.entry("__gpuprof_cpu_nanosleep"), {L.thread(*I.getFunction()), Time});
    return Time;
  }
  if (Name == "mbarrier")
    return AsmBarriers(*this).barrierObject(O);
  if (Name == "elect" && O.has("sync"))
    return AsmBarriers(*this).elect(O);
  if (AsmBarriers(*this).advice(O))
    return true;
  return (Name == "bar" || Name == "barrier") && !O.has("warp") && !O.has("cluster") &&
         AsmBarriers(*this).blockBarrier(O);
}

// Instructions with effects beyond a result of registers run only if the predicate holds. Otherwise their
// result registers keep the old values.
bool AsmLowering::underPredicate(Op O) {
  const StringMap<Value *> Before = Registers;
  Value *Holds = Predicate;
  BasicBlock *Head = At->getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(Holds, At, false);
  B.SetInsertPoint(Then);
  Predicate = nullptr;
  if (!always(O))
    return false;
  B.SetInsertPoint(At);
  for (auto &Register : Registers) { // no structured binding: until LLVM 19 it binds a copy of the value
    Value *&V = Register.second, *Old = Before.lookup(Register.first());
    if (V == Old)
      continue;
    PHINode *Both = IRBuilder<>(At->getParent(), At->getParent()->begin()).CreatePHI(V->getType(), 2);
    Both->addIncoming(V, Then->getParent());
    IRBuilder<> AtHead(Head->getTerminator());
    Both->addIncoming(Old ? reinterpret(AtHead, Old, V->getType()) : Constant::getNullValue(V->getType()),
                      Head);
    V = Both;
  }
  return true;
}

bool AsmLowering::lower(Op O) {
  if (O.Opcode.empty() || !takePredicate(O))
    return false;
  // Arithmetic is executed in any case; the predicate selects its result.
  constexpr const char *Effects[] = {"ld",       "ldu",       "st",       "atom",      "red",      "cp",
                                     "bar",      "barrier",   "membar",   "fence",     "trap",     "brkpt",
                                     "exit",     "nanosleep", "shfl",     "vote",      "match",    "redux",
                                     "mbarrier", "ldmatrix",  "stmatrix", "movmatrix", "mma",      "tex",
                                     "tld4",     "suld",      "sust",     "wgmma",     "tensormap"};
  return Predicate && is_contained(Effects, StringRef(O.Opcode[0])) ? underPredicate(O) : always(O);
}

bool AsmLowering::always(Op O) {
  PtxType T;
  const bool Typed = typeOf(O, T);
  const StringRef Name = O.Opcode[0];
  if (Name == "mov" || Name == "cvta") // all address spaces are one
    return Typed && AsmMemory(*this).move(O, T);
  if (Name == "st" && O.has("bulk"))
    return AsmAtomics(*this).fillBulk(O);
  if (Name == "ld" || Name == "ldu" || Name == "st")
    return Typed && AsmMemory(*this).memory(O, T);
  if (Name == "atom" || Name == "red")
    return Typed && AsmAtomics(*this).atomic(O, T);
  if (Name == "cp")
    return AsmMemory(*this).asyncCopy(O);
  if (Name == "setp")
    return Typed && AsmArithmetic(*this).setPredicate(O, T);
  if (control(O) || AsmCollectives(*this).collective(O) || AsmCollectives(*this).matrix(O) ||
      AsmWarpGroups(*this).warpGroup(O) || AsmTensorMaps(*this).tensorMap(O) ||
      AsmTextures(*this).texture(O) || AsmBarriers(*this).cluster(O) || AsmMemory(*this).isSpace(O))
    return true;
  if (O.Operands.empty())
    return false;
  Value *Result = AsmArithmetic(*this).compute(O);
  if (Result)
    write(StringRef(O.Operands[0]).split('|').first, Result);
  return Result;
}

void AsmLowering::finish() {
  SmallVector<Value *> Results;
  for (unsigned N = 0; N != Outputs.size(); ++N) {
    Value *V = read("$" + std::to_string(N), Outputs[N]->isPointerTy() ? B.getInt64Ty() : Outputs[N]);
    if (!V)
      V = Constant::getNullValue(Outputs[N]);
    Results.push_back(Outputs[N]->isPointerTy()
                          ? B.CreateIntToPtr(reinterpret(B, V, B.getInt64Ty()), Outputs[N])
                          : reinterpret(B, V, Outputs[N]));
  }
  if (I.getType()->isStructTy()) {
    Value *All = PoisonValue::get(I.getType());
    for (unsigned N = 0; N != Results.size(); ++N)
      All = B.CreateInsertValue(All, Results[N], N);
    I.replaceAllUsesWith(All);
  } else if (!Results.empty())
    I.replaceAllUsesWith(Results[0]);
  I.eraseFromParent();
}

bool AsmLowering::straight(const ptx::Program &Program) {
  return all_of(Program.Instructions, [this](Op O) { return lower(O); });
}

bool AsmLowering::run() {
  const ptx::Program Program = ptx::parse(compat::asmText(*cast<InlineAsm>(I.getCalledOperand())));
  if (!Program.Error.empty())
    return false;
  bindOperands();
  Function &F = *I.getFunction();
  const bool Lowered = Program.Branch.empty() ? straight(Program) : branching(Program);
  if (Lowered)
    finish();
  promoteSlots(F);
  return Lowered;
}

// ---- Statements with labels and branches: basic blocks. Registers are variables until the whole text is IR.

// For each register of the text and each result. False: an unknown type, or one name with two types.
bool AsmLowering::makeSlots(const ptx::Program &Program) {
  BasicBlock &Entry = I.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  auto Make = [&](const std::string &Name, Type *T) {
    if (AllocaInst *Known = Slots.lookup(Name))
      return Known->getAllocatedType() == T;
    AllocaInst *Slot = Slots[Name] = AtEntry.CreateAlloca(T);
    Value *First = Registers.lookup(Name); // the initial value of a result with a tied input
    B.CreateStore(First ? reinterpret(B, First, T) : Constant::getNullValue(T), Slot);
    return true;
  };
  for (const ptx::Register &R : Program.Registers) {
    PtxType T;
    if (!parsePtxType(R.Type, T))
      return false;
    for (const std::string &Name : namesOf(R))
      if (!Make(Name, irType(T)))
        return false;
  }
  for (unsigned N = 0; N != Outputs.size(); ++N)
    Make("$" + std::to_string(N), Outputs[N]->isPointerTy() ? B.getInt64Ty() : Outputs[N]);
  return true;
}

// Each block ends in a placeholder until its successor is known. Its instructions go before the placeholder.
bool AsmLowering::lowerBlocks(const ptx::Program &Program, BasicBlock *Tail) {
  const size_t End = Program.Instructions.size();
  SmallVector<BasicBlock *> Starts(End + 1, nullptr); // start of a block, by instruction
  Starts[End] = Tail;
  auto Start = [&](size_t Index) {
    if (!Starts[Index]) {
      Starts[Index] = BasicBlock::Create(C, "", I.getFunction(), Tail);
      new UnreachableInst(C, Starts[Index]);
    }
    return Starts[Index];
  };
  Start(0);
  StringMap<BasicBlock *> Targets;
  for (const ptx::Label &L : Program.Labels)
    if (!Targets.try_emplace(L.Name, Start(L.Before)).second)
      return false; // declared in two scopes
  for (size_t N = 0; N != End; ++N)
    if (Program.Instructions[N].Opcode[0] == "bra")
      Start(N + 1);
  auto Enter = [&](BasicBlock *Block) {
    At = Block->getTerminator();
    B.SetInsertPoint(At);
    Carry = nullptr;
  };
  auto Leave = [&](BasicBlock *To, BasicBlock *Otherwise, Value *If) {
    if (If)
      B.CreateCondBr(If, To, Otherwise);
    else
      B.CreateBr(To);
    At->eraseFromParent();
    At = nullptr;
  };
  Enter(Start(0));
  for (size_t N = 0; N != End; ++N) {
    if (N != 0 && Starts[N]) {
      if (At)
        Leave(Starts[N], nullptr, nullptr);
      Enter(Starts[N]);
    }
    Op O = Program.Instructions[N];
    if (O.Opcode[0] != "bra") {
      if (!lower(O) || Failed)
        return false;
      continue;
    }
    BasicBlock *Target = O.Operands.size() == 1 ? Targets.lookup(O.Operands[0]) : nullptr;
    if (!Target || !takePredicate(O))
      return false;
    Leave(Target, Starts[N + 1], Predicate);
  }
  if (At)
    Leave(Tail, nullptr, nullptr);
  return true;
}

bool AsmLowering::branching(const ptx::Program &Program) {
  if (Program.Instructions.empty() || !makeSlots(Program))
    return false;
  BasicBlock *Head = I.getParent(), *Tail = SplitBlock(Head, &I);
  const bool Lowered = lowerBlocks(Program, Tail);
  BasicBlock *First = Head->getNextNode();
  if (Lowered) {
    cast<BranchInst>(Head->getTerminator())->setSuccessor(0, First);
  } else { // the new blocks are unreachable
    SmallVector<BasicBlock *> Dead;
    for (BasicBlock *Block = First; Block != Tail; Block = Block->getNextNode())
      Dead.push_back(Block);
    DeleteDeadBlocks(Dead);
  }
  B.SetInsertPoint(&I);
  At = &I;
  Predicate = nullptr;
  return Lowered;
}

void AsmLowering::promoteSlots(Function &F) {
  if (Slots.empty())
    return;
  SmallVector<AllocaInst *> Promoted;
  for (auto &Slot : Slots)
    Promoted.push_back(Slot.second);
  DominatorTree Dominators(F);
  PromoteMemToReg(Promoted, Dominators);
}

bool lowerAsm(Lowering &L, CallInst &I) { return AsmLowering(L, I).run(); }
} // namespace gpuprof::cpu
