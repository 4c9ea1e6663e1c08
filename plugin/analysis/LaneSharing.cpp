// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/LaneSharing.h"

#include "common/Compat.h"
#include "costs/CostParts.h"
#include "costs/GenericAccess.h"
#include "costs/WarpUniformity.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr int64_t WarpLanes = 32;

// The order of the classes in cost_classes.inc.
enum class Pattern { Same, Row, Rows, Plane, Tile, Apart, Any };

/* ---- Values as functions of the thread ---- */

// A value is a part common to all lanes of a warp, plus X·tid.x + Y·tid.y + N·ntid.x·tid.y + Lane·laneid.
// With `Chunks`, a function of tid.x / 32 and the row is added. A row is all threads with one tid.y and
// tid.z: a dependence on tid.z alone is `Chunks`, too.
struct Form {
  int64_t X = 0, Y = 0, N = 0, Lane = 0;
  bool Chunks = false;

  bool isCommon() const { return *this == Form(); }
  bool isOfRow() const { return X == 0 && Lane == 0; }
  bool operator==(const Form &O) const {
    return X == O.X && Y == O.Y && N == O.N && Lane == O.Lane && Chunks == O.Chunks;
  }
  Form scaled(int64_t By) const { return {X * By, Y * By, N * By, Lane * By, Chunks && By != 0}; }
};

Form sum(const Form &A, const Form &B) {
  return {A.X + B.X, A.Y + B.Y, A.N + B.N, A.Lane + B.Lane, A.Chunks || B.Chunks};
}

// Numbers of threads are small: products with these fit 64 bits.
constexpr int64_t LargestFactor = int64_t(1) << 40;
bool isSmall(const Form &F) {
  return all_of(ArrayRef<int64_t>{F.X, F.Y, F.N, F.Lane},
                [](int64_t V) { return V < LargestFactor && V > -LargestFactor; });
}

constexpr Form ofRow() {
  Form F;
  F.Chunks = true;
  return F;
}

bool reads(const Value &V, StringRef Register) {
  const auto *Call = dyn_cast<CallBase>(&V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.") &&
         Callee->getName().drop_front(strlen("llvm.nvvm.read.ptx.sreg.")) == Register;
}

const Value &withoutCasts(const Value &V) {
  const Value *At = &V;
  while (isa<ZExtInst, SExtInst, TruncInst, FreezeInst>(At))
    At = cast<Instruction>(At)->getOperand(0);
  return *At;
}

} // namespace

class LaneSharing::Addresses {
public:
  Addresses(Function &F, const WarpUniformity &U) : U(U), Dominators(F), Loops(Dominators), After(F) {
    markParts(F);
  }

  // The pattern of an access of `Bytes` by each lane through the pointer; nothing if no lanes share.
  std::optional<Pattern> pattern(const Instruction &I, const Use &Pointer, uint64_t Bytes) {
    const std::optional<Form> F = formOf(Pointer);
    const bool Whole = !Parts.contains(I.getParent());
    if (!F)
      return Pattern::Any;
    if (F->isCommon())
      return Whole ? Pattern::Same : Pattern::Any;
    if (F->isOfRow())
      return Whole ? Pattern::Rows : Pattern::Any;
    if (F->Lane != 0)
      return laneNumber(*F, Bytes);
    return threadNumber(*F, Bytes, Whole);
  }

private:
  static uint64_t size(int64_t Distance) { return Distance < 0 ? -uint64_t(Distance) : uint64_t(Distance); }

  static std::optional<Pattern> laneNumber(const Form &F, uint64_t Bytes) {
    if (F.X != 0 || size(F.Lane) < Bytes)
      return Pattern::Any;
    if (F.Y != 0 || F.N != 0 || F.Chunks)
      return Pattern::Apart;
    return std::nullopt;
  }

  static Pattern threadNumber(const Form &F, uint64_t Bytes, bool Whole) {
    constexpr uint64_t TileRow = 16; // threads
    if (size(F.X) < Bytes)
      return Pattern::Any;
    if (F.Chunks)
      return Pattern::Apart;
    if (F.Y == 0 && F.N == 0)
      return Whole ? Pattern::Row : Pattern::Apart;
    if (F.Y == 0 && F.N == F.X)
      return Pattern::Plane;
    if (F.N == 0 && size(F.Y) >= TileRow * size(F.X))
      return Pattern::Tile;
    return Pattern::Apart;
  }

  /* ---- Blocks of code executed by parts of a warp ---- */

  // From a divergent branch up to the reconvergence of all its lanes.
  void markParts(Function &F) {
    const bool Kernel = compat::isKernel(F);
    for (BasicBlock &BB : F) {
      if (!Kernel)
        Parts.insert(&BB); // the lanes brought by its callers are unknown
      else if (Dominators.isReachableFromEntry(&BB) && U.mayDiverge(BB))
        markBehind(BB);
    }
  }

  void markBehind(BasicBlock &Branch) {
    const auto *Node = After.getNode(&Branch);
    const auto *Next = Node ? Node->getIDom() : nullptr;
    const BasicBlock *Together = Next ? Next->getBlock() : nullptr;
    SmallVector<BasicBlock *, 16> Worklist(successors(&Branch));
    SmallPtrSet<BasicBlock *, 16> Seen;
    while (!Worklist.empty()) {
      BasicBlock *BB = Worklist.pop_back_val();
      if (BB == Together || !Seen.insert(BB).second)
        continue;
      Parts.insert(BB);
      append_range(Worklist, successors(BB));
    }
  }

  /* ---- Forms ---- */

  // Nothing: unknown. All lanes using a value at one time have it from one iteration of every enclosing loop.
  std::optional<Form> formOf(const Use &Operand) {
    if (isa<Constant>(Operand) || U.isUniform(Operand))
      return Form();
    const auto *From = dyn_cast<Instruction>(Operand.get());
    const auto *User = dyn_cast<Instruction>(Operand.getUser());
    if (!From || !User)
      return std::nullopt;
    const Loop *Of = Loops.getLoopFor(From->getParent());
    if (Of && !Of->contains(User->getParent()))
      return std::nullopt;
    auto [Slot, New] = Forms.try_emplace(From, std::nullopt);
    if (!New)
      return Slot->second;
    const std::optional<Form> Found = visit(*From);
    const std::optional<Form> Kept = Found && isSmall(*Found) ? Found : std::nullopt;
    Forms[From] = Kept;
    return Kept;
  }

  std::optional<Form> visit(const Instruction &I) {
    if (const auto *Call = dyn_cast<CallBase>(&I))
      return visitRegister(*Call);
    if (const auto *Gep = dyn_cast<GetElementPtrInst>(&I))
      return visitGep(*Gep);
    if (const auto *Phi = dyn_cast<PHINode>(&I))
      return visitPhi(*Phi);
    switch (I.getOpcode()) {
    case Instruction::Or: // of disjoint bits: an addition
    case Instruction::Add:
      return isSum(I) ? combine(I, 1) : std::nullopt;
    case Instruction::Sub:
      return combine(I, -1);
    case Instruction::Mul:
      return visitProduct(I);
    case Instruction::Shl:
      return visitShift(I);
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::And:
    case Instruction::URem:
      return visitPart(I);
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
    case Instruction::BitCast:
    case Instruction::AddrSpaceCast:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
      return formOf(I.getOperandUse(0));
    default:
      return std::nullopt;
    }
  }

  static std::optional<Form> visitRegister(const CallBase &Call) {
    Form F;
    if (reads(Call, "tid.x"))
      F.X = 1;
    else if (reads(Call, "tid.y"))
      F.Y = 1;
    else if (reads(Call, "tid.z"))
      F = ofRow();
    else if (reads(Call, "laneid"))
      F.Lane = 1;
    else
      return std::nullopt;
    return F;
  }

  static bool isSum(const Instruction &I) {
    return I.getOpcode() == Instruction::Add || compat::isDisjointOr(I);
  }

  std::optional<Form> combine(const Instruction &I, int64_t Sign) {
    const std::optional<Form> A = formOf(I.getOperandUse(0)), B = formOf(I.getOperandUse(1));
    return A && B ? std::optional<Form>(sum(*A, B->scaled(Sign))) : std::nullopt;
  }

  std::optional<Form> visitGep(const GetElementPtrInst &Gep) {
    std::optional<Form> All = formOf(Gep.getOperandUse(0));
    const DataLayout &Layout = Gep.getModule()->getDataLayout();
    unsigned Operand = 1;
    for (auto At = gep_type_begin(Gep), End = gep_type_end(Gep); At != End && All; ++At, ++Operand) {
      const Use &Index = Gep.getOperandUse(Operand);
      if (isa<Constant>(Index))
        continue;
      const std::optional<Form> F = formOf(Index);
      const int64_t Step = static_cast<int64_t>(Layout.getTypeAllocSize(At.getIndexedType()).getFixedValue());
      All = F && isSmall(*F) ? std::optional<Form>(sum(*All, F->scaled(Step))) : std::nullopt;
    }
    return All;
  }

  // A variable of a loop begins with its form and keeps it if each iteration adds a value common to all
  // lanes. At other joins lanes come from different places, with unrelated values.
  std::optional<Form> visitPhi(const PHINode &Phi) {
    const Loop *L = Loops.getLoopFor(Phi.getParent());
    if (!L || L->getHeader() != Phi.getParent())
      return visitJoin(Phi);
    std::optional<Form> Start;
    for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N)
      if (!L->contains(Phi.getIncomingBlock(N))) {
        if (Start)
          return std::nullopt;
        Start = formOf(Phi.getOperandUse(N));
        if (!Start)
          return std::nullopt;
      }
    if (!Start)
      return std::nullopt;
    Forms[&Phi] = Start;
    for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N)
      if (L->contains(Phi.getIncomingBlock(N)) && !steps(Phi.getOperandUse(N), Phi))
        return std::nullopt;
    return Start;
  }

  // Both edges may have computed the same: the optimiser moves expressions ahead of a join.
  std::optional<Form> visitJoin(const PHINode &Phi) {
    const Use &First = Phi.getOperandUse(0);
    for (const Use &Other : drop_begin(Phi.incoming_values()))
      if (!computesTheSame(*First, *Other, 0))
        return std::nullopt;
    return formOf(First);
  }

  static bool computesTheSame(const Value &A, const Value &B, unsigned Depth) {
    constexpr unsigned Deepest = 8;
    if (&A == &B)
      return true;
    const auto *I = dyn_cast<Instruction>(&A), *J = dyn_cast<Instruction>(&B);
    if (!I || !J || Depth == Deepest || I->getOpcode() != J->getOpcode() || I->getType() != J->getType() ||
        I->getNumOperands() != J->getNumOperands())
      return false;
    if (const auto *Call = dyn_cast<CallBase>(I))
      return Call->getCalledOperand() == cast<CallBase>(J)->getCalledOperand() && Call->arg_size() == 0 &&
             (visitRegister(*Call).has_value() || readsBlock(*Call));
    if (const auto *Gep = dyn_cast<GetElementPtrInst>(I);
        Gep && Gep->getSourceElementType() != cast<GetElementPtrInst>(J)->getSourceElementType())
      return false;
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst, FreezeInst>(I))
      return false;
    for (auto [X, Y] : zip(I->operand_values(), J->operand_values()))
      if (!computesTheSame(*X, *Y, Depth + 1))
        return false;
    return true;
  }

  static bool readsBlock(const Value &V) {
    return any_of(ArrayRef<StringRef>{"ctaid.x", "ctaid.y", "ctaid.z", "ntid.x", "ntid.y", "ntid.z",
                                      "nctaid.x", "nctaid.y", "nctaid.z"},
                  [&](StringRef Register) { return reads(V, Register); });
  }

  // Phi itself, or sums of Phi and values common to all lanes.
  bool steps(const Use &Next, const PHINode &Phi) {
    const Value *At = Next;
    for (unsigned Depth = 0; Depth < 8; ++Depth) {
      if (At == &Phi)
        return true;
      const auto *I = dyn_cast<Instruction>(At);
      if (!I)
        return false;
      if (isa<GetElementPtrInst>(I)) {
        if (!all_of(drop_begin(I->operands()),
                    [&](const Use &Index) { return isa<Constant>(Index) || U.isUniform(Index); }))
          return false;
        At = I->getOperand(0);
      } else if (I->getOpcode() == Instruction::Add || I->getOpcode() == Instruction::Sub) {
        if (isa<Constant>(I->getOperand(1)) || U.isUniform(I->getOperandUse(1)))
          At = I->getOperand(0);
        else if (I->getOpcode() == Instruction::Add &&
                 (isa<Constant>(I->getOperand(0)) || U.isUniform(I->getOperandUse(0))))
          At = I->getOperand(1);
        else
          return false;
      } else {
        return false;
      }
    }
    return false;
  }

  std::optional<Form> visitProduct(const Instruction &I) {
    for (unsigned N = 0; N < 2; ++N) {
      const std::optional<Form> F = formOf(I.getOperandUse(N));
      const Use &Other = I.getOperandUse(1 - N);
      if (!F || F->isCommon() || !(isa<Constant>(Other) || U.isUniform(Other)))
        continue;
      if (const auto *By = dyn_cast<ConstantInt>(Other))
        return By->getBitWidth() <= 64 && isSmall({By->getSExtValue()})
                   ? std::optional<Form>(F->scaled(By->getSExtValue()))
                   : std::nullopt;
      if (!F->isOfRow())
        return std::nullopt; // a distance known only at the launch
      if (F->N == 0 && !F->Chunks && reads(withoutCasts(*Other), "ntid.x"))
        return Form{0, 0, F->Y, 0, false};
      return ofRow();
    }
    return std::nullopt;
  }

  std::optional<Form> visitShift(const Instruction &I) {
    const auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
    const std::optional<Form> F = formOf(I.getOperandUse(0));
    if (!F)
      return std::nullopt;
    if (By && By->getZExtValue() < 32)
      return F->scaled(int64_t(1) << By->getZExtValue());
    return F->isOfRow() ? std::optional<Form>(ofRow()) : std::nullopt;
  }

  // tid.x / 32 and tid.x % 32, and their like: the numbers of warp and lane if rows are whole warps.
  std::optional<Form> visitPart(const Instruction &I) {
    const std::optional<Form> F = formOf(I.getOperandUse(0));
    if (!F)
      return std::nullopt;
    if (F->isOfRow())
      return U.isUniform(I.getOperandUse(1)) || isa<Constant>(I.getOperand(1)) ? std::optional<Form>(ofRow())
                                                                               : std::nullopt;
    const auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
    if (!By || By->getBitWidth() > 64 || !countsThreads(*I.getOperand(0)))
      return std::nullopt;
    const uint64_t Number = By->getZExtValue();
    switch (I.getOpcode()) {
    case Instruction::LShr:
    case Instruction::AShr:
      return Number >= 5 ? std::optional<Form>(ofRow()) : std::nullopt;
    case Instruction::UDiv:
    case Instruction::SDiv:
      return Number % WarpLanes == 0 && Number ? std::optional<Form>(ofRow()) : std::nullopt;
    case Instruction::URem:
      return Number % WarpLanes == 0 && Number ? within() : std::nullopt;
    default: // And: with ones from some bit down, or up
      if ((Number & (Number + 1)) == 0 && Number >= WarpLanes - 1)
        return within();
      return (Number & (WarpLanes - 1)) == 0 ? std::optional<Form>(ofRow()) : std::nullopt;
    }
  }

  static std::optional<Form> within() {
    Form F = ofRow();
    F.X = 1;
    return F;
  }

  // tid.x, or the number of the thread in the grid. 32 of them in a row begin at a multiple of 32 if rows are
  // whole warps.
  static bool countsThreads(const Value &V) {
    const Value &Number = withoutCasts(V);
    if (reads(Number, "tid.x"))
      return true;
    const auto *Sum = dyn_cast<Instruction>(&Number);
    if (!Sum || !isSum(*Sum))
      return false;
    for (unsigned N = 0; N < 2; ++N)
      if (reads(withoutCasts(*Sum->getOperand(N)), "tid.x") &&
          countsBlocks(withoutCasts(*Sum->getOperand(1 - N))))
        return true;
    return false;
  }

  static bool countsBlocks(const Value &V) {
    const auto *I = dyn_cast<Instruction>(&V);
    if (!I || (I->getOpcode() != Instruction::Mul && I->getOpcode() != Instruction::Shl))
      return false;
    if (const auto *By = dyn_cast<ConstantInt>(I->getOperand(1)))
      return I->getOpcode() == Instruction::Shl ? By->getZExtValue() >= 5
                                                : By->getZExtValue() % WarpLanes == 0;
    return I->getOpcode() == Instruction::Mul &&
           any_of(I->operands(), [](const Use &Operand) { return reads(withoutCasts(*Operand), "ntid.x"); });
  }

  const WarpUniformity &U;
  DominatorTree Dominators;
  LoopInfo Loops;
  PostDominatorTree After;
  DenseSet<const BasicBlock *> Parts;
  DenseMap<const Instruction *, std::optional<Form>> Forms;
};

namespace {

/* ---- The address operand ---- */

struct Target {
  CostClass Bytes, First, Generic; // First: the pattern Same
};
constexpr Target Targets[] = {
#define TARGET(A)                                                                                            \
  { CostClass::A, CostClass::lanes_##A##_same, CostClass::generic_##A }
    TARGET(global_load), TARGET(global_store), TARGET(global_atomic),
    TARGET(shared_load), TARGET(shared_store), TARGET(shared_atomic),
#undef TARGET
};

constexpr std::pair<CostClass, CostClass> LocalTargets[] = {
    {CostClass::local_load, CostClass::generic_local_load},
    {CostClass::local_store, CostClass::generic_local_store},
    {CostClass::local_atomic, CostClass::generic_local_atomic},
};

bool isStore(CostClass Class) {
  return Class == CostClass::global_store || Class == CostClass::shared_store ||
         Class == CostClass::local_store;
}

// The operand with the address of a class's bytes; null: unknown.
const Use *addressOf(const Instruction &I, CostClass Class) {
  if (isa<LoadInst>(I))
    return &I.getOperandUse(LoadInst::getPointerOperandIndex());
  if (isa<StoreInst>(I))
    return &I.getOperandUse(StoreInst::getPointerOperandIndex());
  if (isa<AtomicRMWInst>(I))
    return &I.getOperandUse(AtomicRMWInst::getPointerOperandIndex());
  if (isa<AtomicCmpXchgInst>(I))
    return &I.getOperandUse(AtomicCmpXchgInst::getPointerOperandIndex());
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<InlineAsm>(Call->getCalledOperand()))
    return nullptr;
  SmallVector<const Use *, 2> Pointers;
  for (const Use &Argument : Call->args())
    if (Argument->getType()->isPointerTy())
      Pointers.push_back(&Argument);
  if (Pointers.empty())
    return nullptr;
  // Copies name the written address first.
  return Pointers.size() > 1 && !isStore(Class) ? Pointers[1] : Pointers[0];
}

// Moved by a warp or by the copy engine, not lane by lane: the counted bytes are the moved ones.
bool movesAsAWhole(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  std::string Asm;
  StringRef Name;
  if (const auto *Text = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    Name = Asm = compat::asmText(*Text);
  else if (const Function *Callee = Call->getCalledFunction())
    Name = Callee->getName();
  return any_of(ArrayRef<StringRef>{"ldmatrix", "stmatrix", "wmma", "bulk", "tensor"},
                [&](StringRef Word) { return Name.contains(Word); });
}

// The inference of address spaces leaves them unchanged.
bool keepsPointer(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return movesAsAWhole(I) || (Call && isScopedAtomic(*Call));
}

} // namespace

LaneSharing::LaneSharing(Function &F, const WarpUniformity &U) : Known(std::make_unique<Addresses>(F, U)) {}
LaneSharing::~LaneSharing() = default;

InstructionCost LaneSharing::of(const Instruction &I, const InstructionCost &Cost) const {
  InstructionCost Shared;
  for (auto [Class, Bytes] : Cost.Amounts) {
    const CostClass Asked = Class;
    const Use *Address = nullptr;
    CostClass Generic = CostClass::Number;
    if (const auto *T = find_if(Targets, [&](const Target &T) { return T.Bytes == Asked; });
        T != std::end(Targets)) {
      Address = addressOf(I, Class);
      Generic = T->Generic;
      const std::optional<Pattern> P = movesAsAWhole(I) ? std::nullopt
                                       : Address        ? Known->pattern(I, *Address, Bytes)
                                                        : std::optional<Pattern>(Pattern::Any);
      if (P)
        Shared.add(static_cast<CostClass>(static_cast<unsigned>(T->First) + static_cast<unsigned>(*P)),
                   Bytes);
    } else if (const auto *L = find_if(LocalTargets, [&](const auto &L) { return L.first == Asked; });
               L != std::end(LocalTargets)) {
      Address = addressOf(I, Class);
      Generic = L->second;
    }
    if (Address && isGenericInPtx(**Address, keepsPointer(I)))
      Shared.add(Generic, Bytes);
  }
  return Shared;
}

PreservedAnalyses LaneSharingPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    OS << "lanes of " << F.getName() << ":\n";
    const WarpUniformity U(F);
    const LaneSharing Sharing(F, U);
    for (const BasicBlock &BB : F)
      for (const Instruction &I : BB) {
        const InstructionCost Shared = Sharing.of(I, costOf(I, &U));
        if (Shared.Amounts.empty())
          continue;
        for (auto [Class, Amount] : Shared.Amounts)
          OS << " " << costClassName(Class) << "=" << Amount;
        OS << " :" << I << "\n";
      }
  }
  return PreservedAnalyses::all();
}

} // namespace gpuprof
