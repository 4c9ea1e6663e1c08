// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clones/CloneSlice.h"

#include "analysis/Groups.h"
#include "clones/FusedProducts.h"
#include "clones/PointerOrigins.h"
#include "common/Compat.h"
#include "costs/PtxCosts.h"
#include "costs/Spaces.h"
#include "directives/ConditionalCosts.h"
#include "directives/DirectiveLowering.h"
#include "ptx/Ptx.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>
#include <tuple>

using namespace llvm;

namespace gpuprof {
namespace {

constexpr const char *UnknownName = "gpuprof.unknown";

/* ---- Effects of instructions ---- */

// Registers with the same value in a clone of the same grid and block. Clusters are excluded: a clone has
// none.
constexpr StringLiteral KnownRegisters[] = {"tid.",   "ctaid.",   "ntid.",    "nctaid.",
                                            "laneid", "warpsize", "lanemask."};

bool isKnownRegister(StringRef Intrinsic) {
  return Intrinsic.consume_front("llvm.nvvm.read.ptx.sreg.") &&
         any_of(KnownRegisters, [&](StringRef Known) { return Intrinsic.starts_with(Known); });
}

// The same registers by their names in PTX; without one, an operand of the asm or a number.
bool isKnownOperand(StringRef Operand) {
  return !Operand.contains('%') ||
         (Operand.consume_front("%") &&
          any_of(KnownRegisters, [&](StringRef Known) { return Operand.starts_with(Known); }));
}

// Whatever clang's flags: in CUDA every inline assembly may wait for other lanes, and volatile ones have
// effects.
bool isPureAsm(const InlineAsm &Asm) {
  const ptx::Program Program = ptx::parse(compat::asmText(Asm));
  if (!Program.Error.empty())
    return false;
  for (size_t Index = 0; Index < Program.Instructions.size(); ++Index)
    if (!isPureInstruction(Program, Index) ||
        !all_of(Program.Instructions[Index].Operands, [](const std::string &O) { return isKnownOperand(O); }))
      return false;
  return true;
}

// Declares it pure for optimisations.
void declarePure(CallBase &Call, const InlineAsm &Asm) {
  Call.setCalledOperand(
      InlineAsm::get(Asm.getFunctionType(), compat::asmText(Asm), compat::asmConstraints(Asm), false));
  Call.removeFnAttr(Attribute::Convergent);
  Call.setDoesNotAccessMemory();
  Call.addFnAttr(Attribute::WillReturn);
}

// A function of its operands: the same in the kernel and in a clone.
bool isPureCall(const CallBase &Call) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return isPureAsm(*Asm);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.isConvergent())
    return false;
  const StringRef Name = Callee->getName();
  if (Name.starts_with("llvm.nvvm.read."))
    return isKnownRegister(Name);
  return Callee->isIntrinsic() && Call.doesNotAccessMemory() && !Call.mayHaveSideEffects();
}

// Calls that end: the thread then continues, or the launch has failed.
constexpr StringLiteral HarmlessCalls[] = {"vprintf", "__assertfail",   "malloc",
                                           "free",    "__nvvm_reflect", "cudaGraphSetConditional"};

bool mayLeave(const CallBase &Call) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    const ptx::Program Program = ptx::parse(compat::asmText(*Asm));
    return !Program.Error.empty() || any_of(Program.Instructions, [](const ptx::Instruction &I) {
      return I.Opcode[0] == "exit" || I.Opcode[0] == "ret" || I.Opcode[0] == "trap";
    });
  }
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || isThreadExit(Call))
    return true;
  if (!Callee->isDeclaration())
    return false; // its effects are examined
  if (Callee->isIntrinsic() || asDirectiveCall(Call) || isAccessMarker(Call))
    return false;
  return !is_contained(HarmlessCalls, Callee->getName()) &&
         !(Callee->doesNotAccessMemory() && Callee->doesNotThrow() && Callee->willReturn());
}

bool isPlainTerminator(const Instruction &I) {
  return isa<BranchInst>(I) || isa<SwitchInst>(I) || isa<ReturnInst>(I) || isa<UnreachableInst>(I);
}

/* ---- Memory ---- */

enum class LoadOf { Parameter, Table, Memory, Unknown };

class Loads {
public:
  Loads(Function &F, FunctionAnalysisManager &Analyses)
      : Aliases(Analyses.getResult<AAManager>(F)), Loops(Analyses.getResult<LoopAnalysis>(F)),
        Layout(F.getParent()->getDataLayout()) {
    for (Instruction &I : instructions(F))
      if (mayWriteGlobal(I))
        Writes.push_back(&I);
  }

  // The kind of data read by a load and readable by a clone; Unknown if unreadable. For memory, adds the
  // pointers required to lie apart.
  LoadOf classify(const LoadInst &Load, std::vector<PointersApart> &Apart) {
    if (!Load.isSimple())
      return LoadOf::Unknown;
    const Value *Object = getUnderlyingObject(Load.getPointerOperand());
    if (const auto *Parameter = dyn_cast<Argument>(Object); Parameter && Parameter->hasByValAttr())
      return isOnlyRead(*Parameter) ? LoadOf::Parameter : LoadOf::Unknown;
    const auto *Variable = dyn_cast<GlobalVariable>(Object);
    if (Variable && Variable->isConstant() && Variable->hasDefinitiveInitializer() &&
        !Variable->isExternallyInitialized())
      return LoadOf::Table;
    const Space S = spaceOf(*Load.getPointerOperand());
    if (S == Space::Constant)
      return LoadOf::Memory;
    if (S != Space::Global)
      return LoadOf::Unknown;
    if (Load.hasMetadata(LLVMContext::MD_invariant_load))
      return LoadOf::Memory;
    const std::optional<std::vector<PointersApart>> &Needed = unwrittenIf(*Object);
    if (!Needed)
      return LoadOf::Unknown;
    Apart = *Needed;
    return LoadOf::Memory;
  }

private:
  // The pointers required to lie apart for an object never written; nothing if this does not suffice. It
  // concerns the whole object: another thread may write elsewhere in it.
  const std::optional<std::vector<PointersApart>> &unwrittenIf(const Value &Object) {
    auto [Known, New] = Unwritten.try_emplace(&Object);
    if (New)
      Known->second = apartFromWrites(Object);
    return Known->second;
  }

  std::optional<std::vector<PointersApart>> apartFromWrites(const Value &Object) {
    std::vector<PointersApart> Apart;
    PointerOrigins Read;
    for (Instruction *I : Writes) {
      if (!isModSet(Aliases.getModRefInfo(I, MemoryLocation::getBeforeOrAfter(&Object))))
        continue;
      if (!Read && (!(Read = originsOf(Object, Loops, Layout)) || Read->empty()))
        return std::nullopt;
      const PointerOrigins Written = originsOfWrite(*I, Loops, Layout);
      if (!Written)
        return std::nullopt;
      for (const PointerPlace &R : *Read)
        for (const PointerPlace &W : *Written) {
          if (R == W)
            return std::nullopt;
          if (!is_contained(Apart, PointersApart{R, W}))
            Apart.push_back({R, W});
        }
    }
    return Apart;
  }

  AAResults &Aliases;
  LoopInfo &Loops;
  const DataLayout &Layout;
  std::vector<Instruction *> Writes;
  DenseMap<const Value *, std::optional<std::vector<PointersApart>>> Unwritten;
};

/* ---- The thread's own memory ---- */

// The one variable that a pointer points into; null if it may point elsewhere.
const AllocaInst *variableOf(const Value &Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return Objects.size() == 1 ? dyn_cast<AllocaInst>(Objects[0]) : nullptr;
}

// The variable that a store or a memset fills.
const AllocaInst *filledBy(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return variableOf(*Store->getPointerOperand());
  const auto *Fill = dyn_cast<MemSetInst>(&I);
  return Fill ? variableOf(*Fill->getRawDest()) : nullptr;
}

// True if a clone can keep the variable at this address with all accesses to it: nothing else reaches it.
// NOLINTNEXTLINE(misc-no-recursion)
bool isReachedByAccesses(const Value &Pointer, SmallPtrSetImpl<const Value *> &Seen) {
  return !Seen.insert(&Pointer).second || all_of(Pointer.uses(), [&](const Use &U) {
    const User *By = U.getUser();
    if (isa<GetElementPtrInst>(By) || isa<AddrSpaceCastInst>(By) || isa<BitCastInst>(By))
      return U.getOperandNo() == 0 && By->getType()->isPointerTy() && isReachedByAccesses(*By, Seen);
    if (isa<PHINode>(By) || isa<SelectInst>(By))
      return variableOf(*By) && isReachedByAccesses(*By, Seen);
    if (const auto *Load = dyn_cast<LoadInst>(By))
      return Load->isSimple();
    if (const auto *Store = dyn_cast<StoreInst>(By))
      return Store->isSimple() && U.getOperandNo() == StoreInst::getPointerOperandIndex();
    if (const auto *Fill = dyn_cast<MemSetInst>(By))
      return !Fill->isVolatile();
    const auto *Call = dyn_cast<IntrinsicInst>(By);
    return Call && Call->isLifetimeStartOrEnd();
  });
}

bool isReachedByAccesses(const AllocaInst &Variable) {
  SmallPtrSet<const Value *, 16> Seen;
  return isReachedByAccesses(Variable, Seen);
}

/* ---- Instructions permitted to stay ---- */

bool namesSharedMemory(const Value &V, unsigned Depth = 0) {
  if (const auto *Variable = dyn_cast<GlobalVariable>(&V))
    return Variable->getAddressSpace() == 3;
  const auto *Expression = dyn_cast<ConstantExpr>(&V);
  return Expression && Depth < 8 &&
         any_of(Expression->operands(), [&](const Use &U) { return namesSharedMemory(*U, Depth + 1); });
}

bool isInexact(const Instruction &I) {
  const auto *Operation = dyn_cast<FPMathOperator>(&I);
  return Operation &&
         (Operation->hasAllowReassoc() || Operation->hasAllowReciprocal() || Operation->hasApproxFunc());
}

} // namespace

namespace {

std::string objectionTo(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return {};
  if (F.isVarArg())
    return "it takes a variable number of arguments, or calls a function that does";
  for (const Instruction &I : instructions(F)) {
    if (I.getType()->isTokenTy() || (I.isTerminator() && !isPlainTerminator(I)))
      return "its control flow is not plain";
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (mayLeave(*Call))
      return "it calls what may end a thread, or is not known";
    const Function *Callee = Call->getCalledFunction();
    if (std::string Why = Callee && !Callee->isDeclaration() ? objectionTo(*Callee, Seen) : ""; !Why.empty())
      return Why;
  }
  return {};
}

const char *reasonAgainst(const LoadInst &Load) {
  switch (spaceOf(*Load.getPointerOperand())) {
  case Space::Global:
    return "loads from memory that the kernel may write";
  case Space::Shared:
    return "loads from shared memory";
  default:
    return "loads what the kernel has computed";
  }
}

} // namespace

std::string refusalOf(Function &Kernel) {
  SmallPtrSet<const Function *, 8> Seen;
  return Kernel.use_empty() ? objectionTo(Kernel, Seen) : "device code uses its address";
}

CloneSlice::CloneSlice(Function &Clone, FunctionAnalysisManager &Analyses, const OwnVariables &Keep)
    : Clone(Clone), Analyses(Analyses) {
  Loads Classes(Clone, Analyses);
  unsigned Variables = 0;
  for (Instruction &I : instructions(Clone))
    if (auto *Variable = dyn_cast<AllocaInst>(&I)) {
      const unsigned Number = Variables++;
      if (Keep.count(Number))
        Kept.insert(Variable);
      else if (Variable->isStaticAlloca() && isReachedByAccesses(*Variable))
        Offered[Variable] = Number;
    }
  SmallVector<std::pair<Instruction *, const char *>, 32> Out;
  for (Instruction &I : instructions(Clone)) {
    if (asDirectiveCall(I) || I.hasMetadata(KeptCall))
      continue; // becomes counters, or stays
    Own.insert(&I);
    if (const AllocaInst *Filled = filledBy(I); Filled && Kept.contains(Filled))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      const AllocaInst *Variable = variableOf(*Load->getPointerOperand());
      if (Variable && Kept.contains(Variable))
        continue;
      std::vector<PointersApart> Relies;
      const LoadOf Class = Classes.classify(*Load, Relies);
      if (Class == LoadOf::Unknown)
        Out.push_back({&I, reasonAgainst(*Load)});
      else if (Class == LoadOf::Memory)
        MemoryLoads[&I] = std::move(Relies);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand());
      if (isPureCall(*Call) && Asm)
        declarePure(*Call, *Asm);
      else if (!isPureCall(*Call))
        Out.push_back({&I, "the result of a call, of another lane, or of inline assembly"});
    } else if (I.mayHaveSideEffects() && !I.isTerminator()) {
      Out.push_back({&I, "the result of an atomic operation"});
    }
  }
  for (auto [I, Why] : Out) {
    const auto *Load = dyn_cast<LoadInst>(I);
    const auto Variable = Load ? Offered.find(variableOf(*Load->getPointerOperand())) : Offered.end();
    takeOut(*I, Why, Variable == Offered.end() ? std::nullopt : std::optional(Variable->second));
  }
  Analyses.invalidate(Clone, PreservedAnalyses::none());
}

CloneSlice::~CloneSlice() {
  for (const UnknownValue &Value : Unknown)
    if (Value.Source->use_empty())
      Value.Source->eraseFromParent();
}

void CloneSlice::takeOut(Instruction &I, const char *Why, std::optional<unsigned> Variable) {
  Own.erase(&I);
  if (!I.use_empty()) {
    // One function each: no two unknown values are taken for equal.
    auto *F = Function::Create(FunctionType::get(I.getType(), false), GlobalValue::ExternalLinkage,
                               UnknownName, Clone.getParent());
    F->setDoesNotAccessMemory();
    F->setDoesNotThrow();
    F->setWillReturn();
    Unknown.push_back({F, Why, Variable});
    I.replaceAllUsesWith(IRBuilder<>(&I).CreateCall(F));
  }
  I.eraseFromParent();
}

// A thread with a trap ends the launch with an error: no counts of it are needed.
void CloneSlice::skipTraps() {
  for (BasicBlock &BB : Clone) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    for (unsigned Side : {0u, 1u}) {
      BasicBlock *Trap = Branch->getSuccessor(Side);
      if (!isa<UnreachableInst>(Trap->getTerminator()))
        continue;
      Trap->removePredecessor(&BB);
      Own.insert(IRBuilder<>(Branch).CreateBr(Branch->getSuccessor(1 - Side)));
      Own.erase(Branch);
      Branch->eraseFromParent();
      break;
    }
  }
  removeUnreachableBlocks(Clone);
}

std::string CloneSlice::reduce(StringRef Subject) {
  skipTraps();
  Analyses.invalidate(Clone, PreservedAnalyses::none());
  ADCEPass().run(Clone, Analyses);
  Analyses.invalidate(Clone, PreservedAnalyses::none());
  for (const UnknownValue &Value : Unknown)
    if (!Value.Source->use_empty())
      return (Subject + " depends on " + Value.Why).str();
  const std::string Why = objection();
  return Why.empty() ? Why : (Subject + " depends on " + Why).str();
}

OwnVariables CloneSlice::missing() const {
  OwnVariables Missing;
  for (const UnknownValue &Value : Unknown)
    if (!Value.Source->use_empty()) {
      if (!Value.Variable)
        return {};
      Missing.insert(*Value.Variable);
    }
  return Missing;
}

void CloneSlice::addLoad(const Value &Pointer) {
  const PointerOrigins Places =
      originsOf(Pointer, Analyses.getResult<LoopAnalysis>(Clone), Clone.getParent()->getDataLayout());
  if (Places && !Places->empty() && LoadPlaces)
    addPlaces(*LoadPlaces, *Places);
  else
    LoadPlaces = std::nullopt;
}

// The reason if remaining code of the kernel may give other results in a clone.
std::string CloneSlice::objection() {
  constexpr const char *RoundedOtherwise = "floating-point arithmetic that may be rounded in another way";
  // A variable that is not set on every way is a phi with undefined operands. A branch on it has no defined behaviour, unless a
  // freeze chooses a value, which may be another one in the kernel.
  bool IsUndefined = false, IsFrozen = false;
  for (Instruction &I : instructions(Clone)) {
    if (!Own.contains(&I))
      continue;
    ++Left;
    if (auto Load = MemoryLoads.find(&I); Load != MemoryLoads.end()) {
      Reads = true;
      addLoad(*cast<LoadInst>(&I)->getPointerOperand());
      for (const PointersApart &Pair : Load->second)
        if (!is_contained(Apart, Pair))
          Apart.push_back(Pair);
    }
    if (const auto *Variable = dyn_cast<AllocaInst>(&I); Variable && !Kept.contains(Variable))
      return "addresses of local memory";
    if (any_of(I.operands(), [](const Use &U) { return namesSharedMemory(*U); }))
      return "addresses of shared memory";
    IsFrozen |= isa<FreezeInst>(I);
    const bool HasUndefined = any_of(I.operands(), [](const Use &U) { return isa<UndefValue>(U); });
    if (HasUndefined && !isa<InsertElementInst, PHINode>(I))
      return "a value that is not defined";
    IsUndefined |= HasUndefined && isa<PHINode>(I);
    if (isInexact(I))
      return RoundedOtherwise;
  }
  if (IsUndefined && IsFrozen)
    return "a value that is not defined";
  if (mayBeContracted(Clone, [&](const Instruction &I) { return Own.contains(&I); }))
    return RoundedOtherwise;
  auto Key = [](const PointersApart &Pair) {
    return std::tuple(Pair.Read.Parameter, Pair.Read.Offset, Pair.Written.Parameter, Pair.Written.Offset);
  };
  sort(Apart, [&](const PointersApart &A, const PointersApart &B) { return Key(A) < Key(B); });
  return {};
}

/* ---- Cost ---- */

uint64_t CloneSlice::costOf(Function &F, FunctionAnalysisManager &Analyses) {
  constexpr uint64_t LoopFactor = 10, LoadCost = 10;
  constexpr unsigned DeepestLoop = 6;
  LoopInfo &Loops = Analyses.getResult<LoopAnalysis>(F);
  uint64_t Cost = 0;
  for (const BasicBlock &BB : F) {
    uint64_t Weight = 1;
    for (unsigned Depth = std::min(Loops.getLoopDepth(&BB), DeepestLoop); Depth > 0; --Depth)
      Weight *= LoopFactor;
    for (const Instruction &I : BB)
      Cost += Weight * (I.mayReadOrWriteMemory() ? LoadCost : 1);
  }
  return Cost;
}

/* ---- Simplification ---- */

void CloneSlice::simplify() {
  FunctionPassManager First;
  First.addPass(SimplifyCFGPass());
  First.addPass(EarlyCSEPass());
  LoopPassManager Unneeded;
  Unneeded.addPass(LoopDeletionPass());
  First.addPass(createFunctionToLoopPassAdaptor(std::move(Unneeded)));
  Analyses.invalidate(Clone, First.run(Clone, Analyses));
  if (!Analyses.getResult<LoopAnalysis>(Clone).empty()) { // some count still circulates in a loop
    FunctionPassManager Loops;
    Loops.addPass(InstCombinePass());
    LoopPassManager Closed;
    Closed.addPass(IndVarSimplifyPass());
    Closed.addPass(LoopDeletionPass());
    Loops.addPass(createFunctionToLoopPassAdaptor(std::move(Closed)));
    Analyses.invalidate(Clone, Loops.run(Clone, Analyses));
  }
  FunctionPassManager Last;
  Last.addPass(ADCEPass());
  Last.addPass(SimplifyCFGPass());
  Last.addPass(ADCEPass());
  Last.run(Clone, Analyses);
  Analyses.invalidate(Clone, PreservedAnalyses::none());
}

/* ---- Parameters ---- */

namespace {

// False if it has other uses than loads at known places.
bool addPlaces(const Value &Pointer, const Argument &Parameter, const DataLayout &Layout,
               std::vector<CloneRead> &Reads) {
  return all_of(Pointer.users(), [&](const User *U) {
    if (isa<GetElementPtrInst>(U) || isa<AddrSpaceCastInst>(U) || isa<BitCastInst>(U))
      return addPlaces(*U, Parameter, Layout, Reads);
    const auto *Load = dyn_cast<LoadInst>(U);
    if (!Load)
      return false;
    APInt Offset(Layout.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
    if (Load->getPointerOperand()->stripAndAccumulateConstantOffsets(Layout, Offset, true) != &Parameter)
      return false;
    Reads.push_back({Parameter.getArgNo(), Offset.getZExtValue(), Layout.getTypeStoreSize(Load->getType())});
    return true;
  });
}

} // namespace

std::vector<CloneRead> CloneSlice::reads() const {
  const DataLayout &Layout = Clone.getParent()->getDataLayout();
  std::vector<CloneRead> Reads;
  for (const Argument &Parameter : make_range(Clone.arg_begin(), std::prev(Clone.arg_end()))) {
    if (Parameter.use_empty())
      continue;
    std::vector<CloneRead> Places;
    Type *Passed = Parameter.hasByValAttr() ? Parameter.getParamByValType() : Parameter.getType();
    if (!Parameter.hasByValAttr() || !addPlaces(Parameter, Parameter, Layout, Places))
      Places = {{Parameter.getArgNo(), 0, Layout.getTypeStoreSize(Passed)}};
    auto Key = [](const CloneRead &R) { return std::pair(R.Offset, R.Bytes); };
    sort(Places, [&](const CloneRead &A, const CloneRead &B) { return Key(A) < Key(B); });
    Places.erase(std::unique(Places.begin(), Places.end(),
                             [&](const CloneRead &A, const CloneRead &B) { return Key(A) == Key(B); }),
                 Places.end());
    Reads.insert(Reads.end(), Places.begin(), Places.end());
  }
  return Reads;
}

} // namespace gpuprof
