// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   position = 0
//   while (position + W <= threads) { vector body; position += W }      for each width W, the widest first
//   for (x = position; x < threads; ++x) { scalar loop }
//
// If the lanes of a strip diverge, the vector body stores each lane's values to memory. The scalar loop then
// continues for one lane after the other; `way back` has the strip's continuation. Values of the scalar loop
// therefore have two sources.
#include "vectorize/LaneVectorizer.h"
#include "module/Lowering.h"
#include "vectorize/VectorBody.h"
#include "vectorize/VectorPlan.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#define DEBUG_TYPE "gpuprof-cpu-vectorize-lanes"

using namespace llvm;

STATISTIC(LoopsVectorized, "Number of loops over threads that were vectorised");
STATISTIC(LoopsNotVectorized, "Number of loops over threads with loops inside that were not");

namespace gpuprof::cpu {
namespace {
class VectorizedLoop {
public:
  VectorizedLoop(Lowering &L, Function &F, const InnerLoop &Inner, Loop &Threads, DominatorTree &Dominators,
                 LoopInfo &Loops, const VectorPlan &Plan)
      : L(L), F(F), C(F.getContext()), Inner(Inner), Threads(Threads), Dominators(Dominators), Loops(Loops),
        Plan(Plan) {}
  void run(ArrayRef<unsigned> Widths, ArrayRef<GlobalAccess> Unrecorded,
           SmallVectorImpl<GlobalAccess> &Accesses);

private:
  // A value used in other blocks of the loop than its own.
  struct Kept {
    Instruction *Given;
    SmallVector<Use *, 4> Uses;
    SmallVector<std::pair<BasicBlock *, Value *>, 4> Again; // the scalar loop's entries for single lanes
  };
  void splitBlocks();
  void findKept();
  BasicBlock *join(VectorBody &Copy, BasicBlock *Otherwise);
  void runLanesAlone(VectorBody &Copy, const LaneExit &From, BasicBlock *Next);
  Value *leaveInMemory(IRBuilder<> &B, Value *V);
  Value *fromMemory(IRBuilder<> &B, Value *Memory, Type *T, Value *Number);
  void rewriteUses();
  AllocaInst *variable(Type *T);
  BasicBlock *block(const Twine &Name) { return BasicBlock::Create(C, Name, &F); }

  Lowering &L;
  Function &F;
  LLVMContext &C;
  const InnerLoop &Inner;
  Loop &Threads;
  DominatorTree &Dominators;
  LoopInfo &Loops;
  const VectorPlan &Plan;
  std::vector<Kept> Values;
  AllocaInst *Position = nullptr, *WayBack = nullptr, *Number = nullptr;
  SwitchInst *Back = nullptr;
};

AllocaInst *VectorizedLoop::variable(Type *T) {
  return IRBuilder<>(&*F.getEntryBlock().begin()).CreateAlloca(T);
}

// Single lanes enter the scalar loop at blocks without any other predecessor.
void VectorizedLoop::splitBlocks() {
  for (Instruction *I : Plan.checked())
    SplitBlock(I->getParent(), I->getNextNode(), &Dominators, &Loops);
  for (Instruction *Branch : Plan.divergent())
    for (unsigned N = 0; N != 2; ++N)
      SplitBlockPredecessors(Branch->getSuccessor(N), {Branch->getParent()}, ".way", &Dominators, &Loops);
}

void VectorizedLoop::findKept() {
  for (BasicBlock *Block : Threads.blocks())
    for (Instruction &I : *Block) {
      Kept New{&I, {}, {}};
      for (Use &U : I.uses()) {
        const auto *User = cast<Instruction>(U.getUser());
        const auto *Phi = dyn_cast<PHINode>(User);
        if ((Phi ? Phi->getIncomingBlock(U) : User->getParent()) != Block)
          New.Uses.push_back(&U);
      }
      if (!New.Uses.empty())
        Values.push_back(std::move(New));
    }
}

// Adds `while (position + W <= threads) { the copy; position += W }`, then `Otherwise`. Returns its first
// block.
BasicBlock *VectorizedLoop::join(VectorBody &Copy, BasicBlock *Otherwise) {
  BasicBlock *Test = block("strips");
  IRBuilder<> B(Test);
  Value *End = B.CreateAdd(B.CreateLoad(B.getInt32Ty(), Position), B.getInt32(Copy.width()));
  B.CreateCondBr(B.CreateICmpULE(End, Inner.Count), Copy.header(), Otherwise);
  return Test;
}

Value *VectorizedLoop::leaveInMemory(IRBuilder<> &B, Value *V) {
  Type *T = V->getType();
  if (T->isIntOrIntVectorTy(1))
    V = B.CreateZExt(V, T->getWithNewBitWidth(8));
  Type *Element = V->getType()->getScalarType();
  const auto *Wide = dyn_cast<FixedVectorType>(T);
  AllocaInst *Memory = variable(Wide ? ArrayType::get(Element, Wide->getNumElements()) : Element);
  B.CreateAlignedStore(V, Memory, L.M.getDataLayout().getABITypeAlign(Element));
  return Memory;
}

Value *VectorizedLoop::fromMemory(IRBuilder<> &B, Value *Memory, Type *T, Value *Which) {
  Type *Stored = T->isIntegerTy(1) ? B.getInt8Ty() : T;
  if (cast<AllocaInst>(Memory)->getAllocatedType()->isArrayTy())
    Memory = B.CreateGEP(Stored, Memory, Which);
  Value *V = B.CreateLoad(Stored, Memory);
  return T->isIntegerTy(1) ? B.CreateTrunc(V, T) : V;
}

// for (number = 0; number < W; ++number) the rest of the iteration, for one thread
void VectorizedLoop::runLanesAlone(VectorBody &Copy, const LaneExit &From, BasicBlock *Next) {
  BasicBlock *Thread = block("strip.thread"), *Done = block("strip.thread.done");
  IRBuilder<> B(From.Block), One(Thread);
  auto *Case = B.getInt32(Back->getNumCases() + 1);
  B.CreateStore(Case, WayBack);
  B.CreateStore(B.getInt32(0), Number);
  Value *Which = One.CreateLoad(B.getInt32Ty(), Number);
  for (Kept &K : Values)
    if (Dominators.dominates(K.Given->getParent(), From.From)) {
      Value *Memory = leaveInMemory(B, Copy.keep(B, K.Given, From));
      K.Again.push_back({Thread, fromMemory(One, Memory, K.Given->getType(), Which)});
    }
  Instruction *End = From.From->getTerminator();
  if (From.Condition)
    One.CreateCondBr(fromMemory(One, leaveInMemory(B, From.Condition), One.getInt1Ty(), Which),
                     End->getSuccessor(0), End->getSuccessor(1));
  else
    One.CreateBr(End->getSuccessor(0));
  B.CreateBr(Thread);
  Back->addCase(Case, Done);
  B.SetInsertPoint(Done);
  Value *Following = B.CreateAdd(B.CreateLoad(B.getInt32Ty(), Number), B.getInt32(1));
  B.CreateStore(Following, Number);
  B.CreateCondBr(B.CreateICmpULT(Following, B.getInt32(Copy.width())), Thread, Next);
}

void VectorizedLoop::rewriteUses() {
  for (Kept &K : Values) {
    if (K.Again.empty())
      continue;
    SSAUpdater Update;
    Update.Initialize(K.Given->getType(), K.Given->getName());
    Update.AddAvailableValue(K.Given->getParent(), K.Given);
    for (auto [Block, V] : K.Again)
      Update.AddAvailableValue(Block, V);
    for (Use *U : K.Uses)
      Update.RewriteUse(*U);
  }
}

void VectorizedLoop::run(ArrayRef<unsigned> Widths, ArrayRef<GlobalAccess> Unrecorded,
                         SmallVectorImpl<GlobalAccess> &Accesses) {
  splitBlocks();
  LoopBlocksRPO InOrder(&Threads);
  InOrder.perform(&Loops);
  const SmallVector<BasicBlock *> Order(InOrder.begin(), InOrder.end());
  BasicBlock *Latch = Threads.getLoopLatch(), *Before = Threads.getLoopPreheader();
  findKept();
  Type *Word = Type::getInt32Ty(C);
  Position = variable(Word);
  WayBack = variable(Word);
  Number = variable(Word);
  std::vector<std::unique_ptr<VectorBody>> Bodies;
  SmallVector<BasicBlock *> Nexts;
  for (unsigned Width : Widths) {
    Bodies.push_back(std::make_unique<VectorBody>(L, Plan, *Inner.X, Before->getTerminator(), Width));
    Nexts.push_back(block("strips.next"));
    Bodies.back()->emit(Order, Latch, Position, Nexts.back());
    Bodies.back()->addAccesses(Unrecorded, Accesses);
  }

  // The original loop, starting at the end of the strips.
  Instruction *End = Latch->getTerminator();
  BasicBlock *After = End->getSuccessor(End->getSuccessor(0) == Inner.First ? 1 : 0);
  BasicBlock *Plain = SplitBlock(Latch, End, &Dominators, &Loops);
  Latch->getTerminator()->eraseFromParent();
  IRBuilder<> B(Latch);
  Back = B.CreateSwitch(B.CreateLoad(Word, WayBack), Plain);
  BasicBlock *Rest = block("strips.rest");
  B.SetInsertPoint(Rest);
  B.CreateStore(B.getInt32(0), WayBack);
  Value *Start = B.CreateLoad(Word, Position);
  B.CreateCondBr(B.CreateICmpULT(Start, Inner.Count), Inner.First, After);
  const int Way = Inner.X->getBasicBlockIndex(Before);
  Inner.X->setIncomingBlock(Way, Rest);
  Inner.X->setIncomingValue(Way, Start);

  BasicBlock *Entry = Rest;
  for (size_t I = Bodies.size(); I-- != 0;) {
    VectorBody &Copy = *Bodies[I];
    Entry = join(Copy, Entry);
    B.SetInsertPoint(Nexts[I]);
    B.CreateStore(B.CreateAdd(B.CreateLoad(Word, Position), B.getInt32(Copy.width())), Position);
    B.CreateBr(Entry);
    for (const LaneExit &From : Copy.exits())
      runLanesAlone(Copy, From, Nexts[I]);
  }
  IRBuilder<>(Before->getTerminator()).CreateStore(ConstantInt::get(Word, 0), Position);
  Before->getTerminator()->setSuccessor(0, Entry);
  rewriteUses();
  Dominators.recalculate(F);
  PromoteMemToReg({Position, WayBack, Number}, Dominators);
}

// A loop over threads with its latch as only exit, and without values used behind it.
bool isPlain(const Loop &Threads, const InnerLoop &Inner) {
  const BasicBlock *Latch = Threads.getLoopLatch();
  if (Threads.getHeader() != Inner.First || !Latch || Threads.getExitingBlock() != Latch ||
      &*Inner.First->begin() != Inner.X || isa<PHINode>(Inner.X->getNextNode()))
    return false;
  const BasicBlock *Exit = Threads.getExitBlock();
  if (!Exit || isa<PHINode>(Exit->front()))
    return false;
  for (const BasicBlock *Block : Threads.blocks())
    for (const Instruction &I : *Block)
      for (const User *U : I.users())
        if (!Threads.contains(cast<Instruction>(U)->getParent()))
          return false;
  return true;
}

// The loop before may have left values to the block that both lead to.
void giveOwnExit(Loop &Threads, DominatorTree &Dominators, LoopInfo &Loops) {
  BasicBlock *Latch = Threads.getLoopLatch(), *Exit = Threads.getExitBlock();
  if (!Latch || !Exit || Threads.getExitingBlock() != Latch || !isa<PHINode>(Exit->front()))
    return;
  BasicBlock *Own = SplitEdge(Latch, Exit, &Dominators, &Loops);
  FoldSingleEntryPHINodes(Own);
  Own->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr); // the latch keeps it
}

// Threads of different warps load from different addresses, those of a warp from one: a strip loads once. LLVM's
// vectoriser takes such loads for gathers.
bool loadsOnceAWarp(Function &F, const Loop &Threads, const PHINode &X, const LoopInfo &Loops) {
  constexpr size_t Most = 96; // instructions: as many as in a copy for whole rows
  size_t Count = 0;
  bool Shifts = false;
  for (const BasicBlock *Block : Threads.blocks()) {
    Count += Block->size();
    Shifts |= any_of(*Block, [](const Instruction &I) { return I.getOpcode() == Instruction::LShr; });
  }
  if (Count > Most || !Shifts)
    return false;
  const PostDominatorTree After(F);
  const ThreadVariation OfRow(Threads, X, After, Loops), OfStrip(Threads, X, Loops);
  for (const BasicBlock *Block : Threads.blocks())
    for (const Instruction &I : *Block)
      if (const auto *Load = dyn_cast<LoadInst>(&I);
          Load && !OfRow.isUniform(Load->getPointerOperand()) && OfStrip.isUniform(Load->getPointerOperand()))
        return true;
  return false;
}

// Several vectors at a time hide an operation's latency, within the limits of the registers. Shorter rows get
// a single vector.
SmallVector<unsigned> widthsFor(const Function &F, const VectorPlan &Plan) {
  constexpr unsigned FewValues = 2, FewInstructions = 250;
  const StringRef Features = F.getFnAttribute("target-features").getValueAsString();
  const unsigned Vector = Features.contains("+avx2") ? 8 : 4; // of 32 bits
  if (!Plan.gathers() && Plan.mostCarried() <= FewValues && Plan.instructions() <= FewInstructions)
    return {4 * Vector, Vector};
  return {Vector};
}
// Single lanes enter the scalar loop from the vector body, too. Values computed ahead of the loop then have
// another definition there. It replaces the old one in the instruction and in the record of its access.
class Operands {
public:
  explicit Operands(ArrayRef<GlobalAccess> Accesses) {
    for (const GlobalAccess &A : Accesses)
      Uses.push_back({useOf(A, A.Pointer), A.Length ? useOf(A, A.Length) : nullptr});
  }
  void readAgain(MutableArrayRef<GlobalAccess> Accesses) const {
    for (auto [A, Of] : zip(Accesses, Uses)) {
      A.Pointer = Of.first->get();
      if (Of.second)
        A.Length = Of.second->get();
    }
  }

private:
  static const Use *useOf(const GlobalAccess &A, const Value *V) {
    return find_if(A.At->operands(), [&](const Use &U) { return U.get() == V; });
  }
  SmallVector<std::pair<const Use *, const Use *>> Uses;
};

} // namespace

static SmallVector<GlobalAccess> vectorize(Lowering &L, Function &F, ArrayRef<InnerLoop> InnerLoops,
                                           ArrayRef<GlobalAccess> Unrecorded) {
  SmallVector<GlobalAccess> Accesses(Unrecorded);
  const Operands Before(Unrecorded);
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  for (const InnerLoop &Inner : InnerLoops) {
    Loop *Threads = Loops.getLoopFor(Inner.First);
    if (Threads)
      giveOwnExit(*Threads, Dominators, Loops);
    if (!Threads || !isPlain(*Threads, Inner) ||
        (Threads->isInnermost() && !loadsOnceAWarp(F, *Threads, *Inner.X, Loops)))
      continue;
    VectorPlan Plan(*Threads, *Inner.X, Loops, Unrecorded);
    if (!Plan.find() || (!Threads->getLoopPreheader() &&
                           !InsertPreheaderForLoop(Threads, &Dominators, &Loops, nullptr, false))) {
      ++LoopsNotVectorized;
      continue;
    }
    ++LoopsVectorized;
    VectorizedLoop(L, F, Inner, *Threads, Dominators, Loops, Plan)
        .run(widthsFor(F, Plan), Unrecorded, Accesses);
    Dominators.recalculate(F);
    Loops.releaseMemory();
    Loops.analyze(Dominators);
  }
  Before.readAgain(MutableArrayRef(Accesses).take_front(Unrecorded.size()));
  return Accesses;
}

void vectorizeLanes(Lowering &L) {
  for (Kernel &K : L.Kernels)
    K.Unrecorded = vectorize(L, *K.Body, K.Loops, K.Unrecorded);
}
} // namespace gpuprof::cpu
