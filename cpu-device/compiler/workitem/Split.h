// Kernels with barriers as loops over the threads of a block. A kernel is cut at its barriers, at its warp
// operations and at the branches that decide between them; what lies between two cuts, a section, becomes a
// loop over the threads. Values that live across a cut are kept in arrays of an element a thread, those that
// are the same in all threads once.
#ifndef GPUPROF_WORKITEM_SPLIT_H
#define GPUPROF_WORKITEM_SPLIT_H

#include "memtrace/RowMarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/ValueHandle.h"
#include <functional>
#include <memory>

namespace gpuprof::cpu {

/// The calls at which threads of a block wait for one another.
enum class Wait {
  None,
  Barrier,
  BarrierReduce,
  WarpSync,
  Shuffle,
  Vote,
  Reduction,
  Match,
  ActiveMask,
  Matrix,
  Unknown
};
/// What `I` is. Unknown: it waits, but in a form that is left to fibers.
Wait waitOf(const llvm::Instruction &I);
/// Does this barrier wait for all blocks of the cluster?
bool isForCluster(const llvm::CallInst &I);
/// The mask that a wait of lanes names; null: none.
llvm::Value *lanesOf(const llvm::CallInst &I);
/// Do all lanes of a warp, and no others, wait for one another?
bool isOfWholeWarps(const llvm::CallInst &I);

/// What a load from the thread's state reads; none: `I` is no such load.
struct StateLoad {
  bool Is = false;
  Field Which = Field::tid_x;
};
StateLoad stateLoad(const llvm::Instruction &I, const llvm::Argument &State);
/// Does the field differ from thread to thread of a block?
bool differsByThread(Field Which);

/// Which values of a kernel body are the same in all threads of a block that are at the same place together.
class BlockUniformity {
public:
  BlockUniformity(llvm::Function &Body, const llvm::PostDominatorTree &After, const llvm::LoopInfo &Loops);
  bool isUniform(const llvm::Value *V) const { return !Differing.contains(V); }

private:
  void seed();
  void differ(const llvm::Value *V);
  void branch(llvm::BasicBlock *Block);
  void taint(llvm::BasicBlock *Block);

  llvm::Function &Body;
  const llvm::PostDominatorTree &After;
  const llvm::LoopInfo &Loops;
  llvm::DenseSet<const llvm::Value *> Differing;
  llvm::SmallVector<const llvm::Value *> Work;
};

/// What threadIdx.x is compared with, or, without a predicate, a value that is true for all threads or none.
struct RangeTerm {
  llvm::WeakTrackingVH Bound; // the same in all threads
  bool Wanted = true;         // of a value without a predicate
  llvm::CmpInst::Predicate Compare = llvm::CmpInst::BAD_ICMP_PREDICATE;
};
using RangeTerms = llvm::SmallVector<RangeTerm, 2>;
class BlockUniformity;
/// If a condition, or its opposite, holds for threads side by side in each row, and for the same of each:
/// what says for which; else empty.
RangeTerms rangeOf(llvm::Value *Condition, bool Wanted, const llvm::Argument &State,
                   const BlockUniformity &Uniform);
/// Low and High, i64, of threadIdx.x: [Low, High).
struct RangeBounds {
  llvm::Value *Low = nullptr, *High = nullptr;
};
/// What a term leaves of a range, if its bound has this value.
RangeBounds narrow(llvm::IRBuilder<> &B, RangeBounds From, const RangeTerm &Term, llvm::Value *Bound);

/// Part of a kernel that some threads of a block leave out: those for which the branch at the end of `Branch`
/// goes to `Join` at once.
struct Area {
  llvm::BasicBlock *Branch = nullptr, *Inside = nullptr, *Join = nullptr;
  bool OnTrue = false; // the branch goes inside where its condition is true
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> Blocks;
  Area *Outer = nullptr;
  bool EndsAtReturn = false; // threads outside have nothing to do any more
  bool HasLaneWaits = false; // waits of lanes inside, and in no area inside
  Area *Alive = nullptr;   // if it does not end so, the area around that does: who is not in it has returned
  bool IsAskedFor = false; // it is that of another
  llvm::CallInst *WarpWait = nullptr; // a wait of whole warps inside, and in no area inside, or null
  RangeTerms Range;                   // not empty: whom the loops run for
  llvm::AllocaInst *Low = nullptr, *Count = nullptr; // of a range, i32
  llvm::AllocaInst *Mask = nullptr; // i8 a thread: is it inside? Ranges have it for waits of warps
  llvm::AllocaInst *Any = nullptr;  // i8: is one?
  llvm::AllocaInst *Parted =
      nullptr; // address of the mask, or null where all warps are inside or outside as a whole
  llvm::SmallSetVector<llvm::AllocaInst *, 4> Shuffled; // arrays that threads inside read of one another
};

/// What lies between two cuts: all threads of the block (of the area) come in at `Entry`, and go out at the
/// end of `Exit`, or all to `Next`.
struct Section {
  llvm::BasicBlock *Entry = nullptr, *Exit = nullptr, *Next = nullptr;
  llvm::SmallSetVector<llvm::BasicBlock *, 8> Blocks;
  Area *In = nullptr;
};

/// Cuts a body into sections; the sections' order is that in which they were found.
class Sections {
public:
  Sections(llvm::Function &Body, const llvm::PostDominatorTree &After, const llvm::DominatorTree &Before,
           const BlockUniformity &Uniform)
      : Body(Body), After(After), Before(Before), Uniform(Uniform) {}
  /// False: the control flow is not of a kind that can be cut.
  bool find(const llvm::LoopInfo &Loops);
  /// The section that a block belongs to; null where no thread comes.
  Section *of(const llvm::BasicBlock *Block) const { return Owner.lookup(Block); }
  bool isEntry(llvm::BasicBlock *Block) const { return Entries.contains(Block); }
  /// The area that begins at the end of this block, or null.
  Area *areaAt(const llvm::BasicBlock *Block) const { return Begins.lookup(Block); }
  void adopt(Section &S, llvm::BasicBlock *New) {
    S.Blocks.insert(New);
    Owner[New] = &S;
  }

  std::vector<std::unique_ptr<Section>> All;
  std::vector<std::unique_ptr<Area>> Areas;

private:
  using Exits = llvm::SmallPtrSet<llvm::BasicBlock *, 4>;
  bool cut();
  bool flood();
  bool cutAtGuard(const llvm::LoopInfo &Loops);
  bool isGuard(const Section &S, llvm::BasicBlock *Block) const;
  bool isCheapToKeep(const llvm::Value *V, unsigned Depth) const;
  enum class Result { Done, Again, Failed };
  Result exitsOf(Section &S);
  bool cutAt(llvm::BasicBlock *Block);
  bool beginArea(llvm::BasicBlock *Block);
  bool areasAreSound();
  void describe(Area &A);
  Area *innermost(const llvm::BasicBlock *Block) const;

  llvm::Function &Body;
  const llvm::PostDominatorTree &After;
  const llvm::DominatorTree &Before;
  const BlockUniformity &Uniform;
  llvm::SetVector<llvm::BasicBlock *> Entries;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Cuts; // sections end at their terminators
  llvm::DenseMap<const llvm::BasicBlock *, Section *> Owner;
  llvm::DenseMap<const llvm::BasicBlock *, Area *> Begins;
};

/// Attribute of a body that is left to stacks, since the file's kernels are many or large.
constexpr const char *TooMuch = "gpuprof-cpu-stacks";

/// Makes `K.Body` a function that runs all threads of a block, and `K.Thread` one that runs one of them, and
/// gives the loops over rows of threads. None: the body is left to run one thread.
std::vector<ThreadRow> splitAtBarriers(Lowering &L, Kernel &K);

// Shared between the files of the split.
/// Inlines functions that wait and copies structures that are written; false: the body cannot be split.
bool prepareSplit(Lowering &L, Kernel &K);
/// Tells whoever asks by -Rpass-missed=gpuprof why a kernel that waits runs on stacks.
void tellWhy(llvm::Function &Body, llvm::StringRef Why, const llvm::Instruction *At = nullptr);
/// The loop over the threads that runs a section.
struct ThreadLoop {
  llvm::BasicBlock *Head = nullptr;  // once a block, before the loop
  llvm::BasicBlock *First = nullptr; // the start of each turn
  llvm::BasicBlock *Latch = nullptr; // the end of each turn
  llvm::BasicBlock *Done = nullptr;  // once a block, after the loop
  llvm::PHINode *Counter[3] = {};    // z, y, and from 0 on for those of a row
  llvm::Value *Count = nullptr;      // of a row, i32, not 0
  llvm::Value *Turns = nullptr;      // of all threads, i64
  llvm::Value *X = nullptr;          // threadIdx.x
  llvm::Value *Index = nullptr;      // the thread's number in the block, i64
  llvm::Value *Linear = nullptr;     // the same, i32
};

/// The counters of a block's threads: the variables in which each thread would count are the block's, to
/// which all add, and are added to the counters in memory once.
class BlockCounts {
public:
  /// Finds them; none where one is used in another way.
  explicit BlockCounts(llvm::Function &F);
  bool isVariable(const llvm::Value *V) const;
  /// Before the split: takes out what each thread does at its start and end. `Setup` runs once a block.
  void leaveThreads(llvm::BasicBlock &Setup);
  /// After it: adds once for a whole loop what each turn adds alike, and flushes where the block ends.
  void gather(Lowering &L, llvm::ArrayRef<ThreadLoop> Loops);

private:
  struct Flush {
    llvm::Instruction *Address = nullptr; // of a slot's counters
    llvm::LoadInst *Base = nullptr;
    uint64_t RowBytes = 0;
  };
  static Flush flushAt(llvm::Instruction &I);
  bool match(const Flush &Of);
  bool matchUses(llvm::AllocaInst &Variable) const;
  void flush(Lowering &L);

  llvm::Function &F;
  llvm::SmallVector<Flush, 4> Flushes;
  llvm::MapVector<llvm::AllocaInst *, uint64_t> Groups; // of the variables
  llvm::SmallVector<llvm::Instruction *> Ends;          // the stores of threads into counters
};
/// What a wait's result is made of.
struct WaitSite {
  Lowering &L;
  const ThreadLoop &Loop;
  llvm::Value *Threads;  // of the block, i32
  llvm::Value *Mask;     // address of i8 a thread: does it take part? Null: all do
  llvm::Value *Alive;    // the same: has it not returned? Null: all
  bool Returned;         // those who do not take part have returned
  llvm::Constant *Place; // for messages
  std::function<llvm::AllocaInst *(llvm::Value *)>
      Elements;                                             // a value of all threads; null: all have the same
  std::function<llvm::AllocaInst *(llvm::Type *)> NewArray; // an element a thread
  std::function<llvm::Value *(llvm::Value *)> Here;         // a value of the running thread
};
/// What a wait gives the running thread, once all have come to it; null: nothing. The wait itself stays, to
/// be taken out.
llvm::Value *lowerWait(const WaitSite &Site, llvm::CallInst &I);
/// Moves matrix instructions that follow one another together, so that one section begins with all of them.
void joinMatrices(llvm::Function &F);
/// Does a matrix instruction stand behind another with nothing between but the registers of that one's result?
bool continuesRun(const llvm::Instruction &I);
/// The matrix instructions that stand together, from the first on.
llvm::SmallVector<llvm::CallInst *> runOf(llvm::CallInst &First);
/// A register of a result: the running thread's, and where those of all threads are.
struct MatrixResult {
  llvm::LoadInst *Value = nullptr;
  llvm::AllocaInst *Array = nullptr;
};
/// The same as lowerWait() of a matrix instruction.
llvm::SmallVector<MatrixResult> lowerMatrix(const WaitSite &Site, llvm::CallInst &I);
/// Address of a thread's element.
llvm::Value *elementOf(llvm::IRBuilder<> &B, llvm::AllocaInst *Array, llvm::Value *Index);
} // namespace gpuprof::cpu
#endif
