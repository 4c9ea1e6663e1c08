// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workitem/MergedBlocks.h"
#include "workitem/ThreadArray.h"
#include "workitem/ThreadState.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprof::cpu {
namespace {
class BlockIndices {
public:
  explicit BlockIndices(const Argument &State) : State(State) {}
  bool isMergeable(const Instruction &I) const;

private:
  bool reads(const Value *V, Field Which) const;
  bool isStart(const Value *V) const;
  bool isIndexOfGrid(const User *U) const;

  const Argument &State;
};

const Value *withoutExtension(const Value *V) {
  return isa<ZExtInst>(V) || isa<SExtInst>(V) ? cast<CastInst>(V)->getOperand(0) : V;
}

// Looks through extensions: the emulator merges blocks only if all indices of the grid fit 31 bits.
bool allUsers(const Value &V, function_ref<bool(const User *)> Holds) {
  return all_of(V.users(), [&](const User *U) {
    return isa<ZExtInst>(U) || isa<SExtInst>(U) ? allUsers(*U, Holds) : Holds(U);
  });
}

bool BlockIndices::reads(const Value *V, Field Which) const {
  const auto *I = dyn_cast<Instruction>(withoutExtension(V));
  const StateLoad Of = I ? stateLoad(*I, State) : StateLoad();
  return Of.Is && Of.Which == Which;
}

// blockIdx.x * blockDim.x
bool BlockIndices::isStart(const Value *V) const {
  const auto *Product = dyn_cast<BinaryOperator>(withoutExtension(V));
  if (!Product || Product->getOpcode() != Instruction::Mul)
    return false;
  const Value *A = Product->getOperand(0), *B = Product->getOperand(1);
  return (reads(A, Field::ctaid_x) && reads(B, Field::ntid_x)) ||
         (reads(B, Field::ctaid_x) && reads(A, Field::ntid_x));
}

bool BlockIndices::isIndexOfGrid(const User *U) const {
  const auto *Sum = dyn_cast<BinaryOperator>(U);
  if (!Sum || Sum->getOpcode() != Instruction::Add)
    return false;
  const Value *A = Sum->getOperand(0), *B = Sum->getOperand(1);
  return (isStart(A) && reads(B, Field::tid_x)) || (isStart(B) && reads(A, Field::tid_x));
}

bool BlockIndices::isMergeable(const Instruction &I) const {
  const StateLoad Of = stateLoad(I, State);
  if (!Of.Is) // the state's address may only serve such loads
    return none_of(I.operands(), [&](const Use &U) { return U.get() == &State; }) ||
           isa<GetElementPtrInst>(I);
  switch (Of.Which) {
  case Field::tid_x:
    return allUsers(I, [&](const User *U) { return isIndexOfGrid(U); });
  case Field::ctaid_x:
    return allUsers(I, [&](const User *U) {
      return isStart(U) && allUsers(*U, [&](const User *Of) { return isIndexOfGrid(Of); });
    });
  case Field::tid_y:
  case Field::tid_z:
  case Field::ctaid_y:
  case Field::ctaid_z:
  case Field::ntid_x:
  case Field::ntid_y:
  case Field::ntid_z:
  case Field::nctaid_x:
  case Field::nctaid_y:
  case Field::nctaid_z:
  case Field::slot:
    return true;
  default:
    return false;
  }
}

// Messages of the emulator name the block, and functions may ask for the thread's state.
bool isPlain(const CallBase &Call) {
  return isa<IntrinsicInst>(Call) ? !Call.doesNotReturn() : Call.doesNotAccessMemory() && !Call.isInlineAsm();
}
} // namespace

// Looks through extensions, and through memory that keeps a uniform value for other parallel regions.
static const Value *kept(const Value *V) {
  for (;;) {
    const Value *Inside = withoutExtension(V);
    const auto *Load = dyn_cast<LoadInst>(Inside);
    const auto *Memory = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
    const StoreInst *Only = nullptr;
    for (const User *U : Memory ? Memory->users() : Inside->users()) {
      if (!Memory)
        break;
      const auto *Store = dyn_cast<StoreInst>(U);
      if (Store ? Only || Store->getPointerOperand() != Memory : !isa<LoadInst>(U))
        return Inside;
      Only = Store ? Store : Only;
    }
    if (!Only)
      return Inside;
    V = Only->getValueOperand();
  }
}

static bool readsField(const Value *V, const Argument &State, Field Which) {
  const auto *I = dyn_cast<Instruction>(kept(V));
  const StateLoad Of = I ? stateLoad(*I, State) : StateLoad();
  return Of.Is && Of.Which == Which;
}

bool GridValues::isX(const Value *V) const { return withoutExtension(V) == &X; }

// blockIdx.x times blockDim.x, or times a constant
bool GridValues::isStart(const Value *V) {
  const auto *Product = dyn_cast<BinaryOperator>(kept(V));
  if (!Product || (Product->getOpcode() != Instruction::Mul && Product->getOpcode() != Instruction::Shl))
    return false;
  const Value *A = Product->getOperand(0), *B = Product->getOperand(1);
  if (Product->getOpcode() == Instruction::Mul && !readsField(A, State, Field::ctaid_x))
    std::swap(A, B);
  if (!readsField(A, State, Field::ctaid_x))
    return false;
  if (Product->getOpcode() == Instruction::Mul && readsField(B, State, Field::ntid_x))
    return true;
  const auto *Constant = dyn_cast<ConstantInt>(B);
  if (!Constant || Constant->getValue().ugt(MostThreads))
    return false;
  const uint64_t Number = Constant->getZExtValue();
  const uint64_t Found = Product->getOpcode() == Instruction::Mul ? Number
                         : Number < 16                            ? uint64_t(1) << Number
                                                                  : 0;
  if (!Found || (Width && Width != Found))
    return false;
  Width = Found;
  return true;
}

bool GridValues::isOfGrid(const Value *V, unsigned Depth) {
  constexpr unsigned Deepest = 16;
  V = kept(V);
  if (V == &X || V == &State || Depth == Deepest)
    return false;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return true;
  if (const StateLoad Of = stateLoad(*I, State); Of.Is)
    return !variesByThread(Of.Which) && Of.Which != Field::ctaid_x && Of.Which != Field::merged_blocks;
  if (I->getOpcode() == Instruction::Add) {
    const Value *A = I->getOperand(0), *B = I->getOperand(1);
    if ((isX(A) && isStart(B)) || (isX(B) && isStart(A)))
      return true;
  }
  if (const auto *Phi = dyn_cast<PHINode>(I)) // counts rows or layers
    return all_of(Phi->incoming_values(), [&](const Use &U) {
      const auto *Next = dyn_cast<BinaryOperator>(U.get());
      return isa<ConstantInt>(U.get()) ||
             (Next && Next->getOperand(0) == Phi && isa<ConstantInt>(Next->getOperand(1)));
    });
  if (!isa<BinaryOperator>(I) && !isa<CastInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ICmpInst>(I) &&
      !isa<SelectInst>(I))
    return false;
  return all_of(I->operands(), [&](const Use &U) { return isOfGrid(U, Depth + 1); });
}

bool canMergeBlocks(const Lowering &L, Function &Body) {
  const BlockIndices Indices(*Body.getArg(0));
  bool ReadsIndex = false;
  for (const Instruction &I : instructions(Body)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if ((Call && !isPlain(*Call)) || !Indices.isMergeable(I))
      return false;
    const StateLoad Of = stateLoad(I, *Body.getArg(0));
    ReadsIndex |= Of.Is && Of.Which == Field::tid_x;
  }
  return ReadsIndex && !L.HasCoalescing;
}
} // namespace gpuprof::cpu
