#include "cpu/Split.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Of all that a thread keeps across cuts. The emulator gives a block a stack of GP_CPU_BLOCK_STACK_BYTES.
constexpr uint64_t MostBytesOfThread = 16 * 1024;
constexpr unsigned MostThreads = 1024;
// Arrays that begin at equal places of a page would share few lines of the cache.
constexpr unsigned Apart = 16;
// A value of so few operations is computed again rather than kept.
constexpr unsigned CheapDepth = 4;

bool hasWaits(Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return waitOf(I) != Wait::None || (Callee && isForOtherUnits(*Callee));
  });
}

// Only what can be seen here can be cut.
bool canSplit(Lowering &L, Kernel &K) {
  if (is_contained(K.Written, true))
    return false;
  for (Instruction &I : instructions(*K.Body)) {
    const auto *Call = dyn_cast<CallInst>(&I);
    if (waitOf(I) == Wait::Unknown ||
        (Call && Call->getCalledFunction() && isForOtherUnits(*Call->getCalledFunction())) ||
        (isa<AllocaInst>(I) && !cast<AllocaInst>(I).isStaticAlloca()))
      return false;
  }
  return none_of(L.reachable(*K.Body), [&](Function *F) { return F != K.Body && hasWaits(*F); });
}

// Each wait becomes the first instruction of a block.
void isolateWaits(Function &F) {
  SmallVector<Instruction *> Found;
  for (Instruction &I : instructions(F))
    if (waitOf(I) != Wait::None)
      Found.push_back(&I);
  for (Instruction *I : Found)
    SplitBlock(I->getParent(), I);
}

// A variable becomes an element of an array, whose elements live side by side.
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

void promoteVariables(Function &F) {
  SmallVector<AllocaInst *> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Variables.push_back(A);
  DominatorTree Dominators(F);
  PromoteMemToReg(Variables, Dominators);
}

class Splitter {
public:
  Splitter(Lowering &L, Kernel &K, Sections &Cuts, const BlockUniformity &Uniform)
      : L(L), K(K), F(*K.Body), C(F.getContext()), Cuts(Cuts), Uniform(Uniform) {}
  void run();
  std::vector<ThreadRow> rows();

private:
  void makeSetup();
  void makeExit(Section &S);
  void makeLoop(Section &S);
  void keepPosition(Section &S);
  void hoistState();
  void lowerPhis(Section &S);
  void lowerEntryWait(Section &S);
  void lowerUses();
  void close(Section &S);
  void leave(Section &S);
  void tellArea(Section &S, Area &A);
  void markParallel(Section &S);

  bool differs(const Value *V) const {
    return Given.contains(V) ? !Uniform.isUniform(V) : !Alike.contains(V);
  }
  bool isOutside(const Value *V) const;
  bool isCheap(const Value *V, unsigned Depth) const;
  Value *here(Section &S, Value *V);
  Value *computeHere(Section &S, Instruction &I);
  Value *position(Section &S, Field Which);
  AllocaInst *array(Type *T);
  AllocaInst *elements(Value *V);
  AllocaInst *single(Value *V);
  Section *sectionOfUse(const Use &U) const;
  Instruction *startOfTurn(Section &S) { return Loops[&S].First->getTerminator(); }

  Lowering &L;
  Kernel &K;
  Function &F;
  LLVMContext &C;
  Sections &Cuts;
  const BlockUniformity &Uniform;
  BasicBlock *Setup = nullptr;
  SmallSetVector<Instruction *, 4> Variables; // each thread has its own
  Value *Sizes[3] = {};                       // z, y, x
  Value *Threads = nullptr;
  DenseMap<Section *, ThreadLoop> Loops;
  DenseMap<Value *, AllocaInst *> Arrays, Singles;        // where a value is kept
  DenseMap<const Value *, Field> Positions;               // values of this pass that say where the thread is
  DenseSet<const Value *> Given;                          // the kernel's own instructions
  DenseSet<const Value *> Alike;                          // of this pass: the same in all threads
  DenseMap<std::pair<Section *, Value *>, Value *> Known; // values of other sections in a section
  SmallVector<Instruction *> Dead;     // until the end: their addresses stand in the tables above
  MapVector<unsigned, Value *> Fields; // what all threads see alike of their state
};

Instruction *behind(Value *V) {
  auto *I = cast<Instruction>(V);
  return isa<PHINode>(I) ? &*I->getParent()->getFirstInsertionPt() : I->getNextNode();
}

// The first block: variables, and the sizes.
void Splitter::makeSetup() {
  BasicBlock *Old = &F.getEntryBlock();
  Setup = BasicBlock::Create(C, "setup", &F, Old);
  Instruction *End = BranchInst::Create(Old, Setup);
  for (Instruction &I : *Old)
    if (isa<AllocaInst>(I))
      Variables.insert(&I);
  for (Instruction *I : Variables) {
    I->removeFromParent();
    I->insertInto(Setup, End->getIterator());
  }
  constexpr Field Names[] = {Field::ntid_z, Field::ntid_y, Field::ntid_x};
  IRBuilder<> B(End);
  for (unsigned N = 0; N != 3; ++N)
    Sizes[N] = L.load(B, Names[N]);
  Threads = B.CreateMul(Sizes[0], B.CreateMul(Sizes[1], Sizes[2]), "threads");
}

// All ways to the next section meet in a block of their own.
void Splitter::makeExit(Section &S) {
  if (S.Exit)
    return;
  SmallSetVector<BasicBlock *, 4> From;
  for (BasicBlock *Before : predecessors(S.Next))
    if (Cuts.of(Before) == &S)
      From.insert(Before);
  S.Exit = SplitBlockPredecessors(S.Next, From.getArrayRef(), ".out");
  Cuts.adopt(S, S.Exit);
}

// for (z…) for (y…) for (x…) { First; the section; Latch }, not yet joined to what is before and behind it.
void Splitter::makeLoop(Section &S) {
  ThreadLoop &Loop = Loops[&S];
  auto Block = [&](const Twine &Name) { return BasicBlock::Create(C, Name, &F, S.Entry); };
  Loop.Head = Block("threads");
  BasicBlock *Tops[3] = {Block("z"), Block("y"), Block("x")};
  Loop.First = Tops[2];
  BasicBlock *Ends[3] = {Block("z.end"), Block("y.end"), Block("x.end")};
  Loop.Latch = Ends[2];
  Loop.Done = Block("done");
  IRBuilder<> B(Loop.Head);
  BasicBlock *Before = Loop.Head;
  for (unsigned N = 0; N != 3; ++N) {
    B.CreateBr(Tops[N]);
    B.SetInsertPoint(Tops[N]);
    Loop.Position[N] = B.CreatePHI(B.getInt32Ty(), 2);
    Loop.Position[N]->addIncoming(B.getInt32(0), Before);
    Before = Tops[N];
  }
  Value *Row = B.CreateAdd(Loop.Position[1], B.CreateMul(Sizes[1], Loop.Position[0]), "", true, true);
  Loop.Linear =
      B.CreateAdd(Loop.Position[2], B.CreateMul(Sizes[2], Row, "", true, true), "thread", true, true);
  B.CreateBr(S.Entry);
  for (unsigned N = 3; N-- != 0;) {
    B.SetInsertPoint(Ends[N]);
    Value *Next = B.CreateAdd(Loop.Position[N], B.getInt32(1), "", true, true);
    Loop.Position[N]->addIncoming(Next, Ends[N]);
    B.CreateCondBr(B.CreateICmpULT(Next, Sizes[N]), Tops[N], N ? Ends[N - 1] : Loop.Done);
  }
  Cuts.adopt(S, Loop.Head);
  Cuts.adopt(S, Loop.First);
}

// Functions that are called, and the emulator's messages, read where the thread is from its state.
void Splitter::keepPosition(Section &S) {
  IRBuilder<> B(startOfTurn(S));
  for (Field Which : {Field::tid_x, Field::tid_y, Field::tid_z, Field::laneid, Field::warpid})
    B.CreateStore(position(S, Which),
                  B.CreateStructGEP(L.ThreadType, F.getArg(0), static_cast<unsigned>(Which)));
}

Value *Splitter::position(Section &S, Field Which) {
  const ThreadLoop &Loop = Loops[&S];
  IRBuilder<> B(startOfTurn(S));
  Value *V = Which == Field::tid_x    ? Loop.Position[2]
             : Which == Field::tid_y  ? Loop.Position[1]
             : Which == Field::tid_z  ? Loop.Position[0]
             : Which == Field::laneid ? B.CreateAnd(Loop.Linear, 31)
                                      : B.CreateLShr(Loop.Linear, 5);
  Positions[V] = Which;
  return V;
}

AllocaInst *Splitter::array(Type *T) {
  IRBuilder<> B(&*Setup->begin());
  return B.CreateAlloca(ArrayType::get(T, (K.MaximumThreads ? K.MaximumThreads : MostThreads) + Apart));
}

// Where each thread keeps a value; from where it is computed on.
AllocaInst *Splitter::elements(Value *V) {
  AllocaInst *&Array = Arrays[V];
  if (!Array) {
    Array = array(V->getType());
    IRBuilder<> B(behind(V));
    B.CreateStore(V, elementOf(B, Array, Loops[Cuts.of(cast<Instruction>(V)->getParent())].Linear));
  }
  return Array;
}

// Where a value is kept that all threads have alike.
AllocaInst *Splitter::single(Value *V) {
  AllocaInst *&Memory = Singles[V];
  if (!Memory) {
    Memory = IRBuilder<>(&*Setup->begin()).CreateAlloca(V->getType());
    IRBuilder<>(behind(V)).CreateStore(V, Memory);
  }
  return Memory;
}

// Known in all sections as it is.
bool Splitter::isOutside(const Value *V) const {
  auto *I = const_cast<Instruction *>(dyn_cast<Instruction>(V));
  return !I || (I->getParent() == Setup && !Variables.contains(I));
}

bool Splitter::isCheap(const Value *V, unsigned Depth) const {
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

// The running thread's value in a section.
Value *Splitter::here(Section &S, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (isOutside(V) || (I->getParent() != Setup && Cuts.of(I->getParent()) == &S))
    return V;
  if (Value *Old = Known.lookup({&S, V}))
    return Old;
  Value *Result = computeHere(S, *I);
  if (!differs(V))
    Alike.insert(Result);
  Known[{&S, V}] = Result;
  return Result;
}

Value *Splitter::computeHere(Section &S, Instruction &I) {
  if (const StateLoad Of = stateLoad(I, *F.getArg(0)); Of.Is)
    return position(S, Of.Which);
  if (auto Of = Positions.find(&I); Of != Positions.end()) // in another section
    return position(S, Of->second);
  if (Variables.contains(&I)) { // a variable of its own for each thread
    AllocaInst *&Array = Arrays[&I];
    if (!Array)
      Array = array(cast<AllocaInst>(I).getAllocatedType());
    IRBuilder<> B(startOfTurn(S));
    return elementOf(B, Array, Loops[&S].Linear);
  }
  if (!differs(&I))
    return IRBuilder<>(Loops[&S].Head->getTerminator()).CreateLoad(I.getType(), single(&I));
  if (isCheap(&I, CheapDepth)) {
    Instruction *Again = I.clone();
    for (Use &U : Again->operands())
      U = here(S, U);
    IRBuilder<>(startOfTurn(S)).Insert(Again);
    Again->setDebugLoc(DebugLoc());
    return Again;
  }
  AllocaInst *Array = elements(&I);
  IRBuilder<> B(startOfTurn(S));
  Value *Element = B.CreateLoad(I.getType(), elementOf(B, Array, Loops[&S].Linear));
  return Element;
}

// Reads of the state: once a block where all threads see the same.
void Splitter::hoistState() {
  SmallVector<std::pair<Instruction *, Field>> Found;
  for (Instruction &I : instructions(F))
    if (const StateLoad Of = stateLoad(I, *F.getArg(0));
        Of.Is && !differsByThread(Of.Which) && I.getParent() != Setup)
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

// What comes from one of several sections is left in memory by each of them.
void Splitter::lowerPhis(Section &S) {
  const ThreadLoop &Loop = Loops[&S];
  for (PHINode &Phi : S.Entry->phis()) {
    const bool Differs = differs(&Phi);
    AllocaInst *Memory =
        Differs ? array(Phi.getType()) : IRBuilder<>(&*Setup->begin()).CreateAlloca(Phi.getType());
    auto Address = [&](IRBuilder<> &B, Section &Of) {
      return Differs ? elementOf(B, Memory, Loops[&Of].Linear) : Memory;
    };
    SmallPtrSet<BasicBlock *, 4> Stored;
    for (unsigned N = 0; N != Phi.getNumIncomingValues(); ++N)
      if (BasicBlock *From = Phi.getIncomingBlock(N); Stored.insert(From).second) {
        IRBuilder<> B(From->getTerminator());
        B.CreateStore(Phi.getIncomingValue(N), Address(B, *Cuts.of(From)));
      }
    IRBuilder<> B(Differs ? Loop.First->getTerminator() : Loop.Head->getTerminator());
    Value *Now = B.CreateLoad(Phi.getType(), Address(B, S));
    if (!Differs)
      Alike.insert(Now);
    Phi.replaceAllUsesWith(Now);
    Dead.push_back(&Phi);
  }
}

void Splitter::lowerEntryWait(Section &S) {
  if (waitOf(S.Entry->front()) == Wait::None)
    return;
  auto &I = cast<CallInst>(S.Entry->front());
  WaitSite Site{L,
                Loops[&S],
                Threads,
                S.In ? S.In->Mask : nullptr,
                [&](Value *V) { return isOutside(V) || !differs(V) ? nullptr : elements(V); },
                [&](Type *T) { return array(T); },
                [&](Value *V) { return here(S, V); }};
  const bool Same = waitOf(I) == Wait::BarrierReduce;
  Value *Result = lowerWait(Site, I);
  if (Result) {
    if (Same)
      Alike.insert(Result);
    I.replaceAllUsesWith(Result);
  }
  Dead.push_back(&I);
}

Section *Splitter::sectionOfUse(const Use &U) const {
  const auto *User = cast<Instruction>(U.getUser());
  if (const auto *Phi = dyn_cast<PHINode>(User))
    return Cuts.of(Phi->getIncomingBlock(U));
  return Cuts.of(User->getParent());
}

void Splitter::lowerUses() {
  SmallVector<Instruction *> Values;
  for (Instruction &I : instructions(F))
    if (!I.getType()->isVoidTy() && (Cuts.of(I.getParent()) || Variables.contains(&I)))
      Values.push_back(&I);
  for (Instruction *I : Values) {
    Section *Own = Cuts.of(I->getParent());
    SmallVector<Use *> Across;
    for (Use &U : I->uses())
      if (Section *At = sectionOfUse(U); At && At != Own)
        Across.push_back(&U);
    for (Use *U : Across)
      U->set(here(*sectionOfUse(*U), I));
  }
  for (Instruction *I : Values)
    if (const StateLoad Of = stateLoad(*I, *F.getArg(0)); Of.Is) {
      I->replaceAllUsesWith(position(*Cuts.of(I->getParent()), Of.Which));
      I->eraseFromParent();
    }
}

// At the end of each turn: is the thread inside the area that begins here?
void Splitter::tellArea(Section &S, Area &A) {
  const ThreadLoop &Loop = Loops[&S];
  IRBuilder<> B(S.Exit->getTerminator());
  Value *Condition = cast<BranchInst>(S.Exit->getTerminator())->getCondition();
  Value *Inside = B.CreateZExt(A.OnTrue ? Condition : B.CreateNot(Condition), B.getInt8Ty());
  B.SetInsertPoint(&*Loop.Latch->begin());
  PHINode *Mark = B.CreatePHI(B.getInt8Ty(), 2);
  Mark->addIncoming(Inside, S.Exit);
  if (S.In)
    Mark->addIncoming(B.getInt8(0), Loop.First);
  B.CreateStore(Mark, elementOf(B, A.Mask, Loop.Linear));
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt8Ty(), A.Any), Mark), A.Any);
  B.SetInsertPoint(Loop.Head->getTerminator());
  B.CreateStore(B.getInt8(0), A.Any);
}

// Where the block goes behind the section's last turn.
void Splitter::leave(Section &S) {
  const ThreadLoop &Loop = Loops[&S];
  IRBuilder<> B(Loop.Done);
  auto HeadOf = [&](BasicBlock *Entry) { return Loops[Cuts.of(Entry)].Head; };
  Instruction *End = S.Exit->getTerminator();
  if (Area *A = Cuts.areaAt(S.Exit)) {
    tellArea(S, *A);
    B.CreateCondBr(B.CreateICmpNE(B.CreateLoad(B.getInt8Ty(), A->Any), B.getInt8(0)), HeadOf(A->Inside),
                   HeadOf(A->Join));
  } else {
    Instruction *Copy = End->clone();
    Copy->insertInto(Loop.Done, Loop.Done->end());
    if (End->getNumSuccessors() > 1 && !isOutside(End->getOperand(0))) {
      B.SetInsertPoint(Copy);
      Copy->setOperand(0, B.CreateLoad(End->getOperand(0)->getType(), single(End->getOperand(0))));
    }
    for (unsigned N = 0; N != Copy->getNumSuccessors(); ++N)
      Copy->setSuccessor(N, HeadOf(Copy->getSuccessor(N)));
  }
  IRBuilder<>(End).CreateBr(Loop.Latch);
  End->eraseFromParent();
}

// Joins the loop to its section.
void Splitter::close(Section &S) {
  leave(S);
  if (!S.In)
    return;
  ThreadLoop &Loop = Loops[&S];
  Instruction *End = Loop.First->getTerminator();
  IRBuilder<> B(End);
  Value *Inside = B.CreateLoad(B.getInt8Ty(), elementOf(B, S.In->Mask, Loop.Linear));
  B.CreateCondBr(B.CreateICmpNE(Inside, B.getInt8(0)), S.Entry, Loop.Latch);
  End->eraseFromParent();
}

void Splitter::run() {
  for (Instruction &I : instructions(F))
    Given.insert(&I);
  makeSetup();
  for (std::unique_ptr<Section> &S : Cuts.All)
    makeExit(*S);
  for (std::unique_ptr<Section> &S : Cuts.All)
    makeLoop(*S);
  for (std::unique_ptr<Area> &A : Cuts.Areas) {
    A->Mask = array(Type::getInt8Ty(C));
    A->Any = IRBuilder<>(&*Setup->begin()).CreateAlloca(Type::getInt8Ty(C));
  }
  hoistState();
  for (std::unique_ptr<Section> &S : Cuts.All)
    lowerPhis(*S);
  for (std::unique_ptr<Section> &S : Cuts.All)
    lowerEntryWait(*S);
  for (Instruction *I : Dead) {
    I->removeFromParent();
    I->dropAllReferences();
  }
  lowerUses();
  const bool Asked = L.asksForState(F);
  for (std::unique_ptr<Section> &S : Cuts.All) {
    if (Asked)
      keepPosition(*S);
    close(*S);
  }
  Setup->getTerminator()->setSuccessor(0, Loops[Cuts.All.front().get()].Head);
  for (std::unique_ptr<Section> &S : Cuts.All)
    markParallelLoop(*Loops[S.get()].Latch->getTerminator(), S->Blocks.getArrayRef());
  for (Instruction *I : Dead)
    I->deleteValue();
}

std::vector<ThreadRow> Splitter::rows() {
  std::vector<ThreadRow> Rows;
  for (std::unique_ptr<Section> &S : Cuts.All) {
    const ThreadLoop &Loop = Loops[S.get()];
    Rows.push_back({Loop.Position[1]->getParent(), Loop.First, Loop.Position[2], Sizes[2]});
  }
  return Rows;
}

bool fitsStack(Function &F) {
  uint64_t Bytes = 0;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Bytes += F.getParent()->getDataLayout().getTypeAllocSize(A->getAllocatedType()) *
               cast<ConstantInt>(A->getArraySize())->getZExtValue();
  return Bytes <= MostBytesOfThread;
}
} // namespace

Value *elementOf(IRBuilder<> &B, AllocaInst *Array, Value *Linear) {
  return B.CreateInBoundsGEP(Array->getAllocatedType(), Array,
                             {B.getInt64(0), B.CreateZExt(Linear, B.getInt64Ty())});
}

std::vector<ThreadRow> splitAtBarriers(Lowering &L, Kernel &K) {
  Function &F = *K.Body;
  if (!canSplit(L, K))
    return {};
  EliminateUnreachableBlocks(F);
  promoteVariables(F);
  if (!fitsStack(F))
    return {};
  dropLifetimes(F);
  mergeReturns(F);
  isolateWaits(F);
  const DominatorTree Before(F);
  const PostDominatorTree After(F);
  const LoopInfo Loops(Before);
  const BlockUniformity Uniform(F, After, Loops);
  Sections Cuts(F, After, Before, Uniform);
  if (!Cuts.find())
    return {};
  Splitter S(L, K, Cuts, Uniform);
  S.run();
  gatherCounts(L, F);
  return S.rows();
}
} // namespace gpuprof::cpu
