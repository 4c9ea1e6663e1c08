// Which values are the same in all threads of a block.
#include "lower/Matrix.h"
#include "workitem/Split.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
constexpr char ClusterWait[] = "__gpuprof_cpu_cluster_wait";
struct WaitRow {
  const char *Name;
  Wait Kind;
};
constexpr WaitRow Waits[] = {
    {"__gpuprof_cpu_barrier", Wait::Barrier},
    {ClusterWait, Wait::Barrier},
    {"__gpuprof_cpu_barrier_reduce", Wait::BarrierReduce},
    {"__gpuprof_cpu_barrier_arrive", Wait::Unknown},
    {"__gpuprof_cpu_exit", Wait::Unknown},
    {"__gpuprof_cpu_syncwarp", Wait::WarpSync},
    {"__gpuprof_cpu_shuffle", Wait::Shuffle},
    {"__gpuprof_cpu_vote", Wait::Vote},
    {"__gpuprof_cpu_redux", Wait::Reduction},
    {"__gpuprof_cpu_match", Wait::Match},
    {"__gpuprof_cpu_activemask", Wait::ActiveMask},
    {"__gpuprof_cpu_in_step", Wait::ActiveMask},
    {"__gpuprof_cpu_yield", Wait::Unknown},
    {"__gpuprof_cpu_nanosleep", Wait::Unknown},
    {"__gpuprof_cpu_matrix_product", Wait::Unknown},
    {"__gpuprof_cpu_matrix_load", Wait::Unknown},
    {"__gpuprof_cpu_matrix_store", Wait::Unknown},
    {"__gpuprof_cpu_matrix_transpose", Wait::Unknown},
    {"__gpuprof_cpu_group_product", Wait::Unknown},
    {"__gpuprof_cpu_mbarrier_test", Wait::Unknown},
};

bool isNumber(const Value *V, uint64_t Number) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && C->getZExtValue() == Number;
}
} // namespace

bool isForCluster(const CallInst &I) {
  const Function *Callee = I.getCalledFunction();
  return Callee && Callee->getName() == ClusterWait;
}

Wait waitOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return Wait::None;
  if (Callee->hasFnAttribute(WarpMatrixAttribute))
    return Wait::Matrix;
  for (const WaitRow &Row : Waits) {
    if (Callee->getName() != Row.Name)
      continue;
    // One of the whole block, whatever its number, is what __syncthreads() is.
    const bool IsOfPart = Row.Kind == Wait::Barrier && !isForCluster(*Call) &&
                          !(isa<ConstantInt>(Call->getArgOperand(1)) && isNumber(Call->getArgOperand(2), 0));
    return IsOfPart ? Wait::Unknown : Row.Kind;
  }
  return Wait::None;
}

Value *lanesOf(const CallInst &I) {
  switch (waitOf(I)) {
  case Wait::WarpSync:
    return I.getArgOperand(1);
  case Wait::Shuffle:
  case Wait::Vote:
  case Wait::Reduction:
  case Wait::Match:
    return I.getArgOperand(2);
  default:
    return nullptr;
  }
}

bool isOfWholeWarps(const CallInst &I) {
  return waitOf(I) != Wait::Match && lanesOf(I) && isNumber(lanesOf(I), 0xffffffff);
}

StateLoad stateLoad(const Instruction &I, const Argument &State) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load)
    return {};
  if (Load->getPointerOperand() == &State)
    return {true, Field::tid_x};
  const auto *Address = dyn_cast<GetElementPtrInst>(Load->getPointerOperand());
  if (!Address || Address->getPointerOperand() != &State || Address->getNumIndices() != 2)
    return {};
  const auto *Index = dyn_cast<ConstantInt>(Address->getOperand(2));
  return Index ? StateLoad{true, static_cast<Field>(Index->getZExtValue())} : StateLoad{};
}

bool differsByThread(Field Which) {
  return Which == Field::tid_x || Which == Field::tid_y || Which == Field::tid_z || Which == Field::laneid ||
         Which == Field::warpid;
}

BlockUniformity::BlockUniformity(Function &Body, const PostDominatorTree &After, const LoopInfo &Loops)
    : Body(Body), After(After), Loops(Loops) {
  seed();
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      const auto *I = cast<Instruction>(U);
      if (I->isTerminator())
        branch(const_cast<BasicBlock *>(I->getParent()));
      else if (waitOf(*I) != Wait::BarrierReduce)
        differ(I);
    }
}

void BlockUniformity::differ(const Value *V) {
  if (!V->getType()->isVoidTy() && Differing.insert(V).second)
    Work.push_back(V);
}

void BlockUniformity::seed() {
  for (const Instruction &I : instructions(Body)) {
    const StateLoad Of = stateLoad(I, *Body.getArg(0));
    bool Differs = isa<AllocaInst>(I) || isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I);
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      Differs = Of.Is ? differsByThread(Of.Which) : Load->isVolatile() || Load->isAtomic();
    else if (const auto *Call = dyn_cast<CallBase>(&I))
      Differs = waitOf(I) != Wait::BarrierReduce && !Call->doesNotAccessMemory();
    if (Differs)
      differ(&I);
  }
}

// What a join, or what a loop that threads leave at different turns, makes of values that differ by the way
// taken.
void BlockUniformity::taint(BasicBlock *Block) {
  for (const Instruction &I : *Block)
    if (isa<PHINode>(I) || (isa<LoadInst>(I) && !stateLoad(I, *Body.getArg(0)).Is))
      differ(&I);
}

// Threads part at the end of the block, and are together again at its post-dominator. Between, they meet in
// the blocks that several ways reach.
void BlockUniformity::branch(BasicBlock *Block) {
  const auto *Node = After.getNode(Block);
  BasicBlock *Join = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  DenseMap<BasicBlock *, unsigned> Ways;
  SmallPtrSet<BasicBlock *, 4> Starts(succ_begin(Block), succ_end(Block));
  for (BasicBlock *Start : Starts) {
    SmallPtrSet<BasicBlock *, 16> Seen{Start};
    SmallVector<BasicBlock *> Next{Start};
    while (!Next.empty()) {
      BasicBlock *At = Next.pop_back_val();
      ++Ways[At];
      if (At != Join)
        for (BasicBlock *Successor : successors(At))
          if (Seen.insert(Successor).second)
            Next.push_back(Successor);
    }
  }
  for (auto [At, Count] : Ways)
    if (Count > 1)
      taint(At);
  for (const Loop *Around = Loops.getLoopFor(Block); Around; Around = Around->getParentLoop())
    if (!Join || !Around->contains(Join))
      for (BasicBlock *At : Around->blocks())
        taint(At);
}
} // namespace gpuprof::cpu
