#include "workitem/Split.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
// Of all that a thread keeps across cuts. The emulator gives a block a stack of GP_CPU_BLOCK_STACK_BYTES.
constexpr uint64_t MostBytesOfThread = 16 * 1024;
constexpr unsigned MostThreads = 1024;
// Arrays that begin at equal places of a page would share few lines of the cache.
constexpr unsigned Apart = 16;
// Behind and before the threads' elements are as many as a shuffle looks past them.
constexpr unsigned Lanes = 32;
// A value of so few operations is computed again rather than kept.
constexpr unsigned CheapDepth = 4;

// Each wait, or run of matrix instructions, becomes what a block begins with.
void isolateWaits(Function &F) {
  SmallVector<Instruction *> Found;
  for (Instruction &I : instructions(F))
    if (waitOf(I) != Wait::None && !continuesRun(I))
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

void promoteVariables(Function &F, const BlockCounts &Counts) {
  SmallVector<AllocaInst *> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A) && !Counts.isVariable(A))
      Variables.push_back(A);
  DominatorTree Dominators(F);
  PromoteMemToReg(Variables, Dominators);
}

class Splitter {
public:
  Splitter(Lowering &L, Kernel &K, Sections &Cuts, const BlockUniformity &Uniform, BlockCounts &Counts)
      : L(L), K(K), F(*K.Body), C(F.getContext()), Cuts(Cuts), Uniform(Uniform), Counts(Counts) {}
  void run();
  SmallVector<ThreadLoop> loops() const;
  std::vector<ThreadRow> rows();

private:
  void makeSetup();
  void makeExit(Section &S);
  void makeLoop(Section &S);
  void makeAreas();
  void countTurns(Section &S);
  void keepPosition(Section &S);
  void hoistState();
  void lowerPhis(Section &S);
  void lowerEntryWait(Section &S);
  void lowerMatrices(const WaitSite &Site, CallInst &First);
  void shareLanes(Section &S, AllocaInst *Array);
  void lowerUses();
  void bury(Instruction &I);
  void close(Section &S);
  void leave(Section &S);
  void tellArea(Section &S, Area &A);
  Value *tellRange(Section &S, Area &A, IRBuilder<> &B);
  Value *alive(const Area &A, IRBuilder<> &B);
  void enter(Area &A, BasicBlock *At, BasicBlock *Inside);
  Value *whole(Value *V, IRBuilder<> &B);
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
  AllocaInst *variables(const AllocaInst &Variable);
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
  BlockCounts &Counts;
  BasicBlock *Setup = nullptr;
  SmallSetVector<Instruction *, 4> Variables; // each thread has its own
  Value *Sizes[3] = {};                       // z, y, x
  Value *Threads = nullptr;
  DenseMap<Section *, ThreadLoop> Loops;
  DenseMap<Area *, Constant *> Places;                    // of the wait of warps in it
  DenseSet<AllocaInst *> Shuffled;                        // arrays that threads read of one another
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

// for (z…) for (y…) for (those of the row) { First; the section; Latch }, not yet joined to what is before
// and behind it.
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
  countTurns(S);
  Value *Low = S.In && S.In->Low ? B.CreateLoad(B.getInt32Ty(), S.In->Low) : nullptr;
  Value *const Limits[3] = {Sizes[0], Sizes[1], Loop.Count};
  BasicBlock *Before = Loop.Head;
  Value *Row = nullptr;
  for (unsigned N = 0; N != 3; ++N) {
    if (N == 2) { // the number of the row's first thread
      auto Wide = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
      Value *Number = B.CreateMul(Wide(Sizes[1]), Wide(Loop.Counter[0]), "", true, true);
      Number = B.CreateAdd(Wide(Loop.Counter[1]), Number, "", true, true);
      Row = B.CreateMul(Wide(Sizes[2]), Number, "row", true, true);
    }
    B.CreateBr(Tops[N]);
    B.SetInsertPoint(Tops[N]);
    Loop.Counter[N] = B.CreatePHI(B.getInt32Ty(), 2);
    Loop.Counter[N]->addIncoming(B.getInt32(0), Before);
    Before = Tops[N];
  }
  Loop.X = Low ? B.CreateAdd(Low, Loop.Counter[2], "", true, true) : Loop.Counter[2];
  Loop.Index = B.CreateAdd(B.CreateZExt(Loop.X, B.getInt64Ty()), Row, "thread", true, true);
  Loop.Linear = B.CreateTrunc(Loop.Index, B.getInt32Ty());
  B.CreateBr(S.Entry);
  for (unsigned N = 3; N-- != 0;) {
    B.SetInsertPoint(Ends[N]);
    Value *Next = B.CreateAdd(Loop.Counter[N], B.getInt32(1), "", true, true);
    Loop.Counter[N]->addIncoming(Next, Ends[N]);
    B.CreateCondBr(B.CreateICmpNE(Next, Limits[N]), Tops[N], N ? Ends[N - 1] : Loop.Done);
  }
  Cuts.adopt(S, Loop.Head);
  Cuts.adopt(S, Loop.First);
}

void Splitter::countTurns(Section &S) {
  ThreadLoop &Loop = Loops[&S];
  IRBuilder<> B(Loop.Head);
  Loop.Count = Sizes[2];
  Value *Turns = Threads;
  if (S.In && S.In->Count) {
    Loop.Count = B.CreateLoad(B.getInt32Ty(), S.In->Count);
    Turns = B.CreateMul(Loop.Count, B.CreateMul(Sizes[0], Sizes[1]));
  }
  Loop.Turns = B.CreateZExt(Turns, B.getInt64Ty());
}

// Memory that says which threads are inside.
void Splitter::makeAreas() {
  for (std::unique_ptr<Area> &A : Cuts.Areas) {
    IRBuilder<> B(&*Setup->begin());
    if (A->Range.empty()) {
      A->Any = B.CreateAlloca(B.getInt8Ty());
    } else {
      A->Low = B.CreateAlloca(B.getInt32Ty());
      A->Count = B.CreateAlloca(B.getInt32Ty());
    }
    if (A->Range.empty() || A->WarpWait || A->IsAskedFor)
      A->Mask = array(B.getInt8Ty());
    if (A->WarpWait) {
      A->Parted = B.CreateAlloca(B.getPtrTy());
      Places[A.get()] = L.text(placeOf(A->WarpWait->getDebugLoc()));
    }
  }
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
  Value *V = Which == Field::tid_x    ? Loop.X
             : Which == Field::tid_y  ? static_cast<Value *>(Loop.Counter[1])
             : Which == Field::tid_z  ? static_cast<Value *>(Loop.Counter[0])
             : Which == Field::laneid ? B.CreateAnd(Loop.Linear, 31)
                                      : B.CreateLShr(Loop.Linear, 5);
  Positions[V] = Which;
  return V;
}

AllocaInst *Splitter::array(Type *T) {
  IRBuilder<> B(&*Setup->begin());
  const unsigned Most = K.MaximumThreads ? K.MaximumThreads : MostThreads;
  return B.CreateAlloca(ArrayType::get(T, Lanes + Most + Lanes + Apart));
}

// A variable for each thread, each as aligned as the one that it stands for: its type alone may ask for less,
// and its size need not be a multiple.
AllocaInst *Splitter::variables(const AllocaInst &Variable) {
  Type *T = Variable.getAllocatedType();
  const Align Wanted = Variable.getAlign();
  const uint64_t Bytes = F.getParent()->getDataLayout().getTypeAllocSize(T);
  if (const uint64_t Padding = alignTo(Bytes, Wanted) - Bytes)
    T = StructType::get(T, ArrayType::get(Type::getInt8Ty(T->getContext()), Padding));
  AllocaInst *Array = array(T);
  Array->setAlignment(std::max(Array->getAlign(), Wanted));
  return Array;
}

// Where each thread keeps a value; from where it is computed on.
AllocaInst *Splitter::elements(Value *V) {
  AllocaInst *&Array = Arrays[V];
  if (!Array) {
    Array = array(V->getType());
    IRBuilder<> B(behind(V));
    B.CreateStore(V, elementOf(B, Array, Loops[Cuts.of(cast<Instruction>(V)->getParent())].Index));
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
      Array = variables(cast<AllocaInst>(I));
    IRBuilder<> B(startOfTurn(S));
    return elementOf(B, Array, Loops[&S].Index);
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
  Value *Element = B.CreateLoad(I.getType(), elementOf(B, Array, Loops[&S].Index));
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
      return Differs ? elementOf(B, Memory, Loops[&Of].Index) : Memory;
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

// What lanes read that do not exist is 0.
void Splitter::shareLanes(Section &S, AllocaInst *Array) {
  if (S.In)
    S.In->Shuffled.insert(Array);
  if (!Shuffled.insert(Array).second)
    return;
  IRBuilder<> B(Setup->getTerminator());
  Type *T = Array->getAllocatedType()->getArrayElementType();
  B.CreateMemSet(elementOf(B, Array, B.CreateZExt(Threads, B.getInt64Ty())), B.getInt8(0),
                 Lanes * F.getParent()->getDataLayout().getTypeAllocSize(T), Align(1));
}

void Splitter::lowerEntryWait(Section &S) {
  const Wait Kind = waitOf(S.Entry->front());
  if (Kind == Wait::None)
    return;
  auto &I = cast<CallInst>(S.Entry->front());
  IRBuilder<> B(Loops[&S].Head->getTerminator());
  if (isForCluster(I)) // once all threads of this block have come
    B.CreateCall(L.entry("__gpuprof_cpu_cluster_wait"), {F.getArg(0)});
  Value *Mask = nullptr;
  if (S.In && isOfWholeWarps(I))
    Mask = B.CreateLoad(B.getPtrTy(), S.In->Parted);
  else if (S.In && Kind != Wait::Barrier)
    Mask = elementOf(B, S.In->Mask, B.getInt64(0));
  WaitSite Site{L,
                Loops[&S],
                Threads,
                Mask,
                S.In ? alive(*S.In, B) : nullptr,
                S.In && S.In->EndsAtReturn,
                Kind == Wait::Barrier ? nullptr : L.text(placeOf(I.getDebugLoc())),
                [&](Value *V) {
                  AllocaInst *Array = isOutside(V) || !differs(V) ? nullptr : elements(V);
                  if (Array && Kind == Wait::Shuffle)
                    shareLanes(S, Array);
                  return Array;
                },
                [&](Type *T) { return array(T); },
                [&](Value *V) { return here(S, V); }};
  if (Kind == Wait::Matrix) {
    lowerMatrices(Site, I);
    return;
  }
  Value *Result = lowerWait(Site, I);
  if (Result) {
    if (Kind == Wait::BarrierReduce)
      Alike.insert(Result);
    I.replaceAllUsesWith(Result);
  }
  Dead.push_back(&I);
}

void Splitter::lowerMatrices(const WaitSite &Site, CallInst &First) {
  for (CallInst *I : runOf(First)) {
    const SmallVector<MatrixResult> Results = lowerMatrix(Site, *I);
    for (const MatrixResult &R : Results)
      Arrays[R.Value] = R.Array;
    for (User *U : make_early_inc_range(I->users())) {
      auto *Register = cast<ExtractValueInst>(U);
      Register->replaceAllUsesWith(Results[Register->getIndices()[0]].Value);
      Dead.push_back(Register);
    }
    Dead.push_back(I);
  }
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
      bury(*I);
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
  if (S.In && S.In->Range.empty())
    Mark->addIncoming(B.getInt8(0), Loop.First);
  B.CreateStore(Mark, elementOf(B, A.Mask, Loop.Index));
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt8Ty(), A.Any), Mark), A.Any);
  B.SetInsertPoint(Loop.Head->getTerminator());
  B.CreateStore(B.getInt8(0), A.Any);
  if (S.In && !S.In->Range.empty()) // the loop runs for some of the threads
    B.CreateMemSet(elementOf(B, A.Mask, B.getInt64(0)), B.getInt8(0), B.CreateZExt(Threads, B.getInt64Ty()),
                   Align(1));
}

// A value that is the same for all threads, behind the last turn.
Value *Splitter::whole(Value *V, IRBuilder<> &B) {
  return isOutside(V) ? V : B.CreateLoad(V->getType(), single(V));
}

// Which threads of each row are inside the area that begins here; gives whether there are any.
Value *Splitter::tellRange(Section &S, Area &A, IRBuilder<> &B) {
  auto Wide = [&](Value *V) { return B.CreateZExt(V, B.getInt64Ty()); };
  RangeBounds Inside{B.getInt64(0), Wide(Sizes[2])};
  if (S.In) {
    Inside.Low = Wide(B.CreateLoad(B.getInt32Ty(), S.In->Low));
    Inside.High = B.CreateAdd(Inside.Low, Wide(B.CreateLoad(B.getInt32Ty(), S.In->Count)));
  }
  for (const RangeTerm &Term : A.Range)
    Inside = narrow(B, Inside, Term, whole(Term.Bound, B));
  B.CreateStore(B.CreateTrunc(Inside.Low, B.getInt32Ty()), A.Low);
  B.CreateStore(B.CreateTrunc(B.CreateSub(Inside.High, Inside.Low), B.getInt32Ty()), A.Count);
  return B.CreateICmpSGT(Inside.High, Inside.Low);
}

// The mask of threads that have not returned where an area begins.
Value *Splitter::alive(const Area &A, IRBuilder<> &B) {
  return A.Alive ? elementOf(B, A.Alive->Mask, B.getInt64(0)) : ConstantPointerNull::get(B.getPtrTy());
}

// Where threads go into an area in which warps wait: of each warp either all or none go in, unless the others
// have returned, who then give 0.
void Splitter::enter(Area &A, BasicBlock *At, BasicBlock *Inside) {
  IRBuilder<> B(At);
  Value *Mask = A.Mask ? elementOf(B, A.Mask, B.getInt64(0)) : nullptr, *Low = nullptr, *Count = nullptr;
  if (A.Mask && !A.Range.empty()) {
    Low = B.CreateLoad(B.getInt32Ty(), A.Low);
    Count = B.CreateLoad(B.getInt32Ty(), A.Count);
  }
  auto FillMask = [&] {
    B.CreateCall(L.entry("__gpuprof_cpu_range_mask"), {Mask, Low, Count, Sizes[2], Threads});
  };
  if (A.IsAskedFor && Low)
    FillMask();
  if (!A.WarpWait) {
    B.CreateBr(Inside);
    return;
  }
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), A.Parted);
  if (Low) {
    Value *High = B.CreateAdd(Low, Count), *Row = Sizes[2];
    auto IsWhole = [&](Value *V) { return B.CreateICmpEQ(B.CreateAnd(V, Lanes - 1), B.getInt32(0)); };
    Value *Even = B.CreateOr(IsWhole(Row), B.CreateICmpEQ(Row, Threads));
    Even = B.CreateAnd(Even, B.CreateAnd(IsWhole(Low), B.CreateOr(IsWhole(High), B.CreateICmpEQ(High, Row))));
    BasicBlock *Odd = BasicBlock::Create(C, "odd", &F, Inside);
    B.CreateCondBr(Even, Inside, Odd);
    B.SetInsertPoint(Odd);
    if (!A.IsAskedFor)
      FillMask();
  }
  Value *Parted = B.CreateCall(L.entry("__gpuprof_cpu_parted_warps"),
                               {Mask, alive(A, B), Threads, B.getInt32(A.EndsAtReturn), Places[&A]});
  BasicBlock *Apart = BasicBlock::Create(C, "parted", &F, Inside);
  B.CreateCondBr(B.CreateICmpNE(Parted, B.getInt32(0)), Apart, Inside);
  B.SetInsertPoint(Apart);
  B.CreateStore(Mask, A.Parted);
  for (AllocaInst *Array : A.Shuffled) {
    const uint64_t Bytes =
        F.getParent()->getDataLayout().getTypeAllocSize(Array->getAllocatedType()->getArrayElementType());
    B.CreateCall(
        L.entry("__gpuprof_cpu_clear_others"),
        {elementOf(B, Array, B.getInt64(0)), B.getInt32(static_cast<uint32_t>(Bytes)), Mask, Threads});
  }
  B.CreateBr(Inside);
}

// Where the block goes behind the section's last turn.
void Splitter::leave(Section &S) {
  const ThreadLoop &Loop = Loops[&S];
  IRBuilder<> B(Loop.Done);
  auto HeadOf = [&](BasicBlock *Entry) { return Loops[Cuts.of(Entry)].Head; };
  Instruction *End = S.Exit->getTerminator();
  if (Area *A = Cuts.areaAt(S.Exit)) {
    BasicBlock *Enter = BasicBlock::Create(C, "enter", &F, HeadOf(A->Inside));
    Value *Any = nullptr;
    if (A->Range.empty()) {
      tellArea(S, *A);
      Any = B.CreateICmpNE(B.CreateLoad(B.getInt8Ty(), A->Any), B.getInt8(0));
    } else {
      Any = tellRange(S, *A, B);
    }
    B.CreateCondBr(Any, Enter, HeadOf(A->Join));
    enter(*A, Enter, HeadOf(A->Inside));
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

// Joins the loop to its section.
void Splitter::close(Section &S) {
  leave(S);
  if (!S.In || !S.In->Range.empty())
    return;
  ThreadLoop &Loop = Loops[&S];
  Instruction *End = Loop.First->getTerminator();
  IRBuilder<> B(End);
  Value *Inside = B.CreateLoad(B.getInt8Ty(), elementOf(B, S.In->Mask, Loop.Index));
  B.CreateCondBr(B.CreateICmpNE(Inside, B.getInt8(0)), S.Entry, Loop.Latch);
  End->eraseFromParent();
}

// Out of the kernel, but not deleted: a new value at its address would be taken for it.
void Splitter::bury(Instruction &I) {
  I.removeFromParent();
  I.dropAllReferences();
  Dead.push_back(&I);
}

void Splitter::run() {
  makeSetup();
  for (Instruction &I : instructions(F))
    Given.insert(&I);
  for (std::unique_ptr<Section> &S : Cuts.All)
    makeExit(*S);
  makeAreas();
  for (std::unique_ptr<Section> &S : Cuts.All)
    makeLoop(*S);
  hoistState();
  for (std::unique_ptr<Section> &S : Cuts.All)
    lowerPhis(*S);
  for (std::unique_ptr<Section> &S : Cuts.All)
    lowerEntryWait(*S);
  for (Instruction *I : SmallVector<Instruction *>(std::exchange(Dead, {})))
    bury(*I);
  lowerUses();
  const bool Asked = L.asksForState(F);
  for (std::unique_ptr<Section> &S : Cuts.All) {
    if (Asked)
      keepPosition(*S);
    close(*S);
  }
  Setup->getTerminator()->setSuccessor(0, Loops[Cuts.All.front().get()].Head);
  for (std::unique_ptr<Section> &S : Cuts.All)
    markParallelLoop(*Loops[S.get()].Latch->getTerminator(), S->Blocks.getArrayRef(), Cuts.All.size() > 1);
  for (Instruction *I : Dead)
    I->deleteValue();
}

std::vector<ThreadRow> Splitter::rows() {
  std::vector<ThreadRow> Rows;
  for (std::unique_ptr<Section> &S : Cuts.All) {
    const ThreadLoop &Loop = Loops[S.get()];
    Rows.push_back({Loop.Counter[1]->getParent(), Loop.First, Loop.Counter[2], Loop.Count});
  }
  return Rows;
}

SmallVector<ThreadLoop> Splitter::loops() const {
  SmallVector<ThreadLoop> All;
  for (const std::unique_ptr<Section> &S : Cuts.All)
    All.push_back(Loops.lookup(S.get()));
  return All;
}

bool fitsStack(Function &F) {
  uint64_t Bytes = 0;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Bytes += F.getParent()->getDataLayout().getTypeAllocSize(A->getAllocatedType()) *
               cast<ConstantInt>(A->getArraySize())->getZExtValue();
  return Bytes <= MostBytesOfThread;
}

// What runs one thread, for schedules that show races. It is compiled as quickly as it can be: the device's
// optimiser has had it already.
Function *copyForOneThread(Lowering &L, Kernel &K) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(K.Body, Map);
  Copy->setName(K.Body->getName() + ".one");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->removeFnAttr(Attribute::AlwaysInline);
  for (Attribute::AttrKind Kind : {Attribute::NoInline, Attribute::OptimizeNone, Attribute::Cold})
    Copy->addFnAttr(Kind);
  L.setThread(*Copy, Copy->getArg(0));
  for (Argument &A : K.Body->args())
    if (L.ParameterPointers.contains(&A))
      L.ParameterPointers.insert(Copy->getArg(A.getArgNo()));
  markSectorsByCalls(L, *Copy);
  return Copy;
}
} // namespace

Value *elementOf(IRBuilder<> &B, AllocaInst *Array, Value *Index) {
  Index = B.CreateAdd(B.CreateZExt(Index, B.getInt64Ty()), B.getInt64(Lanes), "", true, true);
  return B.CreateInBoundsGEP(Array->getAllocatedType(), Array, {B.getInt64(0), Index});
}

std::vector<ThreadRow> splitAtBarriers(Lowering &L, Kernel &K) {
  Function &F = *K.Body;
  if (F.hasFnAttribute(TooMuch)) {
    tellWhy(F, "the file's kernels are many or large; -O3 makes loops of all");
    return {};
  }
  if (!prepareSplit(L, K))
    return {};
  EliminateUnreachableBlocks(F);
  BlockCounts Counts(F);
  promoteVariables(F, Counts);
  if (!fitsStack(F)) {
    tellWhy(F, "its local arrays are large");
    return {};
  }
  dropLifetimes(F);
  mergeReturns(F);
  joinMatrices(F);
  isolateWaits(F);
  const DominatorTree Before(F);
  const PostDominatorTree After(F);
  const LoopInfo Loops(Before);
  const BlockUniformity Uniform(F, After, Loops);
  Sections Cuts(F, After, Before, Uniform);
  if (!Cuts.find(Loops)) {
    tellWhy(F, "threads may come to its barriers by different ways");
    return {};
  }
  K.Thread = copyForOneThread(L, K);
  Splitter S(L, K, Cuts, Uniform, Counts);
  S.run();
  Counts.gather(L, S.loops());
  return S.rows();
}
} // namespace gpuprof::cpu
