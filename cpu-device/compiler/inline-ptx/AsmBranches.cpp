// Inline PTX with labels and branches: basic blocks, whose registers live in memory until the whole text is
// IR.
#include "inline-ptx/AsmLowering.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprof::cpu {
void AsmLowering::assign(StringRef Name, Value *V) {
  auto Slot = Slots.find(Name);
  if (Slot == Slots.end()) {
    Failed = true;
    return;
  }
  Type *T = Slot->second->getAllocatedType();
  V = reinterpret(B, V, T);
  if (Predicate)
    V = B.CreateSelect(Predicate, V, B.CreateLoad(T, Slot->second));
  B.CreateStore(V, Slot->second);
}

// For each register of the text and each result. False: a type that is not known, or one name of two types.
bool AsmLowering::makeSlots(const ptx::Program &Program) {
  BasicBlock &Entry = I.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  auto Make = [&](const std::string &Name, Type *T) {
    if (AllocaInst *Known = Slots.lookup(Name))
      return Known->getAllocatedType() == T;
    AllocaInst *Slot = Slots[Name] = AtEntry.CreateAlloca(T);
    Value *First = Registers.lookup(Name); // what a result that is an operand too begins with
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

// Each block ends in a placeholder, before which its instructions go, until it is known where it continues.
bool AsmLowering::lowerBlocks(const ptx::Program &Program, BasicBlock *Tail) {
  const size_t End = Program.Instructions.size();
  SmallVector<BasicBlock *> Starts(End + 1, nullptr); // by instruction, where a block starts
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
      return false; // in two scopes
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
  } else { // what was made is unreachable
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
} // namespace gpuprof::cpu
