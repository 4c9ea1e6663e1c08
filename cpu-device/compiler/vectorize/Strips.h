// Threads of a row side by side. A loop over the threads of a row whose threads have loops of their own,
// which all go round as often, is hard to vectorise from outside: the threads' loops are inside of it. So a
// strip of neighbouring threads is run together, their values in vectors, as long as all go the same way;
// where their ways part, and for threads that fill no strip, the loop as it was goes on thread by thread.
#ifndef GPUPROF_VECTORIZE_STRIPS_H
#define GPUPROF_VECTORIZE_STRIPS_H

#include "memtrace/RowMarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuprof::cpu {

/// How a value of the loop over a row differs from thread to thread.
struct Shape {
  enum Kind {
    Unknown, // not yet
    Same,
    Steps,   // goes up by the constant Step; addresses in bytes
    Strides, // goes up by a number that is the same from each thread to the next
    Differs
  } Is = Unknown;
  int64_t Step = 0;

  bool isAffine() const { return Is == Steps || Is == Strides; }
  bool operator==(const Shape &Other) const { return Is == Other.Is && Step == Other.Step; }
};

/// Threads of the widest strip.
constexpr unsigned WidestStrip = 32;

/// An intrinsic that LLVM has for vectors of its operands' types too.
bool isLanewise(const llvm::CallInst &Call);
/// A call whose result is all it does.
bool isPure(const llvm::CallInst &Call);

/// `Memory += Value` (or |=), of a variable that the threads of the block share.
struct Accumulation {
  llvm::LoadInst *Load = nullptr;
  llvm::BinaryOperator *Sum = nullptr;
  llvm::Value *Value = nullptr;
};

/// What the values of a row's loop are, while all threads go the same way.
class StripShapes {
public:
  StripShapes(const llvm::Loop &Row, const llvm::PHINode &X, llvm::LoopInfo &Loops,
              llvm::ArrayRef<GlobalAccess> Marked);
  /// False: the loop is left as it is, since strips cannot do what it does or would gain too little.
  bool find();
  Shape of(const llvm::Value *V) const;
  /// Extensions whose operand must not pass its largest number within a strip, which is asked at run time.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &checked() const { return Checked; }
  /// Branches at which threads may part.
  const llvm::SmallSetVector<llvm::Instruction *, 4> &parting() const { return Parting; }
  const Accumulation *accumulation(const llvm::StoreInst &S) const;
  /// Part of an accumulation, or of no effect.
  bool isSkipped(const llvm::Instruction &I) const { return Skipped.contains(&I); }
  /// Do the threads access neighbouring elements?
  bool isContiguous(const llvm::Value *Pointer, const llvm::Type *Element) const;
  /// The most values that a thread carries from turn to turn of a loop of its own.
  unsigned mostCarried() const { return MostCarried; }
  unsigned instructions() const { return Count; }
  /// Do threads of a strip access memory in places that do not lie side by side, in loops of their own?
  bool gathers() const { return Gathers; }

private:
  Shape transfer(const llvm::Instruction &I) const;
  Shape sum(Shape A, Shape B, int64_t Sign) const;
  Shape scaled(const llvm::Instruction &I, unsigned Of, unsigned By, bool IsShift) const;
  Shape address(const llvm::GetElementPtrInst &I) const;
  Shape joined(const llvm::PHINode &I) const;
  Shape ofWarp(const llvm::Instruction &I) const;
  bool allSame(const llvm::Instruction &I) const;
  bool isExact(const llvm::Value *V, bool Signed, unsigned Depth) const;
  void findAccumulations();
  bool canCopy(const llvm::Instruction &I) const;
  bool canStore(const llvm::StoreInst &I) const;
  bool canPart(llvm::BasicBlock &Block);
  bool isGather(const llvm::Instruction &I) const;
  bool gains() const;
  std::pair<double, double> price(const llvm::Instruction &I) const;

  const llvm::Loop &Row;
  const llvm::PHINode &X;
  llvm::LoopInfo &Loops;
  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, Shape> Shapes;
  llvm::DenseMap<const llvm::StoreInst *, Accumulation> Accumulations;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Skipped;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Marked; // their sectors are marked where they are
  llvm::SmallSetVector<llvm::Instruction *, 4> Checked;
  llvm::SmallSetVector<llvm::Instruction *, 4> Parting;
  unsigned MostCarried = 0, Count = 0;
  bool Gathers = false;
};

/// What a value of the loop has become in the copy for a strip. All: a vector; else First is the first
/// thread's, and Step (null: none) what it goes up by.
struct Lanes {
  llvm::Value *First = nullptr, *Step = nullptr, *All = nullptr;
};

/// A place of the copy from which each thread goes on by itself.
struct Leave {
  llvm::BasicBlock *From = nullptr;  // the loop's block at whose end it is
  llvm::BasicBlock *Block = nullptr; // of the copy, empty
  llvm::Value *Condition = nullptr;  // a bit a thread: which way it goes; null: there is one only
  // Whose operand passes its largest number, so that it does not go up evenly.
  llvm::Instruction *Extension = nullptr;
};

/// A copy of the loop's body that runs a strip of `Width` threads.
class StripCopy {
public:
  StripCopy(Lowering &L, const StripShapes &Shapes, const llvm::PHINode &X, llvm::Instruction *Outside,
            unsigned Width)
      : L(L), Shapes(Shapes), X(X), Outside(Outside), Width(Width) {}
  /// Copies the blocks, the header first; threads from `Position` on. The end of the copy of `Latch` goes to
  /// `Next`.
  void emit(llvm::ArrayRef<llvm::BasicBlock *> Blocks, const llvm::BasicBlock *Latch,
            llvm::AllocaInst *Position, llvm::BasicBlock *Next);
  /// Has each access of `Left` that was copied marked too, where the copy makes it.
  void addMarks(llvm::ArrayRef<GlobalAccess> Left, llvm::SmallVectorImpl<GlobalAccess> &All) const;
  llvm::BasicBlock *header() const { return Header; }
  llvm::ArrayRef<Leave> leaves() const { return Leaves; }
  unsigned width() const { return Width; }
  /// A value of the loop as a vector, or, where it is the same in all threads, as it is, for those who leave.
  llvm::Value *keep(llvm::IRBuilder<> &B, llvm::Value *V, const Leave &At);

private:
  void copy(llvm::Instruction &I);
  void copyScalar(llvm::Instruction &I, const Shape &S);
  void copyVector(llvm::Instruction &I);
  void copyLoad(llvm::LoadInst &I);
  void copyStore(llvm::StoreInst &I);
  void copyCall(llvm::CallInst &I);
  bool copyTouch(llvm::CallInst &I);
  void accumulate(llvm::StoreInst &I, const Accumulation &A);
  void end(llvm::BasicBlock &Block);
  void part(llvm::BasicBlock &Block, llvm::BranchInst &Branch);
  void check(llvm::BasicBlock &Block, llvm::Instruction &Extension);
  void fillPhis();
  llvm::Value *stepOf(llvm::Instruction &I, const Shape &S);
  llvm::Value *first(llvm::Value *V);
  llvm::Value *lane(llvm::Value *V, unsigned Number);
  llvm::Value *vector(llvm::Value *V);
  llvm::Value *spread(llvm::IRBuilder<> &B, const Lanes &Of);
  llvm::Value *moved(llvm::IRBuilder<> &B, llvm::Value *First, llvm::Value *Step, uint64_t Times);
  llvm::VectorType *wide(llvm::Type *T) const;

  Lowering &L;
  const StripShapes &Shapes;
  const llvm::PHINode &X;
  llvm::Instruction *Outside; // runs once before the loop
  unsigned Width;
  llvm::BasicBlock *Header = nullptr;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::Value *, Lanes> Known;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Vectors; // of affine values, and of those from outside
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>> Filled; // the loop's, the copy's
  llvm::SmallVector<Leave> Leaves;
  llvm::DenseMap<const llvm::Instruction *, llvm::Instruction *> Accesses;
  std::unique_ptr<llvm::IRBuilder<>> Builder;
};

/// Runs the rows of threads for which it pays in strips. `Left`: accesses whose sectors are still to be
/// marked where they are; returned with those of the copies.
llvm::SmallVector<GlobalAccess> runInStrips(Lowering &L, llvm::Function &F, llvm::ArrayRef<ThreadRow> Rows,
                                            llvm::ArrayRef<GlobalAccess> Left);
} // namespace gpuprof::cpu
#endif
