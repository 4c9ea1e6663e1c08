// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/WorkItemLoops.h"
#include "module/AssignmentIds.h"
#include "module/GlobalAccesses.h"
#include "module/Lowering.h"
#include "module/SourceLocations.h"
#include "workitem/BlockCounts.h"
#include "workitem/ConvergentOps.h"
#include "workitem/LaneTable.h"
#include "workitem/LoopPreparation.h"
#include "workitem/LowerConvergentOps.h"
#include "workitem/MatrixRuns.h"
#include "workitem/MergedBlocks.h"
#include "workitem/ParallelLoops.h"
#include "workitem/ParallelRegions.h"
#include "workitem/ThreadArray.h"
#include "workitem/ThreadState.h"
#include "workitem/WarpRuns.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#define DEBUG_TYPE "gpuprof-cpu-work-item-loops"

using namespace llvm;

STATISTIC(KernelsInLoops, "Number of kernels that became loops over threads");
STATISTIC(RegionsInLoops, "Number of parallel regions");

namespace gpuprof::cpu {
namespace {
// Limit for a thread's values kept across cuts. The emulator gives a block a stack of
// GP_CPU_BLOCK_STACK_BYTES.
constexpr uint64_t MostBytesOfThread = 16 * 1024;
// Arrays beginning at equal offsets in a page would share few cache lines.
constexpr unsigned ConflictPadding = 16;
// A value of at most so many operations is computed again instead of kept.
constexpr unsigned CheapDepth = 6;

// Each convergent operation, or run of matrix instructions or of shuffles, becomes the beginning of a block.
void isolateConvergentOps(Function &F, const WarpRuns &Runs) {
  SmallVector<Instruction *> Found;
  for (Instruction &I : instructions(F))
    if (convergentOp(I) != ConvergentOp::None && !continuesRun(I) && !Runs.continues(I))
      Found.push_back(&I);
  for (Instruction *I : Found)
    SplitBlock(I->getParent(), I);
}

// Each variable becomes an element of an array; the array's elements are live together.
void dropLifetimes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isa<LifetimeIntrinsic>(I))
      I.eraseFromParent();
}

void mergeReturns(Function &F) {
  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
      Returns.push_back(Return);
  if (Returns.size() < 2)
    return;
  BasicBlock *Common = BasicBlock::Create(F.getContext(), "return", &F);
  ReturnInst::Create(F.getContext(), Common);
  for (ReturnInst *Return : Returns) {
    IRBuilder<>(Return).CreateBr(Common);
    Return->eraseFromParent();
  }
}

void promoteVariables(Function &F, const BlockCounts &Counts) {
  SmallVector<AllocaInst *> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A) && !Counts.isVariable(A))
      Variables.push_back(A);
  DominatorTree Dominators(F);
  PromoteMemToReg(Variables, Dominators);
}

class LoopFormation {
public:
  LoopFormation(Lowering &L, Kernel &K, ParallelRegions &Regions, const ThreadVariation &Variations,
                BlockCounts &Counts, const WarpRuns &Runs)
      : L(L), K(K), F(*K.Body), C(F.getContext()), Regions(Regions), Variations(Variations), Counts(Counts),
        Runs(Runs) {}
  void run();
  SmallVector<LoopNest> loops() const;
  std::vector<InnerLoop> innerLoops();

private:
  void makeSetup();
  void makeExit(ParallelRegion &R);
  void makeLoop(ParallelRegion &R);
  void makeDivergentRegions();
  void keepPosition(ParallelRegion &R);
  void hoistState();
  bool sharesArray(const PHINode &Phi) const;
  void lowerPhis(ParallelRegion &R);
  void lowerEntryOp(ParallelRegion &R);
  void lowerMatrices(const ConvergentSite &Site, CallInst &First);
  void lowerRun(const ConvergentSite &Site, ParallelRegion &R, ArrayRef<Instruction *> Run);
  void shareLanes(ParallelRegion &R, AllocaInst *Array);
  void lowerUses();
  void bury(Instruction &I);
  void close(ParallelRegion &R);
  void leave(ParallelRegion &R);
  void storeMembership(ParallelRegion &R, DivergentRegion &D);
  Value *storeRange(ParallelRegion &R, DivergentRegion &D, IRBuilder<> &B);
  Value *alive(const DivergentRegion &D, IRBuilder<> &B);
  void enter(DivergentRegion &D, BasicBlock *At, BasicBlock *Inside);
  Value *whole(Value *V, IRBuilder<> &B);
  void markParallel(ParallelRegion &R);

  bool differs(const Value *V) const {
    return Given.contains(V) ? !Variations.isUniform(V) : !Alike.contains(V);
  }
  bool isOutside(const Value *V) const;
  bool isCheap(const Value *V, unsigned Depth) const;
  Value *here(ParallelRegion &R, Value *V);
  Value *computeHere(ParallelRegion &R, Instruction &I);
  Value *position(ParallelRegion &R, Field Which);
  AllocaInst *array(Type *T);
  AllocaInst *variables(const AllocaInst &Variable);
  AllocaInst *elements(Value *V);
  AllocaInst *single(Value *V);
  ParallelRegion *regionOfUse(const Use &U) const;
  Instruction *startOfTurn(ParallelRegion &R) { return Loops[&R].First->getTerminator(); }

  Lowering &L;
  Kernel &K;
  Function &F;
  LLVMContext &C;
  ParallelRegions &Regions;
  const ThreadVariation &Variations;
  BlockCounts &Counts;
  const WarpRuns &Runs;
  BasicBlock *Setup = nullptr;
  SmallSetVector<Instruction *, 4> Variables; // private to each thread
  Value *Sizes[3] = {};                       // z, y, x
  Value *Threads = nullptr;
  DenseMap<ParallelRegion *, LoopNest> Loops;
  DenseMap<DivergentRegion *, Constant *> Places;  // of the warp operation in it
  DenseSet<AllocaInst *> Shuffled;                 // arrays in which threads read one another's elements
  DenseMap<Value *, AllocaInst *> Arrays, Singles; // the array or memory of a kept value
  DenseMap<const Value *, Field> Positions;        // this pass's values of thread and block indices
  DenseSet<const Value *> Given;                   // the kernel's own instructions
  DenseSet<const Value *> Alike;                   // uniform values of this pass
  DenseMap<std::pair<ParallelRegion *, Value *>, Value *>
      Known;                           // values of other parallel regions, loaded in a parallel region
  SmallVector<Instruction *> Dead;     // kept until the end: the tables above contain their addresses
  MapVector<unsigned, Value *> Fields; // uniform fields of the state
};

Instruction *behind(Value *V) {
  auto *I = cast<Instruction>(V);
  return isa<PHINode>(I) ? &*I->getParent()->getFirstInsertionPt() : I->getNextNode();
}

// The first block: variables, and the sizes.
void LoopFormation::makeSetup() {
  BasicBlock *Old = &F.getEntryBlock();
  Setup = BasicBlock::Create(C, "setup", &F, Old);
  Instruction *End = BranchInst::Create(Old, Setup);
  for (Instruction &I : *Old)
    if (isa<AllocaInst>(I) && !Counts.isVariable(&I))
      Variables.insert(&I);
  Counts.leaveThreads(*Setup);
  for (Instruction *I : Variables) {
    I->removeFromParent();
    I->insertInto(Setup, End->getIterator());
  }
  constexpr Field Names[] = {Field::ntid_z, Field::ntid_y, Field::ntid_x};
  IRBuilder<> B(End);
  for (unsigned N = 0; N != 3; ++N)
    Sizes[N] = L.load(B, Names[N]);
  if (K.MergesBlocks)
    Sizes[2] = B.CreateMul(Sizes[2], L.load(B, Field::merged_blocks), "", true, true);
  Threads = B.CreateMul(Sizes[0], B.CreateMul(Sizes[1], Sizes[2]), "threads");
}

// All edges to the next parallel region meet in a block of their own.
void LoopFormation::makeExit(ParallelRegion &R) {
  if (R.Exit)
    return;
  SmallSetVector<BasicBlock *, 4> From;
  for (BasicBlock *Before : predecessors(R.Next))
    if (Regions.of(Before) == &R)
      From.insert(Before);
  R.Exit = SplitBlockPredecessors(R.Next, From.getArrayRef(), ".out");
  Regions.adopt(R, R.Exit);
}

// The loop of a parallel region, not yet connected to its predecessor and successor.
void LoopFormation::makeLoop(ParallelRegion &R) {
  BasicBlock *Head = BasicBlock::Create(C, "threads", &F, R.Entry);
  IRBuilder<> B(Head);
  LoopNestBounds Bounds;
  Value *Turns = Threads;
  for (unsigned N = 0; N != 3; ++N) {
    Bounds.Sizes[N] = Bounds.Counts[N] = Sizes[N];
    if (R.In && R.In->Count[N]) {
      Bounds.Counts[N] = B.CreateLoad(B.getInt32Ty(), R.In->Count[N]);
      Bounds.Lowest[N] = B.CreateLoad(B.getInt32Ty(), R.In->Low[N]);
    }
  }
  if (R.In && !R.In->Range.empty())
    Turns = B.CreateMul(Bounds.Counts[2], B.CreateMul(Bounds.Counts[0], Bounds.Counts[1]));
  Turns = B.CreateZExt(Turns, B.getInt64Ty());
  if (const RangeTerm *Term = R.In ? termApart(R.In->Range) : nullptr)
    Bounds.Apart = Term->Apart;
  LoopNest &Loop = Loops[&R] = makeLoopNest(B, Bounds, *R.Entry);
  Loop.Turns = Turns;
  Regions.adopt(R, Loop.Head);
  Regions.adopt(R, Loop.First);
}

// The masks and ranges of divergent regions.
void LoopFormation::makeDivergentRegions() {
  for (std::unique_ptr<DivergentRegion> &D : Regions.Divergent) {
    IRBuilder<> B(&*Setup->begin());
    if (D->Range.empty()) {
      D->Any = B.CreateAlloca(B.getInt8Ty());
    } else {
      for (unsigned N = 0; N != 3; ++N)
        if (N == AlongX || isBounded(*D, N)) {
          D->Low[N] = B.CreateAlloca(B.getInt32Ty());
          D->Count[N] = B.CreateAlloca(B.getInt32Ty());
        }
    }
    if (D->Range.empty() || D->WarpOp || D->MaskIsRead)
      D->Mask = array(B.getInt8Ty());
    if (D->WarpOp) {
      D->Parted = B.CreateAlloca(B.getPtrTy());
      Places[D.get()] = L.text(placeOf(D->WarpOp->getDebugLoc()));
    }
  }
}

// Called functions and the emulator's messages read the thread's position from its state.
void LoopFormation::keepPosition(ParallelRegion &R) {
  IRBuilder<> B(startOfTurn(R));
  for (Field Which : {Field::tid_x, Field::tid_y, Field::tid_z, Field::laneid, Field::warpid})
    B.CreateStore(position(R, Which),
                  B.CreateStructGEP(L.ThreadType, F.getArg(0), static_cast<unsigned>(Which)));
}

Value *LoopFormation::position(ParallelRegion &R, Field Which) {
  const LoopNest &Loop = Loops[&R];
  IRBuilder<> B(startOfTurn(R));
  Value *V = Which == Field::tid_x    ? Loop.Position[2]
             : Which == Field::tid_y  ? Loop.Position[1]
             : Which == Field::tid_z  ? Loop.Position[0]
             : Which == Field::laneid ? B.CreateAnd(Loop.Linear, 31)
                                      : B.CreateLShr(Loop.Linear, 5);
  Positions[V] = Which;
  return V;
}

AllocaInst *LoopFormation::array(Type *T) {
  IRBuilder<> B(&*Setup->begin());
  const unsigned Most = K.MaximumThreads ? K.MaximumThreads : MostThreads;
  return B.CreateAlloca(ArrayType::get(T, ArrayPadding + Most + ArrayPadding + ConflictPadding));
}

// An array of a variable, one element a thread, with the original alignment. The type alone may be aligned
// less, and its size need not be a multiple.
AllocaInst *LoopFormation::variables(const AllocaInst &Variable) {
  Type *T = Variable.getAllocatedType();
  const Align Wanted = Variable.getAlign();
  const uint64_t Bytes = F.getParent()->getDataLayout().getTypeAllocSize(T);
  if (const uint64_t Padding = alignTo(Bytes, Wanted) - Bytes)
    T = StructType::get(T, ArrayType::get(Type::getInt8Ty(T->getContext()), Padding));
  AllocaInst *Array = array(T);
  Array->setAlignment(std::max(Array->getAlign(), Wanted));
  return Array;
}

// The array of a thread's value, stored right behind its definition. A shuffle moves the bits of a float as an integer:
// both are one array.
AllocaInst *LoopFormation::elements(Value *V) {
  if (const auto *Bits = dyn_cast<BitCastInst>(V); Bits && !Arrays.count(V)) {
    Value *Of = Bits->getOperand(0);
    const TypeSize Size = L.M.getDataLayout().getTypeAllocSize(V->getType());
    if (isa<Instruction>(Of) && !isOutside(Of) && differs(Of) && L.M.getDataLayout().getTypeAllocSize(Of->getType()) == Size)
      return elements(Of);
  }
  AllocaInst *&Array = Arrays[V];
  if (!Array) {
    Array = array(V->getType());
    IRBuilder<> B(behind(V));
    B.CreateStore(V, elementOf(B, Array, Loops[Regions.of(cast<Instruction>(V)->getParent())].Index));
  }
  return Array;
}

// The memory of a uniform value.
AllocaInst *LoopFormation::single(Value *V) {
  AllocaInst *&Memory = Singles[V];
  if (!Memory) {
    Memory = IRBuilder<>(&*Setup->begin()).CreateAlloca(V->getType());
    IRBuilder<>(behind(V)).CreateStore(V, Memory);
  }
  return Memory;
}

// True if the value is available unchanged in all parallel regions.
bool LoopFormation::isOutside(const Value *V) const {
  auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(V));
  return !I || (I->getParent() == Setup && !Variables.contains(I));
}

bool LoopFormation::isCheap(const Value *V, unsigned Depth) const {
  if (isOutside(V) || Variables.contains(const_cast<Instruction *>(cast<Instruction>(V))) || !differs(V))
    return true;
  const auto *I = cast<Instruction>(V);
  if (stateLoad(*I, *F.getArg(0)).Is || Positions.count(I))
    return true;
  if (!Depth ||
      (!isa<BinaryOperator>(I) && !isa<CastInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ICmpInst>(I)) ||
      I->isIntDivRem() || !(I->getType()->isIntOrPtrTy()))
    return false;
  return all_of(I->operands(), [&](const Use &U) { return isCheap(U, Depth - 1); });
}

// The running thread's value in a parallel region.
Value *LoopFormation::here(ParallelRegion &R, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (isOutside(V) || (I->getParent() != Setup && Regions.of(I->getParent()) == &R))
    return V;
  if (Value *Old = Known.lookup({&R, V}))
    return Old;
  Value *Result = computeHere(R, *I);
  if (!differs(V))
    Alike.insert(Result);
  Known[{&R, V}] = Result;
  return Result;
}

Value *LoopFormation::computeHere(ParallelRegion &R, Instruction &I) {
  if (const StateLoad Of = stateLoad(I, *F.getArg(0)); Of.Is)
    return position(R, Of.Which);
  if (auto Of = Positions.find(&I); Of != Positions.end()) // in another parallel region
    return position(R, Of->second);
  if (Variables.contains(&I)) { // a variable of its own for each thread
    AllocaInst *&Array = Arrays[&I];
    if (!Array)
      Array = variables(cast<AllocaInst>(I));
    IRBuilder<> B(startOfTurn(R));
    return elementOf(B, Array, Loops[&R].Index);
  }
  if (!differs(&I))
    return IRBuilder<>(Loops[&R].Head->getTerminator()).CreateLoad(I.getType(), single(&I));
  if (isCheap(&I, CheapDepth)) {
    Instruction *Again = I.clone();
    for (Use &U : Again->operands())
      U = here(R, U);
    IRBuilder<>(startOfTurn(R)).Insert(Again);
    Again->setDebugLoc(DebugLoc());
    return Again;
  }
  AllocaInst *Array = elements(&I);
  IRBuilder<> B(startOfTurn(R));
  Value *Element = B.CreateLoad(I.getType(), elementOf(B, Array, Loops[&R].Index));
  return Element;
}

// Reads of the thread's state are hoisted to once a block if uniform.
void LoopFormation::hoistState() {
  SmallVector<std::pair<Instruction *, Field>> Found;
  for (Instruction &I : instructions(F))
    if (const StateLoad Of = stateLoad(I, *F.getArg(0));
        Of.Is && !variesByThread(Of.Which) && I.getParent() != Setup)
      Found.push_back({&I, Of.Which});
  for (auto [I, Which] : Found) {
    Value *&Once = Fields[static_cast<unsigned>(Which)];
    IRBuilder<> B(Setup->getTerminator());
    if (!Once)
      Once = L.load(B, Which);
    I->replaceAllUsesWith(Once);
    Dead.push_back(I);
  }
}

// True if the array that a phi's values come in can also hold the phi's value for other parallel regions: a thread
// stores the next value in front of the phi's region, so the old one must not be used behind another edge of that
// branch, nor by other threads.
bool LoopFormation::sharesArray(const PHINode &Phi) const {
  const auto IsOfThread = [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return !isa<BitCastInst>(I) && convergentOp(*I) == ConvergentOp::None && !Runs.continues(*I);
  };
  if (!all_of(Phi.users(), IsOfThread))
    return false;
  const BasicBlock *Own = Phi.getParent();
  SmallPtrSet<const BasicBlock *, 16> Seen{Own};
  SmallVector<const BasicBlock *> Work;
  auto Reach = [&](const BasicBlock *From) {
    for (const BasicBlock *To : successors(From))
      if (Seen.insert(To).second)
        Work.push_back(To);
  };
  for (const BasicBlock *From : Phi.blocks())
    Reach(From);
  while (!Work.empty())
    Reach(Work.pop_back_val());
  Seen.erase(Own);
  return none_of(Phi.uses(), [&](const Use &U) {
    const auto *User = cast<Instruction>(U.getUser());
    const auto *Of = dyn_cast<PHINode>(User);
    return Seen.contains(Of ? Of->getIncomingBlock(U) : User->getParent());
  });
}

// A value from one of several parallel regions is stored to memory by each of them.
void LoopFormation::lowerPhis(ParallelRegion &R) {
  const LoopNest &Loop = Loops[&R];
  for (PHINode &Phi : R.Entry->phis()) {
    const bool Differs = differs(&Phi), IsShared = Differs && sharesArray(Phi);
    AllocaInst *Memory =
        Differs ? array(Phi.getType()) : IRBuilder<>(&*Setup->begin()).CreateAlloca(Phi.getType());
    auto Address = [&](IRBuilder<> &B, ParallelRegion &Of) {
      return Differs ? elementOf(B, Memory, Loops[&Of].Index) : Memory;
    };
    SmallPtrSet<BasicBlock *, 4> Stored;
    for (unsigned N = 0; N != Phi.getNumIncomingValues(); ++N)
      if (BasicBlock *From = Phi.getIncomingBlock(N); Stored.insert(From).second) {
        assert(Regions.of(From) && "an operand of a phi that belongs to no region");
        IRBuilder<> B(From->getTerminator());
        B.CreateStore(Phi.getIncomingValue(N), Address(B, *Regions.of(From)));
      }
    IRBuilder<> B(Differs ? Loop.First->getTerminator() : Loop.Head->getTerminator());
    Value *Now = B.CreateLoad(Phi.getType(), Address(B, R));
    if (!Differs)
      Alike.insert(Now);
    if (IsShared)
      Arrays[Now] = Memory;
    Phi.replaceAllUsesWith(Now);
    Dead.push_back(&Phi);
  }
}

// Missing lanes read as 0.
void LoopFormation::shareLanes(ParallelRegion &R, AllocaInst *Array) {
  if (R.In)
    R.In->Shuffled.insert(Array);
  if (!Shuffled.insert(Array).second)
    return;
  IRBuilder<> B(Setup->getTerminator());
  Type *T = Array->getAllocatedType()->getArrayElementType();
  B.CreateMemSet(elementOf(B, Array, B.CreateZExt(Threads, B.getInt64Ty())), B.getInt8(0),
                 ArrayPadding * F.getParent()->getDataLayout().getTypeAllocSize(T), Align(1));
}

void LoopFormation::lowerEntryOp(ParallelRegion &R) {
  const ConvergentOp Kind = convergentOp(R.Entry->front());
  if (Kind == ConvergentOp::None)
    return;
  auto &I = cast<CallInst>(R.Entry->front());
  IRBuilder<> B(Loops[&R].Head->getTerminator());
  if (isForCluster(I)) // once all threads of this block have arrived
    B.CreateCall(L.entry("__gpuprof_cpu_cluster_wait"), {F.getArg(0)});
  Value *Mask = nullptr;
  if (R.In && isFullWarp(I))
    Mask = B.CreateLoad(B.getPtrTy(), R.In->Parted);
  else if (R.In && Kind != ConvergentOp::Barrier)
    Mask = elementOf(B, R.In->Mask, B.getInt64(0));
  const ArrayRef<Instruction *> Run = Runs.of(I);
  ConvergentSite Site{L,
                      Loops[&R],
                      Threads,
                      Mask,
                      R.In ? alive(*R.In, B) : nullptr,
                      R.In && R.In->EndsAtReturn,
                      Kind == ConvergentOp::Barrier ? nullptr : L.text(placeOf(I.getDebugLoc())),
                      [&](Value *V) {
                        AllocaInst *Array = isOutside(V) || !differs(V) ? nullptr : elements(V);
                        if (Array && Kind == ConvergentOp::Shuffle && Run.empty())
                          shareLanes(R, Array);
                        return Array;
                      },
                      [&](Type *T) { return array(T); },
                      [&](Value *V) { return here(R, V); }};
  if (Kind == ConvergentOp::Matrix) {
    lowerMatrices(Site, I);
    return;
  }
  if (!Run.empty()) {
    lowerRun(Site, R, Run);
    return;
  }
  Value *Result = lowerConvergentOp(Site, I);
  if (Result) {
    if (Kind == ConvergentOp::BarrierReduce)
      Alike.insert(Result);
    I.replaceAllUsesWith(Result);
  }
  Dead.push_back(&I);
}

void LoopFormation::lowerMatrices(const ConvergentSite &Site, CallInst &First) {
  for (CallInst *I : runOf(First)) {
    const SmallVector<MatrixResult> Results = lowerMatrix(Site, *I);
    for (const MatrixResult &Given : Results)
      Arrays[Given.Value] = Given.Array;
    for (User *U : make_early_inc_range(I->users())) {
      auto *Register = cast<ExtractValueInst>(U);
      Register->replaceAllUsesWith(Results[Register->getIndices()[0]].Value);
      Dead.push_back(Register);
    }
    Dead.push_back(I);
  }
}

void LoopFormation::lowerRun(const ConvergentSite &Site, ParallelRegion &R, ArrayRef<Instruction *> Run) {
  IRBuilder<> B(Loops[&R].Head->getTerminator());
  const bool IsRange = R.In && !R.In->Range.empty();
  auto Differs = [&](const Value *V) { return !isOutside(V) && differs(V); };
  const WarpRunSite Block{*F.getArg(0),
                          {Sizes[0], Sizes[1], Sizes[2]},
                          IsRange ? B.CreateLoad(B.getInt32Ty(), R.In->Low[AlongX]) : nullptr,
                          IsRange ? B.CreateLoad(B.getInt32Ty(), R.In->Count[AlongX]) : nullptr,
                          Differs};
  for (const WarpResult &Result : lowerWarpRun(Site, Block, Run)) {
    if (isa<LoadInst>(Result.Value))
      Arrays[Result.Value] = Result.Array;
    Result.Of->replaceAllUsesWith(Result.Value);
  }
  Dead.append(Run.begin(), Run.end());
}

ParallelRegion *LoopFormation::regionOfUse(const Use &U) const {
  const auto *User = cast<Instruction>(U.getUser());
  if (const auto *Phi = dyn_cast<PHINode>(User))
    return Regions.of(Phi->getIncomingBlock(U));
  return Regions.of(User->getParent());
}

void LoopFormation::lowerUses() {
  SmallVector<Instruction *> Values;
  for (Instruction &I : instructions(F))
    if (!I.getType()->isVoidTy() && (Regions.of(I.getParent()) || Variables.contains(&I)))
      Values.push_back(&I);
  for (Instruction *I : Values) {
    ParallelRegion *Own = Regions.of(I->getParent());
    SmallVector<Use *> Across;
    for (Use &U : I->uses())
      if (ParallelRegion *At = regionOfUse(U); At && At != Own)
        Across.push_back(&U);
    for (Use *U : Across)
      U->set(here(*regionOfUse(*U), I));
  }
  for (Instruction *I : Values)
    if (const StateLoad Of = stateLoad(*I, *F.getArg(0)); Of.Is) {
      I->replaceAllUsesWith(position(*Regions.of(I->getParent()), Of.Which));
      bury(*I);
    }
}

// Stores at the end of each iteration if the thread is inside the divergent region beginning here.
void LoopFormation::storeMembership(ParallelRegion &R, DivergentRegion &D) {
  const LoopNest &Loop = Loops[&R];
  IRBuilder<> B(R.Exit->getTerminator());
  Value *Condition = cast<BranchInst>(R.Exit->getTerminator())->getCondition();
  Value *Inside = B.CreateZExt(D.OnTrue ? Condition : B.CreateNot(Condition), B.getInt8Ty());
  B.SetInsertPoint(&*Loop.Latch->begin());
  PHINode *Mark = B.CreatePHI(B.getInt8Ty(), 2);
  Mark->addIncoming(Inside, R.Exit);
  if (R.In && R.In->Range.empty())
    Mark->addIncoming(B.getInt8(0), Loop.First);
  B.CreateStore(Mark, elementOf(B, D.Mask, Loop.Index));
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt8Ty(), D.Any), Mark), D.Any);
  B.SetInsertPoint(Loop.Head->getTerminator());
  B.CreateStore(B.getInt8(0), D.Any);
  if (R.In && !R.In->Range.empty()) // the loop runs for some of the threads
    B.CreateMemSet(elementOf(B, D.Mask, B.getInt64(0)), B.getInt8(0), B.CreateZExt(Threads, B.getInt64Ty()),
                   Align(1));
}

// A uniform value, behind the last iteration.
Value *LoopFormation::whole(Value *V, IRBuilder<> &B) {
  return isOutside(V) ? V : B.CreateLoad(V->getType(), single(V));
}

// Stores the ranges of threads inside the divergent region beginning here; returns the test for non-empty ones.
Value *LoopFormation::storeRange(ParallelRegion &R, DivergentRegion &D, IRBuilder<> &B) {
  auto Wide = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  Value *Some = B.getTrue();
  for (unsigned N = 0; N != 3; ++N) {
    if (!D.Count[N])
      continue;
    RangeBounds Inside{B.getInt64(0), Wide(Sizes[N])};
    if (R.In && R.In->Count[N]) {
      Inside.Low = Wide(B.CreateLoad(B.getInt32Ty(), R.In->Low[N]));
      Inside.High = B.CreateAdd(Inside.Low, Wide(B.CreateLoad(B.getInt32Ty(), R.In->Count[N])));
    }
    for (const RangeTerm &Term : D.Range)
      if (Term.Along == N)
        Inside = narrow(B, Inside, Term, Term.Apart > 1 ? nullptr : whole(Term.Bound, B));
    Value *Count = B.CreateSub(Inside.High, Inside.Low);
    if (const RangeTerm *Term =
            N == AlongX ? termApart(D.Range) : nullptr) { // from the first thread with this rest on
      Value *Last = B.getInt64(Term->Apart - 1);
      Value *First = B.CreateAnd(B.CreateSub(B.getInt64(Term->Rest), Inside.Low), Last);
      Inside.Low = B.CreateAdd(Inside.Low, First);
      Count = B.CreateAShr(B.CreateAdd(B.CreateSub(Inside.High, Inside.Low), Last), Log2_32(Term->Apart));
    }
    B.CreateStore(B.CreateTrunc(Inside.Low, B.getInt32Ty()), D.Low[N]);
    B.CreateStore(B.CreateTrunc(Count, B.getInt32Ty()), D.Count[N]);
    Some = B.CreateAnd(Some, B.CreateICmpSGT(Count, B.getInt64(0)));
  }
  return Some;
}

// The mask of threads not yet returned at the start of a divergent region.
Value *LoopFormation::alive(const DivergentRegion &D, IRBuilder<> &B) {
  return D.Alive ? elementOf(B, D.Alive->Mask, B.getInt64(0)) : ConstantPointerNull::get(B.getPtrTy());
}

// Entry to a divergent region with warp operations: each warp enters as a whole, or not at all. This is
// checked, unless the other threads have returned; these then yield 0.
void LoopFormation::enter(DivergentRegion &D, BasicBlock *At, BasicBlock *Inside) {
  IRBuilder<> B(At);
  Value *Mask = D.Mask ? elementOf(B, D.Mask, B.getInt64(0)) : nullptr, *Low = nullptr, *Count = nullptr;
  if (D.Mask && !D.Range.empty()) {
    assert(!D.Count[0] && !D.Count[1] && "a mask of a range along x");
    Low = B.CreateLoad(B.getInt32Ty(), D.Low[AlongX]);
    Count = B.CreateLoad(B.getInt32Ty(), D.Count[AlongX]);
  }
  auto FillMask = [&] {
    B.CreateCall(L.entry("__gpuprof_cpu_range_mask"), {Mask, Low, Count, Sizes[2], Threads});
  };
  if (D.MaskIsRead && Low)
    FillMask();
  if (!D.WarpOp) {
    B.CreateBr(Inside);
    return;
  }
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), D.Parted);
  if (Low) {
    Value *High = B.CreateAdd(Low, Count), *Row = Sizes[2];
    auto IsWhole = [&](Value *V) { return B.CreateICmpEQ(B.CreateAnd(V, 31), B.getInt32(0)); };
    Value *Even = B.CreateOr(IsWhole(Row), B.CreateICmpEQ(Row, Threads));
    Even = B.CreateAnd(Even, B.CreateAnd(IsWhole(Low), B.CreateOr(IsWhole(High), B.CreateICmpEQ(High, Row))));
    BasicBlock *Odd = BasicBlock::Create(C, "odd", &F, Inside);
    B.CreateCondBr(Even, Inside, Odd);
    B.SetInsertPoint(Odd);
    if (!D.MaskIsRead)
      FillMask();
  }
  Value *Parted = B.CreateCall(L.entry("__gpuprof_cpu_parted_warps"),
                               {Mask, alive(D, B), Threads, B.getInt32(D.EndsAtReturn), Places[&D]});
  BasicBlock *Apart = BasicBlock::Create(C, "parted", &F, Inside);
  B.CreateCondBr(B.CreateICmpNE(Parted, B.getInt32(0)), Apart, Inside);
  B.SetInsertPoint(Apart);
  B.CreateStore(Mask, D.Parted);
  for (AllocaInst *Array : D.Shuffled) {
    const uint64_t Bytes =
        F.getParent()->getDataLayout().getTypeAllocSize(Array->getAllocatedType()->getArrayElementType());
    B.CreateCall(
        L.entry("__gpuprof_cpu_clear_others"),
        {elementOf(B, Array, B.getInt64(0)), B.getInt32(static_cast<uint32_t>(Bytes)), Mask, Threads});
  }
  B.CreateBr(Inside);
}

// Branches to the block's continuation behind the region's last iteration.
void LoopFormation::leave(ParallelRegion &R) {
  const LoopNest &Loop = Loops[&R];
  IRBuilder<> B(Loop.Done);
  auto HeadOf = [&](BasicBlock *Entry) { return Loops[Regions.of(Entry)].Head; };
  Instruction *End = R.Exit->getTerminator();
  if (DivergentRegion *D = Regions.divergentAt(R.Exit)) {
    BasicBlock *Enter = BasicBlock::Create(C, "enter", &F, HeadOf(D->Inside));
    Value *Any = nullptr;
    if (D->Range.empty()) {
      storeMembership(R, *D);
      Any = B.CreateICmpNE(B.CreateLoad(B.getInt8Ty(), D->Any), B.getInt8(0));
    } else {
      Any = storeRange(R, *D, B);
    }
    B.CreateCondBr(Any, Enter, HeadOf(D->Join));
    enter(*D, Enter, HeadOf(D->Inside));
  } else {
    Instruction *Copy = End->clone();
    Copy->insertInto(Loop.Done, Loop.Done->end());
    if (End->getNumSuccessors() > 1) {
      B.SetInsertPoint(Copy);
      Copy->setOperand(0, whole(End->getOperand(0), B));
    }
    for (unsigned N = 0; N != Copy->getNumSuccessors(); ++N)
      Copy->setSuccessor(N, HeadOf(Copy->getSuccessor(N)));
  }
  IRBuilder<>(End).CreateBr(Loop.Latch);
  End->eraseFromParent();
}

// Joins the loop to its parallel region.
void LoopFormation::close(ParallelRegion &R) {
  leave(R);
  if (!R.In || !R.In->Range.empty())
    return;
  LoopNest &Loop = Loops[&R];
  Instruction *End = Loop.First->getTerminator();
  IRBuilder<> B(End);
  Value *Inside = B.CreateLoad(B.getInt8Ty(), elementOf(B, R.In->Mask, Loop.Index));
  B.CreateCondBr(B.CreateICmpNE(Inside, B.getInt8(0)), R.Entry, Loop.Latch);
  End->eraseFromParent();
}

// Unlinks the instruction without deleting it: a new value at its address would be mistaken for it.
void LoopFormation::bury(Instruction &I) {
  I.removeFromParent();
  I.dropAllReferences();
  Dead.push_back(&I);
}

void LoopFormation::run() {
  makeSetup();
  for (Instruction &I : instructions(F))
    Given.insert(&I);
  for (std::unique_ptr<ParallelRegion> &R : Regions.All)
    makeExit(*R);
  makeDivergentRegions();
  for (std::unique_ptr<ParallelRegion> &R : Regions.All)
    makeLoop(*R);
  hoistState();
  for (std::unique_ptr<ParallelRegion> &R : Regions.All)
    lowerPhis(*R);
  for (std::unique_ptr<ParallelRegion> &R : Regions.All)
    lowerEntryOp(*R);
  for (Instruction *I : SmallVector<Instruction *>(std::exchange(Dead, {})))
    bury(*I);
  lowerUses();
  const bool Asked = L.asksForState(F);
  for (std::unique_ptr<ParallelRegion> &R : Regions.All) {
    if (Asked)
      keepPosition(*R);
    close(*R);
  }
  Setup->getTerminator()->setSuccessor(0, Loops[Regions.All.front().get()].Head);
  for (std::unique_ptr<ParallelRegion> &R : Regions.All)
    markParallelLoop(*Loops[R.get()].Latch->getTerminator(), R->Blocks.getArrayRef(), Regions.All.size() > 1);
  for (Instruction *I : Dead) {
    assert(I->use_empty() && "a value that was taken out is still used");
    I->deleteValue();
  }
}

std::vector<InnerLoop> LoopFormation::innerLoops() {
  std::vector<InnerLoop> Found;
  for (std::unique_ptr<ParallelRegion> &R : Regions.All) {
    const LoopNest &Loop = Loops[R.get()];
    Found.push_back({Loop.Counter[0]->getParent(), Loop.Counter[1], Loop.Position[1], Loop.Count[1],
                     Loop.Counter[1]->getParent(), Loop.First, Loop.Counter[2], Loop.Count[2],
                     R->In && holdForFew(R->In->Range)});
  }
  return Found;
}

SmallVector<LoopNest> LoopFormation::loops() const {
  SmallVector<LoopNest> All;
  for (const std::unique_ptr<ParallelRegion> &R : Regions.All)
    All.push_back(Loops.lookup(R.get()));
  return All;
}

bool hasVariables(const Function &F, const BlockCounts &Counts) {
  return any_of(F.getEntryBlock(), [&](const Instruction &I) { return isa<AllocaInst>(I) && !Counts.isVariable(&I); });
}

bool fitsStack(Function &F) {
  uint64_t Bytes = 0;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Bytes += F.getParent()->getDataLayout().getTypeAllocSize(A->getAllocatedType()) *
               cast<ConstantInt>(A->getArraySize())->getZExtValue();
  return Bytes <= MostBytesOfThread;
}

// The twin for one thread, for schedules exposing races. It is compiled as quickly as possible: the device's
// optimiser has processed it already.
Function *copyForOneThread(Lowering &L, Kernel &K) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(K.Body, Map);
  Copy->setName(K.Body->getName() + ".one");
  renewAssignmentIds(*Copy);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->removeFnAttr(Attribute::AlwaysInline);
  for (Attribute::AttrKind Kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::Cold})
    Copy->addFnAttr(Kind);
  L.setThread(*Copy, Copy->getArg(0));
  for (Argument &A : K.Body->args())
    if (L.ParameterPointers.contains(&A))
      L.ParameterPointers.insert(Copy->getArg(A.getArgNo()));
  return Copy;
}
} // namespace

static std::vector<InnerLoop> formLoops(Lowering &L, Kernel &K) {
  Function &F = *K.Body;
  if (F.hasFnAttribute(LeftToStacks)) {
    remarkOnStacks(F, "the file's kernels are many or large; -fplugin-arg-gpuprof-budget=off makes loops of all");
    return {};
  }
  if (!prepareForLoops(L, K))
    return {};
  EliminateUnreachableBlocks(F);
  BlockCounts Counts(F);
  promoteVariables(F, Counts);
  if (!fitsStack(F)) {
    remarkOnStacks(F, "its local arrays are large");
    return {};
  }
  dropLifetimes(F);
  mergeReturns(F);
  splitGuards(F);
  joinMatrices(F);
  const WarpRuns Runs(F, Counts);
  isolateConvergentOps(F, Runs);
  const DominatorTree Before(F);
  const PostDominatorTree After(F);
  const LoopInfo Loops(Before);
  const ThreadVariation Variations(F, After);
  ParallelRegions Regions(F, After, Before, Variations);
  if (!Regions.find(Loops)) {
    remarkOnStacks(F, "threads may come to its barriers by different ways");
    return {};
  }
  ++KernelsInLoops;
  RegionsInLoops += Regions.All.size();
  K.Thread = copyForOneThread(L, K);
  K.MergesBlocks = Regions.All.size() == 1 && !hasVariables(F, Counts) && canMergeBlocks(L, F);
  K.HasRows = any_of(instructions(F), [&](const Instruction &I) {
    const StateLoad Of = stateLoad(I, *F.getArg(0));
    return Of.Is && Of.Which == Field::tid_y;
  });
  LoopFormation Formation(L, K, Regions, Variations, Counts, Runs);
  Formation.run();
  Counts.gather(L, Formation.loops());
  readLanesFromTable(L, F, Formation.loops());
  return Formation.innerLoops();
}

void formWorkItemLoops(Lowering &L) {
  for (Kernel &K : L.Kernels) {
    for (const GlobalAccess &A : globalAccesses(L, *K.Body))
      K.Accesses.insert(A.At);
    if (L.FormLoops)
      K.Loops = formLoops(L, K);
  }
}
} // namespace gpuprof::cpu
